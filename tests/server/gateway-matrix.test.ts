import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { usualLimits } from '../../server/dimse/association/link.ts';
import { commandFields, statuses } from '../../server/dimse/message/message.ts';
import { verificationSopClass } from '../../server/dimse/provider/supported-syntaxes.ts';
import { reportingRole } from '../../server/dimse/user/commitment.ts';
import { openAssociation } from '../../server/dimse/user/open-association.ts';
import { freePort } from '../free-port.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addMatrixRecord, allRights, type MatrixRecord, records, rowsOfClinic } from './gateway-matrix-records.ts';
import { type GatewayScene, gatewayScenes, type Requested, type Tools } from './gateway-matrix-scenes.ts';
import { gatewayTitle, gatewayUnderTest, identifierOf } from './gateway-under-test.ts';
import { quickTimes } from './receiving.ts';

let archive: ArchiveUnderTest;
let tools: Tools;

beforeAll(async () => {
  archive = await archiveUnderTest({ receivingTimes: quickTimes });
  const gateway = await gatewayUnderTest(archive);
  const ports = { unit: await freePort(), viewer: await freePort() };
  tools = { archive, gateway, ports };
  const { customerId, otherCustomerId, doctorId, otherDoctorId } = archive.clinics;
  const own = { customerId, createdBy: doctorId, ports, aeTitle: 'UNIT' };
  const other = { customerId: otherCustomerId, createdBy: otherDoctorId, ports, aeTitle: 'THEIRS' };
  await addMatrixRecord(archive, gateway, records.own, own);
  await addMatrixRecord(archive, gateway, records.other, other);
  // Previews are made in the background, and change the rows.
  const unready = archive.db
    .selectFrom('image')
    .select('id')
    .where((where) =>
      where.or([
        where('thumb_status', '!=', 'ready'),
        where('rendition_status', '!=', 'ready'),
        where('dose_status', '!=', 'read'),
      ]),
    );
  await vi.waitFor(async () => expect(await unready.execute()).toEqual([]), { timeout: 20_000 });
  for (const [index, right] of rights.entries())
    await gateway.addDevice({ ...allRights, aeTitle: `LESS${index}`, name: right, [right]: false });
});
afterAll(async () => {
  await tools?.gateway.close();
  await archive?.close();
});
beforeEach(() => () => expect(tools.gateway.failures).toEqual([]));

const rights = Object.keys(allRights) as (keyof typeof allRights)[];
const scenes = Object.entries(gatewayScenes).flatMap(([field, some]) =>
  Object.entries(some as Readonly<Record<string, GatewayScene>>).map(
    ([name, scene]) => [field as Requested, name, scene] as const,
  ),
);

/** Without the names of the record that was asked for, which the device knows. */
const withoutNames = (seen: unknown, { root, name, number }: MatrixRecord): string =>
  JSON.stringify(seen).replaceAll(root, 'ROOT').replaceAll(name, 'NAME').replaceAll(number, 'NUMBER');

/** Sends the request with the context of the service, or of the verification where that one is not accepted. */
const refusal = async (field: Requested, { sopClass, right }: GatewayScene, record: MatrixRecord) => {
  const aeTitle = `LESS${right ? rights.indexOf(right) : ''}`;
  const syntaxes = [transferSyntaxes.explicitLittleEndian];
  const contexts = [sopClass, verificationSopClass].map((abstractSyntax, index) => ({
    id: index * 2 + 1,
    abstractSyntax,
    transferSyntaxes: syntaxes,
  }));
  const node = { host: '127.0.0.1', port: tools.gateway.port, aeTitle: gatewayTitle };
  const association = await openAssociation(node, aeTitle, contexts, usualLimits, [reportingRole]);
  const [contextId = 0] = association.contexts.keys();
  const command = {
    affectedSopClassUid: sopClass,
    affectedSopInstanceUid: `${record.root}.1`,
    messageId: 7,
    priority: 0,
  };
  const keys = identifierOf({ '00080052': 'STUDY', '0020000D': `${record.root}.1` }, true);
  await association.send(contextId, { ...command, commandField: commandFields[field] }, Readable.from([keys]));
  const answer = await association.receive();
  association.abort();
  return { status: answer?.command.status, hasData: answer?.dataSet !== null };
};

describe.each(scenes)('%s of %s', (field, _, scene) => {
  it('shows a device nothing of another clinic, as if it did not exist, and changes nothing there', async () => {
    const { otherCustomerId } = archive.clinics;
    const before = await rowsOfClinic(archive.db, otherCustomerId);
    const other = await scene.ask(records.other, tools);
    const none = await scene.ask(records.none, tools);
    expect(withoutNames(other, records.other)).toBe(withoutNames(none, records.none));
    expect(await rowsOfClinic(archive.db, otherCustomerId)).toEqual(before);
    expect(before.length).toBeGreaterThan(8);
    expect(await scene.ask(records.own, tools)).toMatchObject(scene.own as object);
  });

  it('is refused to a device without the right', async () => {
    const { customerId } = archive.clinics;
    if (scene.right === null) {
      await expect(refusal(field, scene, records.own)).rejects.toThrow('rejected');
      return;
    }
    const countRows = async () =>
      (await rowsOfClinic(archive.db, customerId)).filter((row) => !row.startsWith('access_log ')).length;
    const before = await countRows();
    const { status, hasData } = await refusal(field, scene, records.own);
    expect([statuses.unrecognizedOperation, statuses.sopClassNotSupported]).toContain(status);
    expect(hasData).toBe(false);
    expect(await countRows()).toBe(before);
  });
});
