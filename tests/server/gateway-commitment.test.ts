import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { commitmentJson } from '../../server/dicom-gateway/commitment/commitment-json.ts';
import {
  type ReportOptions,
  type ReportOutcome,
  startCommitmentReports,
} from '../../server/dicom-gateway/commitment/commitment-reports.ts';
import { encodeIdentifier } from '../../server/dicom-gateway/encode-identifier.ts';
import { storageCommitment, storageCommitmentInstance } from '../../server/dimse/message/commitment.ts';
import { commandFields, statuses } from '../../server/dimse/message/message.ts';
import { createRequests } from '../../server/dimse/user/requests.ts';
import { freePort } from '../free-port.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import {
  answerReport,
  ask,
  askWith,
  openForCommitment,
  referenceTo,
  reportedDevice,
  storeFile,
} from './commitment-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { quickLimits } from './dimse/peers.ts';
import { type GatewayUnderTest, gatewayTitle, gatewayUnderTest, moveToClinic } from './gateway-under-test.ts';
import { deviceOf, quickTimes } from './receiving.ts';

let archive: ArchiveUnderTest;
let gateway: GatewayUnderTest;
let web: ReturnType<typeof dicomWebOf>;
let close: () => Promise<void>;
const outcomes: ReportOutcome[] = [];
const [own, other] = ['2.25.401', '2.25.402'];
const transaction = '2.25.4711';
const patient = { PatientID: '19800101-1234', PatientName: 'Lindström^Åsa', PatientBirthDate: '19800101' };

const startReports = (more: Partial<ReportOptions> = {}) => {
  const reports = startCommitmentReports({
    db: archive.db,
    aeTitle: gatewayTitle,
    tls: {},
    onOutcome: (outcome) => outcomes.push(outcome),
    onFailure: (error) => gateway.failures.push(error),
    retrySeconds: [0.1],
    limits: quickLimits,
    ...more,
  });
  close = reports.close;
};

beforeAll(async () => {
  archive = await archiveUnderTest({ receivingTimes: quickTimes });
  gateway = await gatewayUnderTest(archive);
  web = dicomWebOf(archive);
  await web.addPatient({}, [objectAt(own), objectAt(own, {}, 2)]);
  const otherId = await web.addPatient({}, [objectAt(other)]);
  await moveToClinic(archive.db, otherId, archive.clinics.otherCustomerId);
  await archive.addPatient();
});
beforeEach(async () => {
  await archive.db.deleteFrom('commitment_request').execute();
  await archive.db.deleteFrom('dicom_device').execute();
  outcomes.length = 0;
  gateway.failures.length = 0;
  startReports();
});
afterEach(async () => {
  await close();
  expect(gateway.failures).toEqual([]);
});
afterAll(async () => {
  await gateway?.close();
  await archive?.close();
});

const device = async (...options: Parameters<typeof reportedDevice>) => {
  const peer = await reportedDevice(...options);
  onTestFinished(() => peer.close());
  return peer;
};
const addUnit = (port: number | null, more: object = {}) =>
  gateway.addDevice({ aeTitle: 'UNIT', name: 'Panorama', canRetrieve: false, canStore: true, port, ...more });
const waiting = () => archive.db.selectFrom('commitment_request').selectAll().execute();
const image = (number: number, root = own) => referenceTo(`${root}.1.1.${number}`);
const askFor = async (objects: Parameters<typeof ask>[2], uid = transaction) => {
  const association = await openForCommitment(gateway);
  const status = await ask(association, uid, objects);
  await association.release();
  return status;
};
const report = (more: object) => ({ event: 1, instance: storageCommitmentInstance, transaction, failed: [], ...more });

describe('storage commitment for devices', () => {
  it('reports on a new association, as its provider, that all images are in the archive', async () => {
    const peer = await device();
    await addUnit(peer.port);
    expect(await askFor([image(1), image(2)])).toBe(statuses.success);
    await expect.poll(() => peer.reports).toEqual([report({ committed: [`${own}.1.1.1`, `${own}.1.1.2`] })]);
    expect(peer.roles).toEqual([[{ sopClassUid: storageCommitment, isUser: false, isProvider: true }]]);
    await expect.poll(waiting).toEqual([]);
    expect(outcomes).toMatchObject([{ result: 'reported', committed: 2, failed: 0 }]);
  });

  it('names what it has not: an unknown object, one of another clinic, another class, a deleted and a damaged one', async () => {
    const peer = await device();
    await addUnit(peer.port);
    const root = '2.25.403';
    await web.addPatient(
      {},
      [1, 2].map((number) => objectAt(root, {}, number)),
    );
    const rows = await archive.db
      .selectFrom('image')
      .select(['id', 'sha256'])
      .where('sop_instance_uid', 'like', `${root}%`)
      .orderBy('sop_instance_uid')
      .execute();
    await archive.db
      .updateTable('image')
      .set({ deleted_at: new Date() })
      .where('id', '=', rows[0]?.id ?? '')
      .execute();
    await archive.db
      .insertInto('stored_file_fault')
      .values({ sha256: rows[1]?.sha256 ?? '', kind: 'damaged', since: new Date() })
      .execute();
    const objects = [
      image(1),
      image(7),
      image(1, other),
      referenceTo(`${own}.1.1.2`, '1.2.3'),
      image(1, root),
      image(2, root),
    ];
    expect(await askFor(objects)).toBe(statuses.success);
    await expect
      .poll(() => peer.reports)
      .toEqual([
        report({
          event: 2,
          committed: [`${own}.1.1.1`],
          failed: [
            [`${own}.1.1.7`, 0x0112],
            [`${other}.1.1.1`, 0x0112],
            [`${own}.1.1.2`, 0x0119],
            [`${root}.1.1.1`, 0x0112],
            [`${root}.1.1.2`, 0x0110],
          ],
        }),
      ]);
  });

  it('reports an object that a device sends when a user has imported it, and not before', async () => {
    const peer = await device();
    const deviceId = await addUnit(peer.port);
    const [taken, discarded] = ['2.25.404', '2.25.405'];
    const association = await openForCommitment(gateway);
    expect(await storeFile(association, objectAt(taken, patient))).toBe(0);
    expect(await storeFile(association, objectAt(discarded, patient))).toBe(0);
    expect(await ask(association, transaction, [image(1, taken), image(1, discarded)])).toBe(0);
    await association.release();
    const tasks = () =>
      archive.db
        .selectFrom('import_task')
        .selectAll()
        .where('source_id', '=', deviceId)
        .orderBy('source_study')
        .execute();
    const [first, second] = await tasks();
    const [firstId, secondId] = [first?.id ?? '', second?.id ?? ''];
    for (const id of [firstId, secondId]) await deviceOf(archive).judged(id);
    const listed = await archive.call(`/resource/ImageImport/${firstId}`);
    const { studies } = await listed.json();
    expect(studies).toHaveLength(1);
    expect(
      (await archive.post('/resource/ImageImport/dicom/import', { id: firstId, mismatchConfirmed: true })).status,
    ).toBe(200);
    await expect.poll(async () => (await tasks())[0]?.step, { timeout: 20_000 }).toBe(5);
    // The other object may still be discarded.
    expect(await waiting()).toMatchObject([{ tries: 0 }]);
    expect(peer.attempts()).toBe(0);
    expect((await archive.post('/resource/ImageImport/cancel', { id: secondId })).status).toBe(200);
    await expect
      .poll(() => peer.reports, { timeout: 20_000 })
      .toEqual([report({ event: 2, committed: [`${taken}.1.1.1`], failed: [[`${discarded}.1.1.1`, 0x0112]] })]);
  });

  it('does not commit to other bytes under the UID of an image', async () => {
    const peer = await device();
    await addUnit(peer.port, { atOnce: true });
    const association = await openForCommitment(gateway);
    await storeFile(association, objectAt(own, { ...patient, StudyDescription: 'Other' }));
    expect(await ask(association, transaction, [image(1)])).toBe(0);
    await association.release();
    await expect
      .poll(() => peer.reports, { timeout: 20_000 })
      .toEqual([report({ event: 2, committed: [], failed: [[`${own}.1.1.1`, 0x0110]] })]);
  });

  it('ends the wait for users after some days', async () => {
    await close();
    startReports({ times: { waitSeconds: 0, giveUpSeconds: 1_000, sameAssociationSeconds: 0 } });
    const peer = await device();
    await addUnit(peer.port);
    const association = await openForCommitment(gateway);
    await storeFile(association, objectAt('2.25.406', patient));
    expect(await ask(association, transaction, [image(1, '2.25.406')])).toBe(0);
    await association.release();
    await expect
      .poll(() => peer.reports)
      .toEqual([report({ event: 2, committed: [], failed: [['2.25.406.1.1.1', 0x0110]] })]);
  });

  it('tries again while a device is off, or answers with an error, and gives up in the end', async () => {
    const port = await freePort();
    await addUnit(port);
    expect(await askFor([image(1)])).toBe(0);
    await expect.poll(() => outcomes.length).toBeGreaterThan(1);
    expect(outcomes).toContainEqual({ deviceId: expect.any(String), result: 'failed', committed: 1, failed: 0 });
    const peer = await device((attempt) => (attempt < 3 ? statuses.processingFailure : 0), port);
    await expect.poll(() => peer.reports, { timeout: 10_000 }).toHaveLength(1);
    expect(peer.attempts()).toBe(3);
    await peer.close();
    await close();
    startReports({ times: { waitSeconds: 0, giveUpSeconds: 0.5, sameAssociationSeconds: 0 } });
    expect(await askFor([image(1)])).toBe(0);
    await expect.poll(() => outcomes.at(-1)?.result, { timeout: 10_000 }).toBe('given-up');
    expect(await waiting()).toEqual([]);
  });

  it('reports to a device without a port on the association of the request', async () => {
    await addUnit(null);
    const association = await openForCommitment(gateway);
    expect(await ask(association, transaction, [image(1)])).toBe(0);
    const message = await association.receive();
    expect(message?.command.commandField).toBe(commandFields.eventReportRequest);
    if (message) expect(await answerReport(association, message)).toEqual(report({ committed: [`${own}.1.1.1`] }));
    // The association still serves.
    expect(await storeFile(association, objectAt('2.25.407', patient))).toBe(0);
    await association.release();
    await expect.poll(waiting).toEqual([]);
    expect(outcomes).toEqual([]);
  });

  it('says that a report went nowhere when such a device has released the association', async () => {
    await addUnit(null);
    const association = await openForCommitment(gateway);
    await storeFile(association, objectAt('2.25.408', patient));
    expect(await ask(association, transaction, [image(1, '2.25.408')])).toBe(0);
    await association.release();
    await expect.poll(() => outcomes).toMatchObject([{ result: 'no-port' }]);
    expect(await waiting()).toEqual([]);
  });

  it('records a request that is repeated once, and refuses other objects under its transaction', async () => {
    await close();
    await addUnit(await freePort());
    expect(await askFor([image(1)])).toBe(0);
    expect(await askFor([image(1)])).toBe(0);
    expect(await askFor([image(2)])).toBe(statuses.invalidArgumentValue);
    expect(await waiting()).toHaveLength(1);
  });

  it('refuses malformed requests with the statuses of the standard', async () => {
    await close();
    await addUnit(await freePort());
    const association = await openForCommitment(gateway);
    const sound = encodeIdentifier(commitmentJson(transaction, [image(1)]), true);
    const statusOf = async (more: object, identifier = sound) => (await askWith(association, more, identifier))?.status;
    expect(await statusOf({ requestedSopClassUid: '1.2.3' })).toBe(statuses.noSuchSopClass);
    expect(await statusOf({ requestedSopInstanceUid: '1.2.3' })).toBe(statuses.noSuchSopInstance);
    expect(await statusOf({ actionTypeId: 2 })).toBe(statuses.noSuchActionType);
    expect(await statusOf({}, encodeIdentifier(commitmentJson('', [image(1)]), true))).toBe(0x0115);
    expect(await statusOf({}, encodeIdentifier(commitmentJson(transaction, []), true))).toBe(0x0115);
    expect(await statusOf({}, encodeIdentifier(commitmentJson(transaction, [referenceTo('')]), true))).toBe(0x0115);
    expect(await statusOf({}, sound.subarray(0, -3))).toBe(0x0115);
    expect(await statusOf({}, Buffer.alloc(5 << 20))).toBe(0x0213);
    const many = Array.from({ length: 10_001 }, (_, index) => image(index));
    expect(await statusOf({}, encodeIdentifier(commitmentJson(transaction, many), true))).toBe(0x0213);
    expect(await waiting()).toEqual([]);
    expect(await ask(association, transaction, many.slice(1))).toBe(0);
    await association.release();
  });

  it('bounds the requests of a device that wait', async () => {
    await close();
    const deviceId = await addUnit(await freePort());
    await archive.db
      .insertInto('commitment_request')
      .values(
        Array.from({ length: 1_000 }, (_, index) => ({
          id: crypto.randomUUID(),
          customer_id: archive.clinics.customerId,
          device_id: deviceId,
          transaction_uid: `2.25.${index}`,
          objects: '[]',
        })),
      )
      .execute();
    expect(await askFor([image(1)])).toBe(statuses.resourceLimitation);
  });

  it('is only for devices that may send images', async () => {
    await addUnit(null, { canStore: false, canRetrieve: true });
    const association = await openForCommitment(gateway);
    expect([...association.contexts]).toEqual([]);
    await expect(createRequests(association).echo(storageCommitment)).rejects.toThrow();
    await association.release();
  });

  it('ends with the device', async () => {
    const deviceId = await addUnit(await freePort());
    await archive.db.updateTable('dicom_device').set({ removed_at: new Date() }).where('id', '=', deviceId).execute();
    await archive.db
      .insertInto('commitment_request')
      .values({
        id: crypto.randomUUID(),
        customer_id: archive.clinics.customerId,
        device_id: deviceId,
        transaction_uid: transaction,
        objects: '[]',
      })
      .execute();
    await expect.poll(() => outcomes).toEqual([{ deviceId, result: 'removed' }]);
  });
});
