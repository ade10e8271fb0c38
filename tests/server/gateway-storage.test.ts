import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { jsonOf } from '../../dicom/dicom-json.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { AssociationError } from '../../server/dimse/association/association-error.ts';
import { statuses } from '../../server/dimse/message/message.ts';
import { openAssociation } from '../../server/dimse/user/open-association.ts';
import { createRequests, NoContext } from '../../server/dimse/user/requests.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { objectAt } from './dicomweb-under-test.ts';
import { type GatewayUnderTest, gatewayTitle, gatewayUnderTest } from './gateway-under-test.ts';
import { deviceOf, quickTimes } from './receiving.ts';

let archive: ArchiveUnderTest;
let gateway: GatewayUnderTest;
let deviceId: string;
let number = 0;

const { explicitLittleEndian: explicit } = transferSyntaxes;
const xRay = '1.2.840.10008.5.1.4.1.1.1.1';
const patient = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa', PatientBirthDate: '19800101' };

beforeAll(async () => {
  archive = await archiveUnderTest({ receivingTimes: quickTimes });
  gateway = await gatewayUnderTest(archive);
  await archive.addPatient();
});
afterAll(async () => {
  await gateway?.close();
  await archive?.close();
});
beforeEach(async () => {
  await archive.db.deleteFrom('dicom_device').execute();
  gateway.failures.length = 0;
  number += 1;
  deviceId = await gateway.addDevice({ aeTitle: 'UNIT', name: 'Panorama', canRetrieve: false, canStore: true });
});

const root = () => `2.25.13${number}`;
const dataSetOf = (file: Uint8Array): Buffer => {
  const { dataSet } = readDicomFile(file);
  const [tag = 0] = dataSet.elements.keys();
  return Buffer.from(file.subarray((dataSet.elements.get(tag)?.offset ?? 0) - 8));
};
const open = (aeTitle = 'UNIT') =>
  openAssociation({ host: '127.0.0.1', port: gateway.port, aeTitle: gatewayTitle }, aeTitle, [
    { id: 1, abstractSyntax: xRay, transferSyntaxes: [explicit] },
  ]);
/** Sends files over one association; returns the responses. */
const send = async (files: readonly Uint8Array[], aeTitle = 'UNIT') => {
  const association = await open(aeTitle);
  const { store } = createRequests(association);
  const responses = [];
  for (const file of files) {
    const sopInstanceUid = readDicomFile(file).dataSet.code(0x00080018) ?? '';
    const dataSet = Readable.from([dataSetOf(file)]);
    responses.push(await store({ sopClassUid: xRay, sopInstanceUid, transferSyntaxUid: explicit, dataSet }));
  }
  await association.release();
  return responses;
};
const tasks = () =>
  archive.db.selectFrom('import_task').selectAll().where('source_id', '=', deviceId).orderBy('created_at').execute();
const imageOf = (uid: string) =>
  archive.db.selectFrom('image').selectAll().where('sop_instance_uid', '=', uid).executeTakeFirst();
const success = { status: statuses.success, errorComment: null };

describe('objects that a device sends', () => {
  it('are one import for each study, which waits for a user', async () => {
    const uid = root();
    const files = [objectAt(uid, patient), objectAt(uid, patient, 2), objectAt(`${uid}.9`, patient)];
    expect(await send(files)).toEqual([success, success, success]);
    const made = await tasks();
    expect(made.map(({ source_study }) => source_study).sort()).toEqual([`${uid}.1`, `${uid}.9.1`].sort());
    expect(made).toMatchObject([
      {
        customer_id: archive.clinics.customerId,
        source: 'dicom',
        source_name: 'Panorama',
        account_id: null,
        at_once: false,
      },
      { source: 'dicom' },
    ]);
    const device = deviceOf(archive);
    for (const { id } of made) expect(await device.judged(id)).toMatchObject({ step: 3, error: false });
    expect((await device.waiting()).map(({ id }) => id)).toEqual(expect.arrayContaining(made.map(({ id }) => id)));
    expect(await imageOf(`${uid}.1.1.1`)).toBeUndefined();
  });

  it('are imported at once where they are those of exactly one patient, byte for byte', async () => {
    await archive.db.updateTable('dicom_device').set({ at_once: true }).where('id', '=', deviceId).execute();
    const uid = root();
    const file = objectAt(uid, patient);
    expect(await send([file])).toEqual([success]);
    await expect
      .poll(() => imageOf(`${uid}.1.1.1`), { timeout: 20_000 })
      .toMatchObject({ customer_id: archive.clinics.customerId });
    const image = await imageOf(`${uid}.1.1.1`);
    const stored = Buffer.concat(await (await archive.archive.files.openVerified(image?.sha256 ?? '')).toArray());
    expect(stored.subarray(-dataSetOf(file).length).equals(dataSetOf(file))).toBe(true);
    // Sent again, also in a file with other meta information, it is known.
    expect(await send([file])).toEqual([success]);
    await gateway.addDevice({ aeTitle: 'SECOND', canStore: true });
    expect(await send([file], 'SECOND')).toEqual([success]);
    // Another object under its UID is accepted, never replaces it, and is a refused file of an import.
    const other = objectAt(uid, { ...patient, StudyDescription: 'Other' });
    expect(await send([other])).toEqual([success]);
    await expect
      .poll(() =>
        archive.db
          .selectFrom('import_file')
          .innerJoin('import_task', 'import_task.id', 'import_file.task_id')
          .select('problem')
          .where('source_id', '=', deviceId)
          .where('problem', 'is not', null)
          .execute(),
      )
      .toEqual([{ problem: 'same-uid-other-bytes' }]);
    expect(await imageOf(`${uid}.1.1.1`)).toMatchObject({ sha256: image?.sha256 });
    expect(gateway.failures).toEqual([]);
    expect(jsonOf(readDicomFile(stored).dataSet, () => null)['00081030']).toEqual({ vr: 'LO', Value: ['Check-up'] });
  });

  it('are accepted whatever patient they name', async () => {
    const uid = root();
    const strange = { PatientID: 'TEST', PatientName: 'Unknown', PatientBirthDate: '' };
    expect(await send([objectAt(uid, strange)])).toEqual([success]);
    const [task] = await tasks();
    expect(await deviceOf(archive).judged(task?.id ?? '')).toMatchObject({ step: 3, error: false });
  });

  it('are of the clinic of the device, and the log names it', async () => {
    const { otherCustomerId } = archive.clinics;
    const id = await gateway.addDevice({ aeTitle: 'THEIRS', customerId: otherCustomerId, canStore: true });
    await send([objectAt(root(), patient)], 'THEIRS');
    const made = await archive.db.selectFrom('import_task').selectAll().where('source_id', '=', id).execute();
    expect(made.map(({ customer_id }) => customer_id)).toEqual([otherCustomerId]);
    const entries = await archive.db
      .selectFrom('access_log')
      .selectAll()
      .where('account_id', '=', id)
      .orderBy('id')
      .execute();
    expect(entries.map(({ action, customer_id }) => [action, customer_id])).toEqual([
      ['dicom-device.connected', otherCustomerId],
      ['import.begun', otherCustomerId],
    ]);
  });

  it('are not accepted without the right, and not any more once the clinic is deleted', async () => {
    await gateway.addDevice({ aeTitle: 'READER' });
    await expect(send([objectAt(root(), patient)], 'READER')).rejects.toThrow(NoContext);
    const association = await open();
    const close = (deleted_at: Date | null) =>
      archive.db.updateTable('customer').set({ deleted_at }).where('id', '=', archive.clinics.customerId).execute();
    await close(new Date());
    const file = objectAt(root(), patient);
    const object = { sopClassUid: xRay, sopInstanceUid: `${root()}.1.1.1`, transferSyntaxUid: explicit };
    const answer = createRequests(association).store({ ...object, dataSet: Readable.from([dataSetOf(file)]) });
    await expect(answer).rejects.toThrow(AssociationError);
    await close(null);
    expect(await tasks()).toEqual([]);
  });

  it('that are too long are refused, and the association goes on', async () => {
    const association = await open();
    const { store } = createRequests(association);
    const uid = root();
    const long = objectAt(uid, { ...patient, Rows: 2400, Columns: 2400, PixelData: new Uint16Array(2400 * 2400) });
    const object = { sopClassUid: xRay, transferSyntaxUid: explicit };
    const sent = (bytes: Uint8Array, sop: number) =>
      store({ ...object, sopInstanceUid: `${uid}.1.1.${sop}`, dataSet: Readable.from([dataSetOf(bytes)]) });
    expect(await sent(long, 1)).toMatchObject({ status: statuses.outOfResources });
    expect(await sent(objectAt(uid, patient, 2), 2)).toEqual(success);
    await association.release();
  });

  it('wait no longer than a moment when the device aborts', async () => {
    const association = await open();
    const uid = root();
    const object = { sopClassUid: xRay, sopInstanceUid: `${uid}.1.1.1`, transferSyntaxUid: explicit };
    await createRequests(association).store({ ...object, dataSet: Readable.from([dataSetOf(objectAt(uid, patient))]) });
    association.abort();
    const [task] = await tasks();
    expect(await deviceOf(archive).judged(task?.id ?? '')).toMatchObject({ step: 3 });
  });
});
