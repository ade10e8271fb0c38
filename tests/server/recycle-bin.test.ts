import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ImportTask } from '../../contract/imports.ts';
import { recycleBinUnderTest, statusAndCode } from './recycle-bin-under-test.ts';

const bench = recycleBinUnderTest();
const { send, admin, remove, restore, studiesOf, newPatient, files, entriesOf } = bench;

describe('a deleted patient', () => {
  test('is inaccessible with all records for every user, and is restored unchanged', async () => {
    const own = bench.number;
    await bench.archive.importAll(bench.patientId, files(2));
    await bench.archive.archive.thumbnails.idle();
    const [study] = await studiesOf(bench.patientId);
    const image = study?.series[0]?.images[0];
    if (!study || !image?.activeImageThumbLink) throw new Error('nothing was imported');
    const made = await bench.archive.post('/resource/viewset/', {
      patientUID: bench.patientId,
      currentStudyUID: study.uid,
      currentViewsetUID: null,
      viewSetItems: [{ xPos: 0, yPos: 0, width: 100, height: 100, teeth: [11] }],
    });
    const viewset = await made.json();
    const open = await bench.archive.parse(await bench.archive.begin(bench.patientId, files(1)));
    const fileLink = open.files[0]?.thumbLink ?? '';
    const before = await studiesOf(bench.patientId);

    const reads: readonly [string, string][] = [
      ['GET', `/resource/patient/${bench.patientId}`],
      ['GET', `/resource/study/bypatient/${bench.patientId}`],
      ['GET', `/resource/viewset/${viewset.viewSetUuid}`],
      ['GET', `/resource/viewset/get_image?imageUID=${image.uid}`],
      ['GET', `/resource/image/rendition?imageUID=${image.uid}`],
      ['GET', image.activeImageThumbLink],
      ['GET', `/resource/ImageImport/${open.id}`],
      ['GET', `/resource/ImageImport?patientId=${bench.patientId}`],
      ['GET', fileLink],
    ];
    const writes: readonly [string, string, unknown?][] = [
      ['DELETE', `/resource/patient/delete/${bench.patientId}`],
      ['DELETE', `/resource/study/delete/${study.id}`],
      ['PUT', `/resource/study/restore/${study.id}`],
      ['DELETE', `/resource/series/delete/${study.series[0]?.id}`],
      ['DELETE', `/resource/image/delete/${image.uid}`],
      ['POST', '/resource/ImageImport', { patientId: bench.patientId, totalFilesCount: 1 }],
      ['POST', '/resource/ImageImport/dicom/import', { id: open.id }],
      ['POST', '/resource/ImageImport/cancel', { id: open.id }],
      ['POST', '/resource/study/move_all', { patientFromId: bench.patientId, patientToId: await newPatient() }],
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

    expect((await remove('patient', bench.patientId)).status).toBe(200);
    for (const as of [admin(), bench.archive.clinics.doctorId, bench.archive.clinics.superId])
      expect(await statuses(reads, as)).toEqual(reads.map(() => 404));
    expect(await statuses(writes, bench.archive.clinics.superId)).toEqual(writes.map(() => 404));
    const found = await bench.archive.post('/resource/patient/search', {
      customerId: bench.archive.clinics.customerId,
      q: own,
    });
    expect((await found.json()).data).toEqual([]);
    const clinic = await bench.archive.call(`/resource/ImageImport?customerId=${bench.archive.clinics.customerId}`);
    expect(((await clinic.json()) as ImportTask[]).map(({ id }) => id)).not.toContain(open.id);

    expect((await restore('patient', bench.patientId)).status).toBe(200);
    expect(await statuses(reads, admin())).toEqual(reads.map(() => 200));
    const [after] = await studiesOf(bench.patientId);
    expect({ ...after, series: [], viewsets: before[0]?.viewsets }).toEqual({ ...before[0], series: [] });
    expect(after?.series[0]?.images.map(({ uid }) => uid)).toEqual(before[0]?.series[0]?.images.map(({ uid }) => uid));
    expect(await entriesOf(bench.patientId, 'patient.deleted', 'patient.restored')).toEqual([
      { action: 'patient.deleted', account_id: admin(), object_id: null },
      { action: 'patient.restored', account_id: admin(), object_id: null },
    ]);
  });

  test('is published with the affected viewsets, each with its own version', async () => {
    await bench.archive.importAll(bench.patientId, files(1));
    const [study] = await studiesOf(bench.patientId);
    const made = await bench.archive.post('/resource/viewset/', {
      patientUID: bench.patientId,
      currentStudyUID: study?.uid,
      currentViewsetUID: null,
      viewSetItems: [{ xPos: 0, yPos: 0, width: 100, height: 100, teeth: [11] }],
    });
    const { viewSetUuid, version } = await made.json();
    await bench.archive.archive.thumbnails.idle();
    const since = bench.archive.events.length;
    await remove('patient', bench.patientId);
    await restore('patient', bench.patientId);
    const groups = [`clinic:${bench.archive.clinics.customerId}`, `user:${admin()}`];
    const of = (added: number) => [
      { groups, event: { name: 'PatientChanged', body: { patientId: bench.patientId } } },
      {
        groups,
        event: {
          name: 'ViewsetChanged',
          body: { patientId: bench.patientId, viewsetId: viewSetUuid, version: version + added },
        },
      },
    ];
    expect(bench.archive.events.slice(since)).toEqual([...of(1), ...of(2)]);
  });

  test('cannot be deleted again; restoring a patient who is not deleted changes nothing and logs nothing', async () => {
    expect((await restore('patient', bench.patientId)).status).toBe(200);
    await remove('patient', bench.patientId);
    expect(await statusAndCode(await remove('patient', bench.patientId))).toEqual([404, 'not-found']);
    expect(await statusAndCode(await remove('patient', randomUUID()))).toEqual([404, 'not-found']);
    expect(await statusAndCode(await restore('patient', randomUUID()))).toEqual([404, 'not-found']);
    expect(
      (await entriesOf(bench.patientId, 'patient.deleted', 'patient.restored')).map(({ action }) => action),
    ).toEqual(['patient.deleted']);
  });

  test('deleted twice concurrently is deleted by one of the calls', async () => {
    const replies = await Promise.all([
      remove('patient', bench.patientId),
      remove('patient', bench.patientId, bench.archive.clinics.superId),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
    const entries = await entriesOf(bench.patientId, 'patient.deleted');
    expect(entries).toHaveLength(1);
    const row = await bench.archive.db
      .selectFrom('patient')
      .select('deleted_by')
      .where('id', '=', bench.patientId)
      .executeTakeFirst();
    expect(row?.deleted_by).toBe(entries[0]?.account_id);
  });

  test('frees their personal number, and cannot take it back from its new owner', async () => {
    const taken = bench.number;
    await remove('patient', bench.patientId);
    const other = await bench.archive.addPatient({
      customerId: bench.archive.clinics.customerId,
      personalNumber: taken,
    });
    const rejected = await restore('patient', bench.patientId);
    expect([rejected.status, await rejected.json()]).toMatchObject([
      409,
      { code: 'personal-number-taken', errors: [{ fieldKey: 'personalNumber' }] },
    ]);
    expect((await bench.archive.call(`/resource/patient/${bench.patientId}`)).status).toBe(404);
    expect(await entriesOf(bench.patientId, 'patient.restored')).toEqual([]);
    await remove('patient', other);
    expect((await restore('patient', bench.patientId)).status).toBe(200);
    expect(await statusAndCode(await restore('patient', other))).toEqual([409, 'personal-number-taken']);
  });

  test('with the same number as another: only one of two concurrent restores succeeds', async () => {
    const taken = bench.number;
    await remove('patient', bench.patientId);
    const other = await bench.archive.addPatient({
      customerId: bench.archive.clinics.customerId,
      personalNumber: taken,
    });
    await remove('patient', other);
    const replies = await Promise.all([restore('patient', bench.patientId), restore('patient', other)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('of another clinic returns 404', async () => {
    const other = await newPatient({ customerId: bench.archive.clinics.otherCustomerId });
    expect(await statusAndCode(await remove('patient', other))).toEqual([404, 'not-found']);
    expect((await remove('patient', other, bench.archive.clinics.superId)).status).toBe(200);
    expect(await statusAndCode(await restore('patient', other))).toEqual([404, 'not-found']);
    const body = { customerId: bench.archive.clinics.otherCustomerId };
    for (const what of ['patient', 'study'])
      expect(await statusAndCode(await bench.archive.post(`/resource/${what}/search/deleted`, body, admin()))).toEqual([
        404,
        'not-found',
      ]);
  });

  test('receives no files of an import in progress; a retry after the restore imports them', async () => {
    const id = (await bench.archive.parse(await bench.archive.begin(bench.patientId, files(3)))).id;
    await bench.archive.db
      .updateTable('import_task')
      .set({ lease_owner: 'another node', lease_until: new Date(Date.now() + 3_600_000) })
      .where('id', '=', id)
      .execute();
    await bench.archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
    await remove('patient', bench.patientId);
    await bench.archive.db
      .updateTable('import_task')
      .set({ lease_owner: null, lease_until: null })
      .where('id', '=', id)
      .execute();
    const failed = async () =>
      (await bench.archive.db.selectFrom('import_task').select('error').where('id', '=', id).executeTakeFirstOrThrow())
        .error;
    await expect.poll(failed).toBe(true);
    await restore('patient', bench.patientId);
    expect(await studiesOf(bench.patientId)).toEqual([]);
    expect((await bench.archive.post('/resource/ImageImport/retry', { id })).status).toBe(200);
    await bench.archive.waitForStep(id, 3);
    await bench.archive.post('/resource/ImageImport/dicom/import', { id, mismatchConfirmed: true });
    const done = await bench.archive.waitForStep(id, 5);
    expect(done.files.map(({ status }) => status)).toEqual(['imported', 'imported', 'imported']);
  });
});

describe('authorization', () => {
  const without = async (id: string, permissions: readonly string[], work: () => Promise<void>) => {
    const before = bench.archive.principals.get(id);
    if (!before) throw new Error('no account');
    bench.archive.principals.set(id, { ...before, permissions });
    await work().finally(() => bench.archive.principals.set(id, before));
  };

  test('rejects a doctor, naming the missing right', async () => {
    const { doctorId } = bench.archive.clinics;
    const body = { customerId: bench.archive.clinics.customerId };
    const replies = [
      await remove('patient', bench.patientId, doctorId),
      await restore('patient', bench.patientId, doctorId),
      await bench.archive.post('/resource/patient/search/deleted', body, doctorId),
      await bench.archive.post('/resource/study/search/deleted', body, doctorId),
    ];
    for (const reply of replies)
      expect([reply.status, await reply.json()]).toMatchObject([
        403,
        { code: 'no-right', claims: ['feature.recycle_bin'] },
      ]);
  });

  test('rejects deleting a patient with studies without the right to delete studies', async () => {
    const permissions = [...(bench.archive.principals.get(admin())?.permissions ?? []), 'disable.delete_study'];
    await without(admin(), permissions, async () => {
      for (const reply of [await remove('patient', bench.patientId), await restore('patient', bench.patientId)])
        expect([reply.status, await reply.json()]).toMatchObject([
          403,
          { code: 'no-right', claims: ['disable.delete_study'] },
        ]);
    });
    expect((await bench.archive.call(`/resource/patient/${bench.patientId}`)).status).toBe(200);
  });

  test('lets a doctor restore only studies that they deleted themselves', async () => {
    const { doctorId } = bench.archive.clinics;
    await bench.archive.importAll(bench.patientId, files(1));
    const [study] = await studiesOf(bench.patientId);
    const id = study?.id ?? '';
    await remove('study', id, doctorId);
    expect((await restore('study', id, doctorId)).status).toBe(200);
    await remove('study', id);
    const rejected = await restore('study', id, doctorId);
    expect([rejected.status, await rejected.json()]).toMatchObject([
      403,
      { code: 'no-right', claims: ['feature.recycle_bin'] },
    ]);
    expect(await studiesOf(bench.patientId)).toEqual([]);
    expect((await restore('study', id)).status).toBe(200);
    // It is not deleted: nothing to restore and nothing to reject.
    expect((await restore('study', id, doctorId)).status).toBe(200);
    expect(await studiesOf(bench.patientId)).toHaveLength(1);
  });
});
