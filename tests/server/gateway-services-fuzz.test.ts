import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DicomJson } from '../../dicom/dicom-json.ts';
import { transferSyntaxes } from '../../dicom/transfer-syntax.ts';
import { commitmentJson } from '../../server/dicom-gateway/commitment/commitment-json.ts';
import { encodeIdentifier } from '../../server/dicom-gateway/encode-identifier.ts';
import type { Association } from '../../server/dimse/association/association.ts';
import { storageCommitment, storageCommitmentInstance } from '../../server/dimse/message/commitment.ts';
import { commandFields, statuses } from '../../server/dimse/message/message.ts';
import { modalityPerformedStep, modalityWorklist } from '../../server/dimse/provider/supported-syntaxes.ts';
import { openAssociation } from '../../server/dimse/user/open-association.ts';
import { firstSeed, mutated, type Random, randomFrom } from '../dicom/mutate.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { referenceTo } from './commitment-under-test.ts';
import { dicomWebOf, objectAt } from './dicomweb-under-test.ts';
import { type GatewayUnderTest, gatewayTitle, gatewayUnderTest } from './gateway-under-test.ts';
import { orderBody } from './order-body.ts';

const requests = 4_000;
const { explicitLittleEndian, implicitLittleEndian } = transferSyntaxes;
const own = '2.25.431';

let archive: ArchiveUnderTest;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  archive = await archiveUnderTest();
  gateway = await gatewayUnderTest(archive);
  const patientId = await dicomWebOf(archive).addPatient({}, [objectAt(own)]);
  await archive.post('/resource/orders/create', { ...orderBody(), patientId }, archive.clinics.doctorId);
  await gateway.addDevice({ canStore: true, seesWorklist: true, asksCommitment: true, port: 104 });
});
afterAll(async () => {
  await gateway?.close();
  await archive?.close();
});

const pick = <One>(random: Random, all: readonly One[]): One => all[random(all.length)] as One;
const uids = ['2.25.1', '2.25.2', `${own}.1`, '1.2', '', '..', '9'.repeat(70), 'ÅÄÖ', storageCommitmentInstance];
const texts = [
  '',
  '*',
  '?',
  '\\',
  "'",
  '^',
  '%',
  'PX',
  'Lind*',
  '20260101-',
  '-',
  '1200',
  'COMPLETED',
  'IN PROGRESS',
  '山',
  '$1',
];

const item = (random: Random): DicomJson => ({
  '00080060': { vr: 'CS', Value: [pick(random, texts)] },
  '00400001': { vr: 'AE', Value: [pick(random, texts)] },
  '00400002': { vr: 'DA', Value: [pick(random, texts)] },
  '0020000D': { vr: 'UI', Value: [pick(random, uids)] },
});
const stepOf = (random: Random): DicomJson => ({
  '00400252': { vr: 'CS', Value: [pick(random, texts)] },
  '00400270': { vr: 'SQ', Value: Array.from({ length: random(3) }, () => item(random)) },
});
const referencesOf = (random: Random): DicomJson => ({
  ...commitmentJson(
    pick(random, uids),
    Array.from({ length: random(4) }, () => referenceTo(pick(random, uids), pick(random, uids))),
  ),
  ...(random(2) === 0 ? { '00081198': { vr: 'SQ', Value: [item(random)] } } : {}),
});
const worklistOf = (random: Random): DicomJson => ({
  '00100010': { vr: 'PN', Value: [{ Alphabetic: pick(random, texts) }] },
  '00100020': { vr: 'LO', Value: [pick(random, texts)] },
  '0020000D': { vr: 'UI', Value: [pick(random, uids)] },
  '00400100': { vr: 'SQ', Value: Array.from({ length: random(3) }, () => item(random)) },
});

const commitment = { sopClassUid: storageCommitment, sopInstanceUid: storageCommitmentInstance };
const kinds = [
  [modalityPerformedStep, commandFields.createRequest, stepOf, 'affected'],
  [modalityPerformedStep, commandFields.setRequest, stepOf, 'requested'],
  [storageCommitment, commandFields.actionRequest, referencesOf, 'requested'],
  [storageCommitment, commandFields.eventReportRequest, referencesOf, 'affected'],
  [modalityWorklist, commandFields.findRequest, worklistOf, 'affected'],
] as const;
const classes = [modalityPerformedStep, storageCommitment, modalityWorklist];

const open = (syntax: string): Promise<Association> =>
  openAssociation(
    { host: '127.0.0.1', port: gateway.port, aeTitle: gatewayTitle },
    'PACS',
    classes.map((abstractSyntax, index) => ({ id: index * 2 + 1, abstractSyntax, transferSyntaxes: [syntax] })),
  );

/** Sends a message, skips pending responses, and returns the status. */
const ask = async (association: Association, random: Random, explicitVr: boolean): Promise<number | undefined> => {
  const [sopClass, commandField, identifierOf, names] = pick(random, kinds);
  const sound = encodeIdentifier(identifierOf(random), explicitVr);
  const other = new Uint8Array(encodeIdentifier(identifierOf(random), explicitVr));
  const identifier = random(2) === 0 ? sound : Buffer.from(mutated(new Uint8Array(sound), random, other));
  const sopInstanceUid =
    sopClass === storageCommitment && random(8) > 0
      ? commitment.sopInstanceUid
      : pick(random, ['2.25.1', '2.25.2', '1.2']);
  // One in sixteen is sent under another class than that of its context.
  const named = random(16) === 0 ? pick(random, classes) : sopClass;
  await association.send(
    classes.indexOf(sopClass) * 2 + 1,
    {
      commandField,
      messageId: 7,
      priority: 0,
      ...(names === 'affected'
        ? { affectedSopClassUid: named, affectedSopInstanceUid: sopInstanceUid }
        : { requestedSopClassUid: named, requestedSopInstanceUid: sopInstanceUid }),
      ...(random(8) > 0
        ? { actionTypeId: 1, eventTypeId: 1 + random(2) }
        : { actionTypeId: random(9), eventTypeId: 9 }),
    },
    Readable.from([identifier]),
  );
  for (;;) {
    const message = await association.receive();
    for await (const _ of message?.dataSet ?? []);
    const status = message?.command.status;
    if (status !== statuses.pending && status !== statuses.pendingWithoutKeys) return status;
  }
};

it(`hostile messages of steps, worklist and commitment are answered, ${requests} of them from the seed ${firstSeed}`, async () => {
  console.log(`seed ${firstSeed}`);
  const syntaxes = [implicitLittleEndian, explicitLittleEndian];
  const associations = await Promise.all(syntaxes.map(open));
  const counts = new Map<number | undefined, number>();
  for (let seed = firstSeed; seed < firstSeed + requests; seed += 1) {
    const association = associations[seed % 2];
    if (!association) throw new Error('no association');
    const status = await ask(association, randomFrom(seed), seed % 2 === 1);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    expect(gateway.failures, `seed ${seed}`).toEqual([]);
    expect(status, `seed ${seed}`).toBeTypeOf('number');
  }
  for (const association of associations) await association.release();
  // Sound messages are among them.
  expect(counts.get(0) ?? 0).toBeGreaterThan(requests / 20);
  expect(counts.size).toBeGreaterThan(5);
  expect(gateway.failures).toEqual([]);
}, 600_000);
