import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ImportTask } from '../../contract/imports.ts';
import { problem } from '../../contract/problem.ts';
import type { Study } from '../../contract/studies.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { smallObject } from './small-object.ts';

let archive: ArchiveUnderTest;
let patientId: string;
let number: string;
let count = 0;

const send = (method: string, target: string, as: string, body?: unknown) =>
  archive.call(target, {
    ...{ method, as },
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
const admin = () => archive.clinics.adminId;
const remove = (what: 'patient' | 'study', id: string, as = admin()) =>
  send('DELETE', `/resource/${what}/delete/${id}`, as);
const restore = (what: 'patient' | 'study', id: string, as = admin()) =>
  send('PUT', `/resource/${what}/restore/${id}`, as);
const told = async (reply: Response) => [reply.status, problem.parse(await reply.json()).code];
const studiesOf = async (id: string): Promise<Study[]> =>
  (await (await archive.call(`/resource/study/bypatient/${id}`)).json()).data;

const newPatient = (fields: Partial<Parameters<ArchiveUnderTest['addPatient']>[0]> = {}) => {
  count += 1;
  number = `19800101-${1000 + count}`;
  return archive.addPatient({ customerId: archive.clinics.customerId, personalNumber: number, ...fields });
};
const files = (images: number, description = 'Kontroll') => {
  count += 1;
  const study = `2.25.6${count}`;
  return Object.fromEntries(
    Array.from({ length: images }, (_, index) => [
      `${index}.dcm`,
      smallObject({
        ...{ StudyInstanceUID: study, SeriesInstanceUID: `${study}.1`, SOPInstanceUID: `${study}.1.${index}` },
        ...{ StudyDescription: description, InstanceNumber: index + 1 },
      }),
    ]),
  );
};
const entriesOf = (id: string, ...actions: string[]) =>
  archive.db
    .selectFrom('access_log')
    .select(['action', 'account_id', 'object_id'])
    .where('patient_id', '=', id)
    .where('action', 'in', actions as never)
    .orderBy('id')
    .execute();

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive.close());
beforeEach(async () => {
  patientId = await newPatient();
});

describe('a deleted patient', () => {
  test('is out of reach with all that is theirs, for everybody, and comes back as they were', async () => {
    const own = number;
    await archive.importAll(patientId, files(2));
    await archive.archive.thumbnails.idle();
    const [study] = await studiesOf(patientId);
    const image = study?.series[0]?.images[0];
    if (!study || !image?.activeImageThumbLink) throw new Error('nothing was imported');
    const made = await archive.post('/resource/viewset/', {
      ...{ patientUID: patientId, currentStudyUID: study.uid, currentViewsetUID: null },
      viewSetItems: [{ xPos: 0, yPos: 0, width: 100, height: 100, teeth: [11] }],
    });
    const viewset = await made.json();
    const open = await archive.parse(await archive.begin(patientId, files(1)));
    const fileLink = open.files[0]?.thumbLink ?? '';
    const before = await studiesOf(patientId);

    const reads: readonly [string, string][] = [
      ['GET', `/resource/patient/${patientId}`],
      ['GET', `/resource/study/bypatient/${patientId}`],
      ['GET', `/resource/viewset/${viewset.viewSetUuid}`],
      ['GET', `/resource/viewset/get_image?imageUID=${image.uid}`],
      ['GET', `/resource/image/rendition?imageUID=${image.uid}`],
      ['GET', image.activeImageThumbLink],
      ['GET', `/resource/ImageImport/${open.id}`],
      ['GET', `/resource/ImageImport?patientId=${patientId}`],
      ['GET', fileLink],
    ];
    const writes: readonly [string, string, unknown?][] = [
      ['DELETE', `/resource/patient/delete/${patientId}`],
      ['DELETE', `/resource/study/delete/${study.id}`],
      ['PUT', `/resource/study/restore/${study.id}`],
      ['DELETE', `/resource/series/delete/${study.series[0]?.id}`],
      ['DELETE', `/resource/image/delete/${image.uid}`],
      ['POST', '/resource/ImageImport', { patientId, totalFilesCount: 1 }],
      ['POST', '/resource/ImageImport/dicom/import', { id: open.id }],
      ['POST', '/resource/ImageImport/cancel', { id: open.id }],
      ['POST', '/resource/study/move_all', { patientFromId: patientId, patientToId: await newPatient() }],
      [
        'POST',
        '/resource/viewset/image/mount',
        { viewsetUid: viewset.viewSetUuid, itemIndex: 0, imageUid: image.uid, version: viewset.version },
      ],
    ];
    const statuses = (calls: readonly [string, string, unknown?][], as: string) =>
      Promise.all(calls.map(async ([method, target, body]) => (await send(method, target, as, body)).status));

    // Each of them is right as long as the patient is there, or the 404s below would say nothing.
    expect(await statuses(reads, admin())).toEqual(reads.map(() => 200));

    expect((await remove('patient', patientId)).status).toBe(200);
    for (const as of [admin(), archive.clinics.doctorId, archive.clinics.superId])
      expect(await statuses(reads, as)).toEqual(reads.map(() => 404));
    expect(await statuses(writes, archive.clinics.superId)).toEqual(writes.map(() => 404));
    const found = await archive.post('/resource/patient/search', { customerId: archive.clinics.customerId, q: own });
    expect((await found.json()).data).toEqual([]);
    const clinic = await archive.call(`/resource/ImageImport?customerId=${archive.clinics.customerId}`);
    expect(((await clinic.json()) as ImportTask[]).map(({ id }) => id)).not.toContain(open.id);

    expect((await restore('patient', patientId)).status).toBe(200);
    expect(await statuses(reads, admin())).toEqual(reads.map(() => 200));
    const [after] = await studiesOf(patientId);
    expect({ ...after, series: [], viewsets: before[0]?.viewsets }).toEqual({ ...before[0], series: [] });
    expect(after?.series[0]?.images.map(({ uid }) => uid)).toEqual(before[0]?.series[0]?.images.map(({ uid }) => uid));
    expect(await entriesOf(patientId, 'patient.deleted', 'patient.restored')).toEqual([
      { action: 'patient.deleted', account_id: admin(), object_id: null },
      { action: 'patient.restored', account_id: admin(), object_id: null },
    ]);
  });

  test('is told of, with the viewsets that somebody may be looking at, each at a version of its own', async () => {
    await archive.importAll(patientId, files(1));
    const [study] = await studiesOf(patientId);
    const made = await archive.post('/resource/viewset/', {
      ...{ patientUID: patientId, currentStudyUID: study?.uid, currentViewsetUID: null },
      viewSetItems: [{ xPos: 0, yPos: 0, width: 100, height: 100, teeth: [11] }],
    });
    const { viewSetUuid, version } = await made.json();
    await archive.archive.thumbnails.idle();
    const since = archive.news.length;
    await remove('patient', patientId);
    await restore('patient', patientId);
    const groups = [`clinic:${archive.clinics.customerId}`, `user:${admin()}`];
    const of = (added: number) => [
      { groups, event: { name: 'PatientChanged', body: { patientId } } },
      {
        groups,
        event: { name: 'ViewsetChanged', body: { patientId, viewsetId: viewSetUuid, version: version + added } },
      },
    ];
    expect(archive.news.slice(since)).toEqual([...of(1), ...of(2)]);
  });

  test('cannot be deleted again; restoring who is there changes nothing and leaves no entry', async () => {
    expect((await restore('patient', patientId)).status).toBe(200);
    await remove('patient', patientId);
    expect(await told(await remove('patient', patientId))).toEqual([404, 'not-found']);
    expect(await told(await remove('patient', randomUUID()))).toEqual([404, 'not-found']);
    expect(await told(await restore('patient', randomUUID()))).toEqual([404, 'not-found']);
    expect((await entriesOf(patientId, 'patient.deleted', 'patient.restored')).map(({ action }) => action)).toEqual([
      'patient.deleted',
    ]);
  });

  test('deleted twice at once is deleted once, by one of the two', async () => {
    const replies = await Promise.all([
      remove('patient', patientId),
      remove('patient', patientId, archive.clinics.superId),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    const entries = await entriesOf(patientId, 'patient.deleted');
    expect(entries).toHaveLength(1);
    const row = await archive.db
      .selectFrom('patient')
      .select('deleted_by')
      .where('id', '=', patientId)
      .executeTakeFirst();
    expect(row?.deleted_by).toBe(entries[0]?.account_id);
  });

  test('gives their personal number free, and does not take it from who has it by now', async () => {
    const taken = number;
    await remove('patient', patientId);
    const other = await archive.addPatient({ customerId: archive.clinics.customerId, personalNumber: taken });
    const refused = await restore('patient', patientId);
    expect([refused.status, await refused.json()]).toEqual([
      409,
      { code: 'personal-number-taken', errors: [{ fieldKey: 'personalNumber' }] },
    ]);
    expect((await archive.call(`/resource/patient/${patientId}`)).status).toBe(404);
    expect(await entriesOf(patientId, 'patient.restored')).toEqual([]);
    await remove('patient', other);
    expect((await restore('patient', patientId)).status).toBe(200);
    expect(await told(await restore('patient', other))).toEqual([409, 'personal-number-taken']);
  });

  test('with the same number, two are restored at once: one of them is', async () => {
    const taken = number;
    await remove('patient', patientId);
    const other = await archive.addPatient({ customerId: archive.clinics.customerId, personalNumber: taken });
    await remove('patient', other);
    const replies = await Promise.all([restore('patient', patientId), restore('patient', other)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('of another clinic is not found', async () => {
    const other = await newPatient({ customerId: archive.clinics.otherCustomerId });
    expect(await told(await remove('patient', other))).toEqual([404, 'not-found']);
    expect((await remove('patient', other, archive.clinics.superId)).status).toBe(200);
    expect(await told(await restore('patient', other))).toEqual([404, 'not-found']);
    const body = { customerId: archive.clinics.otherCustomerId };
    for (const what of ['patient', 'study'])
      expect(await told(await archive.post(`/resource/${what}/search/deleted`, body, admin()))).toEqual([
        404,
        'not-found',
      ]);
  });

  test('gets no files of an import that was under way; they come in when it is tried again after the return', async () => {
    const id = (await archive.parse(await archive.begin(patientId, files(3)))).id;
    await archive.db
      .updateTable('import_task')
      .set({ lease_owner: 'somebody else', lease_until: new Date(Date.now() + 3_600_000) })
      .where('id', '=', id)
      .execute();
    await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
    await remove('patient', patientId);
    await archive.db
      .updateTable('import_task')
      .set({ lease_owner: null, lease_until: null })
      .where('id', '=', id)
      .execute();
    const failed = async () =>
      (await archive.db.selectFrom('import_task').select('error').where('id', '=', id).executeTakeFirstOrThrow()).error;
    await expect.poll(failed, { timeout: 20_000 }).toBe(true);
    await restore('patient', patientId);
    expect(await studiesOf(patientId)).toEqual([]);
    expect((await archive.post('/resource/ImageImport/retry', { id })).status).toBe(200);
    await archive.reached(id, 3);
    await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
    const done = await archive.reached(id, 5);
    expect(done.files.map(({ status }) => status)).toEqual(['imported', 'imported', 'imported']);
  });
});

describe('who may', () => {
  const without = async (id: string, permissions: readonly string[], work: () => Promise<void>) => {
    const before = archive.principals.get(id);
    if (!before) throw new Error('nobody');
    archive.principals.set(id, { ...before, permissions });
    await work().finally(() => archive.principals.set(id, before));
  };

  test('a doctor may not, and is told which right is missing', async () => {
    const { doctorId } = archive.clinics;
    const body = { customerId: archive.clinics.customerId };
    const replies = [
      await remove('patient', patientId, doctorId),
      await restore('patient', patientId, doctorId),
      await archive.post('/resource/patient/search/deleted', body, doctorId),
      await archive.post('/resource/study/search/deleted', body, doctorId),
    ];
    for (const reply of replies)
      expect([reply.status, await reply.json()]).toEqual([403, { code: 'no-right', claims: ['feature.recycle_bin'] }]);
  });

  test('who may not delete studies may not delete all of them with their patient', async () => {
    const permissions = [...(archive.principals.get(admin())?.permissions ?? []), 'disable.delete_study'];
    await without(admin(), permissions, async () => {
      for (const reply of [await remove('patient', patientId), await restore('patient', patientId)])
        expect([reply.status, await reply.json()]).toEqual([
          403,
          { code: 'no-right', claims: ['disable.delete_study'] },
        ]);
    });
    expect((await archive.call(`/resource/patient/${patientId}`)).status).toBe(200);
  });

  test('a doctor takes back the study that they deleted themselves, and nobody else’s', async () => {
    const { doctorId } = archive.clinics;
    await archive.importAll(patientId, files(1));
    const [study] = await studiesOf(patientId);
    const id = study?.id ?? '';
    await remove('study', id, doctorId);
    expect((await restore('study', id, doctorId)).status).toBe(200);
    await remove('study', id);
    const refused = await restore('study', id, doctorId);
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { code: 'no-right', claims: ['feature.recycle_bin'] },
    ]);
    expect(await studiesOf(patientId)).toEqual([]);
    expect((await restore('study', id)).status).toBe(200);
    // It is there: nothing to take back, and nothing to refuse.
    expect((await restore('study', id, doctorId)).status).toBe(200);
    expect(await studiesOf(patientId)).toHaveLength(1);
  });
});
