import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Patient } from '../../contract/patients.ts';
import { problem } from '../../contract/problem.ts';
import type { Study } from '../../contract/studies.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let patientId: string;
let uids = 0;

const put = (target: string, body?: unknown, as?: string) =>
  archive.call(target, {
    method: 'PUT',
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    ...(as === undefined ? {} : { as }),
  });
/** Waits for thumbnails and their events too, so that later events belong to the test. */
const importAll = async (...args: Parameters<ArchiveUnderTest['importAll']>) => {
  const imported = await archive.importAll(...args);
  await archive.archive.thumbnails.idle();
  return imported;
};
const remove = (target: string, as?: string) =>
  archive.call(target, { method: 'DELETE', ...(as === undefined ? {} : { as }) });
const statusAndCode = async (reply: Response) => [reply.status, problem.parse(await reply.json()).code];
const getPatient = async (id = patientId): Promise<Patient> => (await archive.call(`/resource/patient/${id}`)).json();
const studies = async (): Promise<Study[]> =>
  (await (await archive.call(`/resource/study/bypatient/${patientId}`)).json()).data;
const imagesShown = async () => (await studies()).flatMap(({ series }) => series).flatMap(({ images }) => images);
const actions = async () => {
  const rows = await archive.db
    .selectFrom('access_log')
    .select(['action', 'object_id', 'account_id'])
    .where('patient_id', '=', patientId)
    .where('action', 'not like', '%opened')
    .where('action', '<>', 'patient.listed')
    .orderBy('id')
    .execute();
  return rows.filter(({ action }) => !action.startsWith('import.'));
};
const eventsSince = (mark: number) => archive.events.slice(mark).map(({ groups, event }) => ({ groups, event }));

/** Files of a separate study: `series` images in each of two series. */
const files = (date = '20260312') => {
  uids += 10;
  const base = { StudyInstanceUID: `2.25.7${uids}`, StudyDate: date };
  const one = (series: number, image: number) =>
    smallObject({
      ...base,
      SeriesInstanceUID: `2.25.8${uids}${series}`,
      SeriesNumber: series,
      SOPInstanceUID: `2.25.9${uids}${series}${image}`,
      InstanceNumber: image,
    });
  return { 'a.dcm': one(1, 1), 'b.dcm': one(1, 2), 'c.dcm': one(2, 1) };
};

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());

beforeEach(async () => {
  patientId = await archive.addPatient({
    customerId: archive.clinics.customerId,
    personalNumber: `19800101-${String(1000 + uids)}`,
  });
});

describe('a patient', () => {
  const edited = (patient: Patient, changes: Record<string, unknown> = {}) => {
    const { lastStudyDate: _, ...fields } = patient.mainInfo;
    return { id: patient.id, version: patient.version, ...fields, ...changes };
  };

  test('is edited, found by the new name and number only, published and logged', async () => {
    const before = await getPatient();
    const mark = archive.events.length;
    const reply = await put(
      '/resource/patient/update',
      edited(before, {
        lastName: 'Östergård',
        personalNumber: '19991231-2384',
        birthDate: '1999-12-31',
        comments: ' Ny ',
      }),
    );
    expect(reply.status).toBe(200);
    const after: Patient = await reply.json();
    expect(after.version).toBe(before.version + 1);
    expect(after.mainInfo).toMatchObject({ firstName: 'Åsa', lastName: 'Östergård', comments: 'Ny' });
    expect(await getPatient()).toEqual(after);
    const found = async (q: string) => {
      const reply = await archive.post('/resource/patient/search', { customerId: archive.clinics.customerId, q });
      return ((await reply.json()).data as Patient[]).map(({ id }) => id);
    };
    expect(await found('ostergard')).toEqual([patientId]);
    expect(await found('991231-2384')).toEqual([patientId]);
    expect(await found(before.mainInfo.personalNumber)).not.toContain(patientId);
    expect(eventsSince(mark)).toEqual([
      {
        groups: [`clinic:${archive.clinics.customerId}`, `user:${archive.clinics.doctorId}`],
        event: { name: 'PatientChanged', body: { patientId } },
      },
    ]);
    expect(await actions()).toEqual([
      { action: 'patient.edited', object_id: null, account_id: archive.clinics.doctorId },
    ]);
    await put('/resource/patient/update', edited(after, { personalNumber: `19991231-${1000 + uids}` }));
    uids += 10;
  });

  test.each([
    ['NUL', '\0'],
    ['half a surrogate pair', '\ud800'],
  ])('cannot get a name with %s, which the database does not store', async (_, character) => {
    const before = await getPatient();
    uids += 10;
    const reply = await put('/resource/patient/update', edited(before, { firstName: `Åsa${character}Maria` }));
    expect([reply.status, problem.parse(await reply.json())]).toMatchObject([
      400,
      { code: 'invalid-request', errors: [{ fieldKey: 'firstName' }] },
    ]);
    expect(await getPatient()).toEqual(before);
  });

  test('edited by another user meanwhile is not overwritten', async () => {
    const before = await getPatient();
    uids += 10;
    const [one, other] = await Promise.all([
      put('/resource/patient/update', edited(before, { firstName: 'Anna' })),
      put('/resource/patient/update', edited(before, { firstName: 'Bertil' })),
    ]);
    expect([one.status, other.status].sort()).toEqual([200, 409]);
    const [won, lost] = one.ok ? [one, other] : [other, one];
    expect(problem.parse(await lost.json()).code).toBe('conflict');
    expect(await getPatient()).toEqual(await won.json());
  });

  test("cannot get another patient's number, and the error names the field", async () => {
    const taken = (await getPatient()).mainInfo.personalNumber;
    uids += 10;
    const id = await archive.addPatient({
      customerId: archive.clinics.customerId,
      personalNumber: `19800101-${1000 + uids}`,
    });
    uids += 10;
    const reply = await put('/resource/patient/update', edited(await getPatient(id), { personalNumber: taken }));
    expect([reply.status, await reply.json()]).toMatchObject([
      409,
      { code: 'personal-number-taken', errors: [{ fieldKey: 'personalNumber' }] },
    ]);
    expect((await getPatient(id)).version).toBe(1);
    const own = await put('/resource/patient/update', edited(await getPatient(id), { firstName: 'Eva' }));
    expect(own.status).toBe(200);
  });

  test.each([
    [{ firstName: 'A' }, { fieldKey: 'firstName', vars: { min: 2 } }],
    [{ birthDate: '2026-02-31' }, { fieldKey: 'birthDate' }],
    [{ personalNumber: '--1234567--' }, { fieldKey: 'personalNumber', vars: { min: 10 } }],
    [{ comments: 'x'.repeat(501) }, { fieldKey: 'comments', vars: { max: 500 } }],
  ])('rejects %j', async (changes, error) => {
    uids += 10;
    const reply = await put('/resource/patient/update', edited(await getPatient(), changes));
    expect([reply.status, await reply.json()]).toMatchObject([400, { code: 'invalid-request', errors: [error] }]);
  });

  test('of another clinic returns 404 and is unchanged', async () => {
    uids += 10;
    const before = await getPatient();
    const reply = await put(
      '/resource/patient/update',
      edited(before, { firstName: 'Eva' }),
      archive.clinics.otherDoctorId,
    );
    expect(await statusAndCode(reply)).toEqual([404, 'not-found']);
    expect(await getPatient()).toEqual(before);
  });
});

describe('a study', () => {
  beforeEach(async () => {
    await importAll(patientId, files());
  });
  const fields = ({ id, version }: Study, changes = {}) => ({
    id,
    version,
    description: 'Kontroll',
    studyDate: '2026-03-12',
    accessionNumber: null,
    ...changes,
  });

  test('is edited at its version; the patient’s last study date follows', async () => {
    const [study] = await studies();
    if (!study) throw new Error('no study');
    const mark = archive.events.length;
    const reply = await put(
      '/resource/study/update',
      fields(study, { studyDate: '2025-01-02', accessionNumber: 'A1' }),
    );
    const after: Study = await reply.json();
    expect(after).toEqual({
      ...study,
      description: 'Kontroll',
      studyDate: '2025-01-02',
      accessionNumber: 'A1',
      version: 2,
      series: expect.anything(),
    });
    expect(after.series.flatMap(({ images }) => images)).toHaveLength(3);
    expect((await getPatient()).mainInfo.lastStudyDate).toBe('2025-01-02');
    expect(eventsSince(mark).map(({ event }) => event.name)).toEqual(['PatientChanged']);
    expect(await statusAndCode(await put('/resource/study/update', fields(study)))).toEqual([409, 'conflict']);
    expect(
      await statusAndCode(await put('/resource/study/update', fields(after), archive.clinics.otherDoctorId)),
    ).toEqual([404, 'not-found']);
    expect(
      await statusAndCode(await put('/resource/study/update', fields(after, { studyDate: '2025-13-01' }))),
    ).toEqual([400, 'invalid-request']);
    expect((await studies())[0]).toMatchObject({ version: 2, studyDate: '2025-01-02' });
    expect(await actions()).toEqual([
      { action: 'study.edited', object_id: study.id, account_id: archive.clinics.doctorId },
    ]);
  });

  test('is deleted with its content, and restored completely', async () => {
    const newer = files('20260901');
    await importAll(patientId, newer);
    const before = await studies();
    const [study] = before;
    if (!study) throw new Error('no study');
    const image = study.series[0]?.images[0]?.uid ?? '';
    expect((await remove(`/resource/study/delete/${study.id}`)).status).toBe(200);
    expect((await studies()).map(({ id }) => id)).toEqual([before[1]?.id]);
    expect(await getPatient()).toMatchObject({ totalStudies: 1, mainInfo: { lastStudyDate: '2026-03-12' } });
    expect((await archive.call(`/resource/viewset/get_image?imageUID=${image}`)).status).toBe(404);
    expect(await statusAndCode(await remove(`/resource/study/delete/${study.id}`))).toEqual([404, 'not-found']);
    expect(await statusAndCode(await put('/resource/study/update', fields(study)))).toEqual([404, 'not-found']);
    expect((await put(`/resource/study/restore/${study.id}`)).status).toBe(200);
    expect((await put(`/resource/study/restore/${study.id}`)).status).toBe(200);
    expect((await studies()).map(({ id, series }) => [id, series.length])).toEqual(
      before.map(({ id, series }) => [id, series.length]),
    );
    expect((await getPatient()).mainInfo.lastStudyDate).toBe('2026-09-01');
    expect((await actions()).map(({ action, object_id }) => [action, object_id])).toEqual([
      ['study.deleted', study.id],
      ['study.restored', study.id],
    ]);
  });

  test('loses a deleted series, and gets it back', async () => {
    const [study] = await studies();
    const series = study?.series.find(({ images }) => images.length === 2);
    expect((await remove(`/resource/series/delete/${series?.id}`)).status).toBe(200);
    expect((await studies())[0]?.series.map(({ images }) => images.length)).toEqual([1]);
    expect((await put(`/resource/series/restore/${series?.id}`)).status).toBe(200);
    expect((await studies())[0]?.series.map(({ images }) => images.length).sort()).toEqual([1, 2]);
  });

  test('shows re-imported images of a deleted series and a deleted image', async () => {
    const again = files();
    await importAll(patientId, again);
    const study = (await studies()).find(({ uid }) => uid === `2.25.7${uids}`);
    const [series] = study?.series ?? [];
    await remove(`/resource/image/delete/${series?.images[0]?.uid}`);
    await remove(`/resource/series/delete/${series?.id}`);
    const shown = async () =>
      (await studies())
        .find(({ id }) => id === study?.id)
        ?.series.map(({ images }) => images.length)
        .sort();
    expect(await shown()).toEqual([1]);
    await importAll(patientId, { 'a.dcm': again['a.dcm'] });
    expect(await shown()).toEqual([1, 2]);
  });

  test('restores a deleted series when a new file of it is imported', async () => {
    const three = files();
    const { 'b.dcm': later, ...first } = three;
    await importAll(patientId, first);
    const study = (await studies()).find(({ uid }) => uid === `2.25.7${uids}`);
    await remove(`/resource/series/delete/${study?.series.find(({ number }) => number === 1)?.id}`);
    await importAll(patientId, { 'b.dcm': later });
    const shown = (await studies()).find(({ id }) => id === study?.id);
    expect(shown?.series.map(({ images }) => images.length).sort()).toEqual([1, 2]);
  });

  test.each(['study', 'series', 'image'])('has a %s that is inaccessible to another clinic', async (what) => {
    const [study] = await studies();
    const id = { study: study?.id, series: study?.series[0]?.id, image: study?.series[0]?.images[0]?.uid }[what];
    const { otherDoctorId } = archive.clinics;
    expect(await statusAndCode(await remove(`/resource/${what}/delete/${id}`, otherDoctorId))).toEqual([
      404,
      'not-found',
    ]);
    await remove(`/resource/${what}/delete/${id}`);
    expect(await statusAndCode(await put(`/resource/${what}/restore/${id}`, undefined, otherDoctorId))).toEqual([
      404,
      'not-found',
    ]);
    expect(await statusAndCode(await put(`/resource/${what}/restore/${randomUUID()}`))).toEqual([404, 'not-found']);
    expect(await imagesShown()).toHaveLength({ study: 0, series: 1, image: 2 }[what] ?? -1);
  });
});
