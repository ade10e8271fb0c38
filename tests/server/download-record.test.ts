import { expect, it } from 'vitest';
import { downloadUnderTest } from './download-under-test.ts';
import { unzipped } from './unzipped.ts';

const bench = downloadUnderTest();

const record = (scope: object, as?: string) =>
  bench.archive.post('/resource/image/download', { ...scope, content: 'record', language: 'en' }, as);

it('the whole record of a patient has the originals, all that is stored as JSON, and the log', async () => {
  const { patient, images, studies } = await bench.patientWithImages('record');
  const { db, clinics } = bench.archive;
  const note = { state: 'signed' as const, author_id: clinics.doctorId, author_name: 'Anna Prov' };
  for (const [version, text] of ['Karies 16 d', 'Karies 16 d och 17 m'].entries())
    await db
      .insertInto('image_note')
      .values({ ...note, subject_id: images[0] ?? '', version: version + 1, text })
      .execute();
  const reply = await record({ patientId: patient.id }, clinics.adminId);
  expect(reply.status).toBe(200);
  const files = new Map(await unzipped(Buffer.from(await reply.arrayBuffer())));
  const names = [...files.keys()];
  expect(names.slice(-2)).toEqual(['record.json', 'access-log.csv']);
  expect(names).toHaveLength(images.length + 2);
  const json = JSON.parse(String(files.get('record.json')));
  expect(json.patient).toMatchObject([{ id: patient.id, first_name: 'Åsa', last_name: 'Hemlig' }]);
  expect(json.patient[0]).not.toHaveProperty('search_text');
  expect(json.study.map(({ id }: { id: string }) => id).sort()).toEqual([studies.earlier, studies.later].sort());
  expect(json.image).toHaveLength(images.length);
  expect(json.image_note.map(({ text }: { text: string }) => text)).toEqual(['Karies 16 d', 'Karies 16 d och 17 m']);
  expect(json.files.map(({ image_id }: { image_id: string }) => image_id).sort()).toEqual([...images].sort());
  for (const { file } of json.files) expect(files.has(file)).toBe(true);
  expect(String(files.get('access-log.csv'))).toContain('Åsa Hemlig');
  const log = await db.selectFrom('access_log').select('action').where('patient_id', '=', patient.id).execute();
  expect(log.map(({ action }) => action)).toContain('log.extracted');
});

it('a record has nothing of another patient', async () => {
  const [one, other] = [await bench.patientWithImages('one'), await bench.patientWithImages('other')];
  const reply = await record({ patientId: one.patient.id }, bench.archive.clinics.adminId);
  const files = new Map(await unzipped(Buffer.from(await reply.arrayBuffer())));
  const text = String(files.get('record.json'));
  expect(text).toContain(one.patient.id);
  for (const id of [other.patient.id, ...other.images]) expect(text).not.toContain(id);
});

it('a record needs a patient, the right to the log, and access to the clinic', async () => {
  const { patient, images } = await bench.patientWithImages('rights');
  const { adminId, doctorId, otherDoctorId } = bench.archive.clinics;
  expect((await record({ imageUIDs: images }, adminId)).status).toBe(400);
  const doctor = await record({ patientId: patient.id }, doctorId);
  expect([doctor.status, (await doctor.json()).claims]).toEqual([403, ['user.get']]);
  expect((await record({ patientId: patient.id }, otherDoctorId)).status).toBe(404);
});

it('a patient without images has a record too, and nothing else to download', async () => {
  const { db, clinics } = bench.archive;
  const patientId = await bench.archive.addPatient();
  const post = (path: string, body: object, as?: string) => bench.archive.post(path, body, as);
  const preview = await post('/resource/image/download/preview', { patientId }, clinics.adminId);
  expect([preview.status, await preview.json()]).toMatchObject([200, { files: 0, sizeBytes: 0, canShare: false }]);
  expect((await post('/resource/image/download/preview', { patientId }, clinics.otherDoctorId)).status).toBe(404);
  const recipient = { recipient: 'Patienten själv', purpose: 'patient' };
  const reply = await record({ patientId, ...recipient }, clinics.adminId);
  expect(reply.status).toBe(200);
  const files = new Map(await unzipped(Buffer.from(await reply.arrayBuffer())));
  expect([...files.keys()]).toEqual(['record.json', 'access-log.csv']);
  expect(JSON.parse(String(files.get('record.json')))).toMatchObject({
    patient: [{ id: patientId }],
    image: [],
    files: [],
  });
  const log = await db
    .selectFrom('access_log')
    .select(['action', 'detail'])
    .where('patient_id', '=', patientId)
    .execute();
  expect(log).toContainEqual({ action: 'image.downloaded', detail: expect.stringContaining('Patienten själv') });
  expect((await record({ patientId }, clinics.otherDoctorId)).status).toBe(404);
  expect((await post('/resource/image/download', { patientId }, clinics.adminId)).status).toBe(404);
});
