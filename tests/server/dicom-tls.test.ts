import type { TlsOptions } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { commitmentJson, reportJson } from '../../server/dicom-gateway/commitment/commitment-json.ts';
import { startCommitmentReports } from '../../server/dicom-gateway/commitment/commitment-reports.ts';
import { encodeIdentifier } from '../../server/dicom-gateway/encode-identifier.ts';
import { usualLimits } from '../../server/dimse/association/link.ts';
import { commandFields } from '../../server/dimse/message/message.ts';
import { respond } from '../../server/dimse/provider/services.ts';
import { storeService } from '../../server/dimse/provider/store-service.ts';
import { acceptedSyntaxes } from '../../server/dimse/provider/supported-syntaxes.ts';
import {
  askForCommitment,
  commitmentContexts,
  reportCommitment,
  reportingRole,
} from '../../server/dimse/user/commitment.ts';
import { openAssociation } from '../../server/dimse/user/open-association.ts';
import { archiveWithoutGet, otherTitle } from './archive-without-get.ts';
import { referenceTo, reportedDevice, reportOf } from './commitment-under-test.ts';
import { dicomCertificates } from './dicom-certificates.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { startArchive } from './dimse/peers.ts';
import { fetchingUnderTest } from './fetching-under-test.ts';
import { type GatewayUnderTest, gatewayTitle, gatewayUnderTest } from './gateway-under-test.ts';
import { type MovingScene, type MovingUnderTest, movingUnderTest } from './moving-under-test.ts';
import { sendingUnderTest } from './sending-under-test.ts';

let moving: MovingUnderTest;
let scene: MovingScene;
let gateway: GatewayUnderTest;
let certificates: ReturnType<typeof dicomCertificates>;

beforeAll(async () => {
  moving = await movingUnderTest();
  await moving.fetching.stop();
});
beforeEach(async () => {
  certificates = dicomCertificates();
  gateway = await gatewayUnderTest(moving.archive, { tls: certificates.archive });
  scene = await moving.scene();
  await moving.listArchive(gateway.port);
});
afterEach(async () => {
  await gateway.close();
  expect(gateway.failures).toEqual([]);
});
afterAll(() => moving?.close());

/** Another archive by TLS, which offers C-GET or not. */
const otherArchive = async (way: string, tls: TlsOptions): Promise<number> => {
  if (way === 'C-GET') {
    const other = await gatewayUnderTest(moving.other, { aeTitle: otherTitle, tls });
    onTestFinished(other.close);
    return other.port;
  }
  const retrieval: NonNullable<Parameters<typeof archiveWithoutGet>[1]>['retrieval'] = (given) => ({
    ...given,
    destinationOf: async (title) => ({ ...(await given.destinationOf(title)), tls: certificates.device }),
  });
  return (await archiveWithoutGet(moving.other, { tls, retrieval })).port;
};

describe.each(['C-GET', 'C-MOVE'])('fetching by %s and TLS', (way) => {
  const fetchFrom = async (port: number, state: 'done' | 'failed', tls: boolean) => {
    const secure = fetchingUnderTest(moving.archive, { tls: certificates.calls });
    onTestFinished(secure.close);
    return secure.reaches(await scene.begin(port, { tls }), state);
  };

  it('fetches from a device whose certificate is of the authority', async () => {
    const done = await fetchFrom(await otherArchive(way, certificates.device), 'done', true);
    expect(done).toMatchObject({ failure: null, refusals: [], studies: [{ state: 'imported', fetched: 3 }] });
    expect(await scene.imported()).toEqual([1, 2, 3].map(scene.uidOf));
  });

  it('fetches nothing from a stranger, and nothing in plain text', async () => {
    const stranger = await fetchFrom(await otherArchive(way, certificates.stranger), 'failed', true);
    expect(stranger).toMatchObject({ failure: 'unreachable' });
    await moving.archive.db.deleteFrom('dicom_fetch').execute();
    await moving.archive.db.deleteFrom('dicom_device').execute();
    const plain = await fetchFrom(await otherArchive(way, certificates.device), 'failed', false);
    expect(plain).toMatchObject({ failure: 'unreachable' });
    expect(await scene.imported()).toEqual([]);
  });
});

it('sends what C-MOVE asks for by TLS to a device that is called by TLS, and nothing to a stranger', async () => {
  const asked = await gatewayUnderTest(moving.archive, { callTls: certificates.calls });
  onTestFinished(asked.close);
  const root = '2.25.4500';
  await dicomWebOf(moving.archive).addPatient({ personalNumber: '19700707-4500' }, [objectAt(root)]);
  await asked.addDevice({ aeTitle: 'MOVER' });
  for (const [aeTitle, tls] of [
    ['VIEWER', certificates.device],
    ['STRANGER', certificates.stranger],
  ] as const) {
    const { port, stored } = await startArchive({ tls });
    await asked.addDevice({ aeTitle, port, tls: true });
    const keys = { '00080052': 'STUDY', '0020000D': `${root}.1` };
    const { last } = await asked.move(keys, { destination: aeTitle, aeTitle: 'MOVER' });
    const isDevice = aeTitle === 'VIEWER';
    expect([last.status === 0, stored.length], aeTitle).toEqual([isDevice, isDevice ? 1 : 0]);
  }
});

describe('storage commitment by TLS', () => {
  const openAs = (aeTitle: string, tls: object, roles: readonly (typeof reportingRole)[] = []) => {
    const node = { host: '127.0.0.1', port: gateway.port, aeTitle: gatewayTitle, tls };
    return openAssociation(node, aeTitle, commitmentContexts, usualLimits, roles);
  };
  const root = '2.25.4400';
  const uids = [`${root}.1.1.1`, `${root}.1.1.2`];
  let patientId: string;
  beforeAll(async () => {
    patientId = await dicomWebOf(moving.archive).addPatient({}, [objectAt(root), objectAt(root, {}, 2)]);
  });

  it('reports to the device, and to no stranger at its address', async () => {
    const outcomes: string[] = [];
    const reports = startCommitmentReports({
      db: moving.archive.db,
      aeTitle: gatewayTitle,
      tls: certificates.calls,
      onOutcome: ({ result }) => outcomes.push(result),
      onFailure: (error) => gateway.failures.push(error),
      retrySeconds: [0.2],
    });
    onTestFinished(reports.close);
    const stranger = await reportedDevice(undefined, 0, certificates.stranger);
    const { port } = stranger;
    await gateway.addDevice({ aeTitle: 'UNIT', canStore: true, port, tls: true });
    const association = await openAs('UNIT', certificates.device);
    const objects = uids.map((uid) => referenceTo(uid));
    const identifier = (explicitVr: boolean) => encodeIdentifier(commitmentJson('2.25.4711', objects), explicitVr);
    expect(await askForCommitment(association, identifier)).toBe(0);
    await association.release();
    await expect.poll(() => outcomes.length, { timeout: 15_000 }).toBeGreaterThan(0);
    expect([new Set(outcomes), stranger.reports]).toEqual([new Set(['failed']), []]);
    await stranger.close();
    const device = await reportedDevice(undefined, port, certificates.device);
    onTestFinished(device.close);
    await expect
      .poll(() => device.reports, { timeout: 15_000 })
      .toMatchObject([{ event: 1, transaction: '2.25.4711', committed: uids, failed: [] }]);
    await expect.poll(() => outcomes.at(-1)).toBe('reported');
  });

  it('takes the report of a device, and of no stranger', async () => {
    const transactions: string[] = [];
    const discard = async () => undefined;
    const device = await startArchive({
      tls: certificates.device,
      admit: async () => ({
        syntaxesOf: acceptedSyntaxes({ canRetrieve: false, canStore: true, seesWorklist: false }),
        services: {
          [commandFields.storeRequest]: storeService(
            async () => ({ write: discard, commit: discard, discard }),
            () => undefined,
          ),
          [commandFields.actionRequest]: async (association, message) => {
            const parts: Buffer[] = [];
            for await (const part of message.dataSet ?? []) parts.push(part);
            transactions.push(String(reportOf(Buffer.concat(parts), true).transaction));
            await respond(association, message, 0);
          },
        },
      }),
    });
    const sending = sendingUnderTest(moving.archive, { limits: usualLimits, tls: certificates.calls });
    onTestFinished(sending.close);
    const deviceId = await sending.addDevice({ port: device.port, tls: true, asksCommitment: true });
    const id = await sending.send({ deviceId, patientId });
    const commitment = async () => (await sending.byId(id)).commitment;
    await expect.poll(() => transactions.length, { timeout: 15_000 }).toBe(1);
    await expect.poll(commitment, { timeout: 15_000 }).toBe('waiting');
    const report = async (tls: object): Promise<number> => {
      const association = await openAs('PACS', tls, [reportingRole]);
      const objects = uids.map((uid) => referenceTo(uid));
      const status = await reportCommitment(association, 1, (explicitVr) =>
        encodeIdentifier(reportJson(transactions[0] ?? '', objects, []), explicitVr),
      );
      await association.release();
      return status;
    };
    await expect(report(certificates.stranger)).rejects.toThrow();
    expect(await commitment()).toBe('waiting');
    expect(await report(certificates.device)).toBe(0);
    expect(await commitment()).toBe('confirmed');
  });
});
