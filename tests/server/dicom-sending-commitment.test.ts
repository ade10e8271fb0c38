import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { DicomSending } from '../../contract/dicom-sendings.ts';
import { updateDicomDevice } from '../../server/db/stores/dicom-devices.ts';
import { reportJson } from '../../server/dicom-gateway/commitment/commitment-json.ts';
import { encodeIdentifier } from '../../server/dicom-gateway/encode-identifier.ts';
import type { Association } from '../../server/dimse/association/association.ts';
import { usualLimits } from '../../server/dimse/association/link.ts';
import { commandFields, statuses } from '../../server/dimse/message/message.ts';
import { respond, type Services } from '../../server/dimse/provider/services.ts';
import { storeService } from '../../server/dimse/provider/store-service.ts';
import { acceptedSyntaxes } from '../../server/dimse/provider/supported-syntaxes.ts';
import { commitmentContexts, reportCommitment, reportingRole } from '../../server/dimse/user/commitment.ts';
import { openAssociation } from '../../server/dimse/user/open-association.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { openForCommitment, referenceTo, reportOf, storeFile } from './commitment-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { startArchive } from './dimse/peers.ts';
import { type GatewayUnderTest, gatewayTitle, gatewayUnderTest } from './gateway-under-test.ts';
import { type SendingUnderTest, sendingUnderTest } from './sending-under-test.ts';

let archive: ArchiveUnderTest;
let gateway: GatewayUnderTest;
let sending: SendingUnderTest;
let patientId: string;
const own = '2.25.421';
const uidOf = (number: number) => `${own}.1.1.${number}`;

beforeAll(async () => {
  archive = await archiveUnderTest();
  gateway = await gatewayUnderTest(archive);
  sending = sendingUnderTest(archive, { limits: usualLimits });
  patientId = await dicomWebOf(archive).addPatient({}, [objectAt(own), objectAt(own, {}, 2)]);
});
beforeEach(async () => {
  await archive.db.deleteFrom('dicom_sending').execute();
  await archive.db.deleteFrom('dicom_device').execute();
  sending.attempts.length = 0;
});
afterEach(() => {
  expect(gateway.failures).toEqual([]);
  expect(sending.failures).toEqual([]);
});
afterAll(async () => {
  await sending?.close();
  await gateway?.close();
  await archive?.close();
});

interface Request {
  readonly transaction: unknown;
  readonly objects: readonly unknown[];
}

const discard = async () => ({
  write: async () => undefined,
  commit: async () => undefined,
  discard: async () => undefined,
});

/** A device that stores, and takes requests for commitment. */
const device = async (
  status = 0,
  then: (association: Association, transaction: string) => Promise<void> = async () => undefined,
) => {
  const requests: Request[] = [];
  const services: Services = {
    [commandFields.storeRequest]: storeService(discard, () => undefined),
    [commandFields.actionRequest]: async (association, message) => {
      const parts: Buffer[] = [];
      for await (const part of message.dataSet ?? []) parts.push(part);
      const { transaction, committed: objects } = reportOf(Buffer.concat(parts), true);
      requests.push({ transaction, objects });
      await respond(association, message, status);
      await then(association, String(transaction));
    },
  };
  const syntaxesOf = acceptedSyntaxes({ canRetrieve: false, canStore: true, seesWorklist: false });
  const peer = await startArchive({ admit: async () => ({ syntaxesOf, services }) });
  return { ...peer, requests };
};

const json = (transaction: string, committed: readonly number[], failed: readonly number[]) =>
  reportJson(
    transaction,
    committed.map((number) => referenceTo(uidOf(number))),
    failed.map((number) => ({ ...referenceTo(uidOf(number)), reason: 0x0112 })),
  );
const report = (association: Association, ...facts: Parameters<typeof json>) =>
  reportCommitment(association, facts[2].length === 0 ? 1 : 2, (explicitVr) =>
    encodeIdentifier(json(...facts), explicitVr),
  );
/** Reports to the gateway on a new association. */
const reportAnew = async (...facts: Parameters<typeof json>) => {
  const node = { host: '127.0.0.1', port: gateway.port, aeTitle: gatewayTitle };
  const association = await openAssociation(node, 'PACS', commitmentContexts, usualLimits, [reportingRole]);
  const status = await report(association, ...facts);
  await association.release();
  return status;
};
const reaches = async (id: string, commitment: DicomSending['commitment']) => {
  await expect.poll(async () => (await sending.byId(id)).commitment, { timeout: 15_000 }).toBe(commitment);
  return sending.byId(id);
};
const send = async (port: number, asksCommitment = true) =>
  sending.send({ deviceId: await sending.addDevice({ port, asksCommitment }), patientId });

describe('a device that confirms what it has stored', () => {
  it('is asked after sending, and reports on a new association', async () => {
    const peer = await device();
    const id = await send(peer.port);
    expect(await reaches(id, 'waiting')).toMatchObject({ state: 'done', sent: 2, notSent: 0 });
    await expect.poll(() => peer.requests).toMatchObject([{ objects: [uidOf(1), uidOf(2)] }]);
    expect(await reportAnew(String(peer.requests[0]?.transaction), [1, 2], [])).toBe(0);
    expect(await reaches(id, 'confirmed')).toMatchObject({ state: 'done', failure: null, notConfirmed: 0 });
    expect(peer.requests).toHaveLength(1);
  });

  it('reports on the same association', async () => {
    const peer = await device(0, async (association, transaction) => {
      await report(association, transaction, [1], [2]);
    });
    const id = await send(peer.port);
    expect(await reaches(id, 'not-confirmed')).toMatchObject({ state: 'done', sent: 2, notConfirmed: 1 });
  });

  it('has not confirmed images that its report leaves out', async () => {
    const peer = await device();
    const id = await send(peer.port);
    await expect.poll(() => peer.requests.length).toBe(1);
    expect(await reportAnew(String(peer.requests[0]?.transaction), [1], [])).toBe(0);
    expect(await reaches(id, 'not-confirmed')).toMatchObject({ notConfirmed: 1 });
  });

  it('is refused for a transaction of which it was not asked', async () => {
    const peer = await device();
    const id = await send(peer.port);
    await expect.poll(() => peer.requests.length).toBe(1);
    expect(await reportAnew('2.25.1', [1, 2], [])).toBe(statuses.invalidArgumentValue);
    const transaction = String(peer.requests[0]?.transaction);
    await archive.db.updateTable('dicom_device').set({ ae_title: 'FIRST', address: '192.0.2.1' }).execute();
    await sending.addDevice({ port: null, asksCommitment: true });
    expect(await reportAnew(transaction, [1, 2], [])).toBe(statuses.invalidArgumentValue);
    expect((await sending.byId(id)).commitment).toBe('waiting');
  });

  it('may refuse to report, or not know the service', async () => {
    const peer = await device(statuses.processingFailure);
    expect(await reaches(await send(peer.port), 'refused')).toMatchObject({ state: 'done', sent: 2 });
    await archive.db.deleteFrom('dicom_sending').execute();
    await archive.db.deleteFrom('dicom_device').execute();
    const services = { [commandFields.storeRequest]: storeService(discard, () => undefined) };
    const plain = await startArchive({
      admit: async () => ({
        services,
        syntaxesOf: (uid) => (uid.startsWith('1.2.840.10008.5.1.4.1.1.') ? ['1.2.840.10008.1.2.1'] : null),
      }),
    });
    expect(await reaches(await send(plain.port), 'refused')).toMatchObject({ state: 'done', sent: 2 });
    expect(sending.attempts).toMatchObject([{ to: 'ask for commitment', failure: 'rejected' }]);
  });

  it('has given no answer after a day, until it does', async () => {
    const peer = await device();
    const id = await send(peer.port);
    await expect.poll(() => peer.requests.length).toBe(1);
    await archive.db
      .updateTable('dicom_sending')
      .set({ commitment_until: new Date(0) })
      .where('id', '=', id)
      .execute();
    expect((await sending.byId(id)).commitment).toBe('no-answer');
    expect(await reportAnew(String(peer.requests[0]?.transaction), [1, 2], [])).toBe(0);
    expect((await sending.byId(id)).commitment).toBe('confirmed');
  });

  it('is asked only where it is set so', async () => {
    const peer = await device();
    const id = await send(peer.port, false);
    expect(await sending.reaches(id, 'done')).toMatchObject({ commitment: null });
    expect(peer.requests).toEqual([]);
  });
});

describe('a user who may not send any more', () => {
  it('stops the sending, with the reason, and the attempt is reported', async () => {
    const role = await archive.db
      .selectFrom('account')
      .innerJoin('role', 'role.id', 'account.role_id')
      .select(['role.id', 'role.claims'])
      .where('account.id', '=', archive.clinics.doctorId)
      .executeTakeFirstOrThrow();
    const stored: string[] = [];
    const peer = await startArchive({}, async ({ sopInstanceUid }) => ({
      ...(await discard()),
      commit: async () => {
        stored.push(sopInstanceUid);
        await archive.db
          .updateTable('role')
          .set({ claims: [...role.claims, 'disable.open'] })
          .where('id', '=', role.id)
          .execute();
      },
    }));
    const deviceId = await sending.addDevice({ port: peer.port });
    const id = await sending.send({ deviceId, patientId });
    expect(await sending.reaches(id, 'failed')).toMatchObject({ failure: 'not-allowed', sent: 1, notSent: 0 });
    await archive.db.updateTable('role').set({ claims: role.claims }).where('id', '=', role.id).execute();
    expect(stored).toEqual([uidOf(1)]);
    expect(sending.attempts).toEqual([{ deviceId, to: 'send', failure: 'not-allowed' }]);
  });

  it('sends nothing when the account is disabled before the sending runs', async () => {
    const stored: string[] = [];
    const peer = await startArchive({}, async ({ sopInstanceUid }) => ({
      ...(await discard()),
      commit: async () => void stored.push(sopInstanceUid),
    }));
    const activate = (isActive: boolean) =>
      archive.db
        .updateTable('account')
        .set({ is_active: isActive })
        .where('id', '=', archive.clinics.doctorId)
        .execute();
    onTestFinished(async () => void (await activate(true)));
    await sending.stop();
    const deviceId = await sending.addDevice({ port: peer.port });
    const id = await sending.send({ deviceId, patientId });
    await activate(false);
    sending.restart();
    expect(await sending.reaches(id, 'failed')).toMatchObject({ failure: 'not-allowed', sent: 0 });
    expect(stored).toEqual([]);
  });
});

describe('a device that is changed', () => {
  it('is disconnected before its next request when its rights or title change', async () => {
    const deviceId = await gateway.addDevice({ aeTitle: 'UNIT', canStore: true, canRetrieve: false });
    const { customerId } = archive.clinics;
    const fields = {
      id: deviceId,
      customerId,
      name: 'PACS',
      aeTitle: 'UNIT',
      address: '127.0.0.1',
      port: null,
      tls: false,
      canRetrieve: false,
      canStore: true,
      atOnce: false,
      seesWorklist: false,
      asksCommitment: false,
    };
    const change = (more: object) =>
      archive.db.transaction().execute((transaction) => updateDicomDevice(transaction, { ...fields, ...more }));
    const association = await openForCommitment(gateway);
    expect(await storeFile(association, objectAt('2.25.422'))).toBe(0);
    expect(await change({ name: 'Panorama', port: 104 })).toBe(true);
    expect(await storeFile(association, objectAt('2.25.423'))).toBe(0);
    expect(await change({ canStore: false })).toBe(true);
    await expect(storeFile(association, objectAt('2.25.424'))).rejects.toThrow();
    const again = await openForCommitment(gateway);
    expect([...again.contexts]).toEqual([]);
    await again.release();
    expect(await change({ aeTitle: 'OTHER' })).toBe(true);
    await expect(openForCommitment(gateway)).rejects.toThrow(/rejected/);
  });
});
