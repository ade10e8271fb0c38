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
    method,
    as,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
const admin = () => archive.clinics.adminId;
const remove = (what: 'patient' | 'study', id: string, as = admin()) =>
  send('DELETE', `/resource/${what}/delete/${id}`, as);
const restore = (what: 'patient' | 'study', id: string, as = admin()) =>
  send('PUT', `/resource/${what}/restore/${id}`, as);
const statusAndCode = async (reply: Response) => [reply.status, problem.parse(await reply.json()).code];
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
        StudyInstanceUID: study,
        SeriesInstanceUID: `${study}.1`,
        SOPInstanceUID: `${study}.1.${index}`,
        StudyDescription: description,
        InstanceNumber: index + 1,
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
  test('is inaccessible with all records for every user, and is restored unchanged', async () => {
    const own = number;
    await archive.importAll(patientId, files(2));
    await archive.archive.thumbnails.idle();
    const [study] = await studiesOf(patientId);
    const image = study?.series[0]?.images[0];
    if (!study || !image?.activeImageThumbLink) throw new Error('nothing was imported');
    const made = await archive.post('/resource/viewset/', {
      patientUID: patientId,
      currentStudyUID: study.uid,
      currentViewsetUID: null,
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

    // Each request succeeds while the patient exists; otherwise the 404s below would prove nothing.
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

  test('is published with the affected viewsets, each with its own version', async () => {
    await archive.importAll(patientId, files(1));
    const [study] = await studiesOf(patientId);
    const made = await archive.post('/resource/viewset/', {
      patientUID: patientId,
      currentStudyUID: study?.uid,
      currentViewsetUID: null,
      viewSetItems: [{ xPos: 0, yPos: 0, width: 100, height: 100, teeth: [11] }],
    });
    const { viewSetUuid, version } = await made.json();
    await archive.archive.thumbnails.idle();
    const since = archive.events.length;
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
    expect(archive.events.slice(since)).toEqual([...of(1), ...of(2)]);
  });

  test('cannot be deleted again; restoring a patient who is not deleted changes nothing and logs nothing', async () => {
    expect((await restore('patient', patientId)).status).toBe(200);
    await remove('patient', patientId);
    expect(await statusAndCode(await remove('patient', patientId))).toEqual([404, 'not-found']);
    expect(await statusAndCode(await remove('patient', randomUUID()))).toEqual([404, 'not-found']);
    expect(await statusAndCode(await restore('patient', randomUUID()))).toEqual([404, 'not-found']);
    expect((await entriesOf(patientId, 'patient.deleted', 'patient.restored')).map(({ action }) => action)).toEqual([
      'patient.deleted',
    ]);
  });

  test('deleted twice concurrently is deleted by one of the calls', async () => {
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

  test('frees their personal number, and cannot take it back from its new owner', async () => {
    const taken = number;
    await remove('patient', patientId);
    const other = await archive.addPatient({ customerId: archive.clinics.customerId, personalNumber: taken });
    const rejected = await restore('patient', patientId);
    expect([rejected.status, await rejected.json()]).toEqual([
      409,
      { code: 'personal-number-taken', errors: [{ fieldKey: 'personalNumber' }] },
    ]);
    expect((await archive.call(`/resource/patient/${patientId}`)).status).toBe(404);
    expect(await entriesOf(patientId, 'patient.restored')).toEqual([]);
    await remove('patient', other);
    expect((await restore('patient', patientId)).status).toBe(200);
    expect(await statusAndCode(await restore('patient', other))).toEqual([409, 'personal-number-taken']);
  });

  test('with the same number as another: only one of two concurrent restores succeeds', async () => {
    const taken = number;
    await remove('patient', patientId);
    const other = await archive.addPatient({ customerId: archive.clinics.customerId, personalNumber: taken });
    await remove('patient', other);
    const replies = await Promise.all([restore('patient', patientId), restore('patient', other)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('of another clinic returns 404', async () => {
    const other = await newPatient({ customerId: archive.clinics.otherCustomerId });
    expect(await statusAndCode(await remove('patient', other))).toEqual([404, 'not-found']);
    expect((await remove('patient', other, archive.clinics.superId)).status).toBe(200);
    expect(await statusAndCode(await restore('patient', other))).toEqual([404, 'not-found']);
    const body = { customerId: archive.clinics.otherCustomerId };
    for (const what of ['patient', 'study'])
      expect(await statusAndCode(await archive.post(`/resource/${what}/search/deleted`, body, admin()))).toEqual([
        404,
        'not-found',
      ]);
  });

  test('receives no files of an import in progress; a retry after the restore imports them', async () => {
    const id = (await archive.parse(await archive.begin(patientId, files(3)))).id;
    await archive.db
      .updateTable('import_task')
      .set({ lease_owner: 'another node', lease_until: new Date(Date.now() + 3_600_000) })
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
    await archive.waitForStep(id, 3);
    await archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
    const done = await archive.waitForStep(id, 5);
    expect(done.files.map(({ status }) => status)).toEqual(['imported', 'imported', 'imported']);
  });
});

describe('authorization', () => {
  const without = async (id: string, permissions: readonly string[], work: () => Promise<void>) => {
    const before = archive.principals.get(id);
    if (!before) throw new Error('no account');
    archive.principals.set(id, { ...before, permissions });
    await work().finally(() => archive.principals.set(id, before));
  };

  test('rejects a doctor, naming the missing right', async () => {
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

  test('rejects deleting a patient with studies without the right to delete studies', async () => {
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

  test('lets a doctor restore only studies that they deleted themselves', async () => {
    const { doctorId } = archive.clinics;
    await archive.importAll(patientId, files(1));
    const [study] = await studiesOf(patientId);
    const id = study?.id ?? '';
    await remove('study', id, doctorId);
    expect((await restore('study', id, doctorId)).status).toBe(200);
    await remove('study', id);
    const rejected = await restore('study', id, doctorId);
    expect([rejected.status, await rejected.json()]).toEqual([
      403,
      { code: 'no-right', claims: ['feature.recycle_bin'] },
    ]);
    expect(await studiesOf(patientId)).toEqual([]);
    expect((await restore('study', id)).status).toBe(200);
    // It is not deleted: nothing to restore and nothing to reject.
    expect((await restore('study', id, doctorId)).status).toBe(200);
    expect(await studiesOf(patientId)).toHaveLength(1);
  });
});
