import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { CommandProblem, readCommandSet, writeCommandSet } from '../../../server/dimse/message/command-set.ts';
import { storageCommitment } from '../../../server/dimse/message/commitment.ts';
import { PduProblem } from '../../../server/dimse/pdu/pdu.ts';
import { readAssociateAccept, readAssociateRequest } from '../../../server/dimse/pdu/read-associate.ts';
import { modalityPerformedStep, modalityWorklist } from '../../../server/dimse/provider/supported-syntaxes.ts';
import { createRequests } from '../../../server/dimse/user/requests.ts';
import { bytesOf, element, item } from '../../dicom/build-dicom.ts';
import { firstSeed, mutated, randomFrom } from '../../dicom/mutate.ts';
import { startArchiveProcess } from './archive-process.ts';
import { contextsFor, drawnObject, explicitLittleEndian, inPieces, intraOralImage, openTo } from './peers.ts';
import { fragmentOf, pduOf, requestPdu } from './raw-peer.ts';

const associations = 10_000;
const inputs = 40_000;
const concurrency = 8;
/** Far more than any input takes on a busy machine. */
const slowMs = 2_000;

const { sopInstanceUid, dataSet } = drawnObject(3_000);
const store = writeCommandSet({
  commandField: 1,
  messageId: 1,
  affectedSopClassUid: intraOralImage,
  affectedSopInstanceUid: sopInstanceUid,
  dataSetType: 1,
});
const echo = writeCommandSet({
  commandField: 0x30,
  messageId: 2,
  affectedSopClassUid: '1.2.840.10008.1.1',
  dataSetType: 0x0101,
});

const contexts = contextsFor(
  ['1.2.840.10008.1.1', explicitLittleEndian],
  [intraOralImage, explicitLittleEndian],
  [modalityPerformedStep, explicitLittleEndian],
  [storageCommitment, explicitLittleEndian],
  [modalityWorklist, explicitLittleEndian],
);
const identifiers = {
  step: bytesOf(
    element(0x00400252, 'CS', 'IN PROGRESS '),
    element(0x00400270, 'SQ', item(element(0x0020000d, 'UI', '2.25.5'))),
  ),
  endedStep: bytesOf(
    element(0x00400252, 'CS', 'COMPLETED '),
    element(0x00400340, 'SQ', item(element(0x0020000e, 'UI', '2.25.6'))),
  ),
  commitment: bytesOf(
    element(0x00081195, 'UI', '2.25.47'),
    element(
      0x00081199,
      'SQ',
      item(bytesOf(element(0x00081150, 'UI', intraOralImage), element(0x00081155, 'UI', sopInstanceUid))),
    ),
  ),
  worklist: bytesOf(element(0x00100010, 'PN', 'L*'), element(0x00400100, 'SQ', item(element(0x00080060, 'CS', 'PX')))),
};
const instance = '1.2.840.10008.1.20.1.1';
/** Messages of the other services: their context, command and data set. */
const others = [
  [
    5,
    { commandField: 0x140, affectedSopClassUid: modalityPerformedStep, affectedSopInstanceUid: '2.25.3' },
    identifiers.step,
  ],
  [
    5,
    { commandField: 0x120, requestedSopClassUid: modalityPerformedStep, requestedSopInstanceUid: '2.25.3' },
    identifiers.endedStep,
  ],
  [
    7,
    {
      commandField: 0x130,
      requestedSopClassUid: storageCommitment,
      requestedSopInstanceUid: instance,
      actionTypeId: 1,
    },
    identifiers.commitment,
  ],
  [
    7,
    { commandField: 0x100, affectedSopClassUid: storageCommitment, affectedSopInstanceUid: instance, eventTypeId: 1 },
    identifiers.commitment,
  ],
  [9, { commandField: 0x20, affectedSopClassUid: modalityWorklist, priority: 0 }, identifiers.worklist],
] as const;
const otherCommands = others.map(([, command]) => writeCommandSet({ ...command, messageId: 3, dataSetType: 1 }));

/** What a usual peer sends: two objects, an echo in two fragments, a message of each other service, and the release. */
const conversation = [
  requestPdu(contexts),
  pduOf(4, fragmentOf(3, 3, store)),
  pduOf(4, fragmentOf(3, 0, dataSet.subarray(0, 1_000))),
  pduOf(4, fragmentOf(3, 2, dataSet.subarray(1_000))),
  pduOf(4, Buffer.concat([fragmentOf(3, 3, store), fragmentOf(3, 2, dataSet)])),
  pduOf(4, Buffer.concat([fragmentOf(1, 1, echo.subarray(0, 20)), fragmentOf(1, 3, echo.subarray(20))])),
  ...others.map(([contextId, , dataSetOf], index) =>
    pduOf(
      4,
      Buffer.concat([
        fragmentOf(contextId, 3, otherCommands[index] ?? Buffer.alloc(0)),
        fragmentOf(contextId, 2, dataSetOf),
      ]),
    ),
  ),
  pduOf(5, Buffer.alloc(4)),
  // `slice` of a Buffer shares its memory.
].map((pdu) => new Uint8Array(pdu));
const whole = new Uint8Array(Buffer.concat(conversation));

/** Changes the conversation, or only one of its PDUs, so that what follows is still read. */
const inputOf = (seed: number): Uint8Array => {
  const random = randomFrom(seed);
  if (random(4) === 0) return mutated(whole, random, whole);
  const place = random(conversation.length);
  return Buffer.concat(conversation.map((pdu, index) => (index === place ? mutated(pdu, random, whole) : pdu)));
};

/** A peer that neither sends nor receives for so long has nothing more to say. */
const quietMs = 25;

/** Sends everything, closes when the archive has no more answers, and resolves when the archive has closed too. */
const sendTo = (port: number, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write(bytes));
    const quiet = setTimeout(() => socket.end(), quietMs);
    socket.on('error', () => {});
    socket.on('data', () => quiet.refresh());
    socket.once('close', () => {
      clearTimeout(quiet);
      resolve();
    });
  });

it(`mutated associations are answered or aborted, ${associations} of them from the seed ${firstSeed}`, async () => {
  const archive = await startArchiveProcess();
  let next = firstSeed;
  let slowest = 0;
  const work = async () => {
    while (next < firstSeed + associations) {
      const seed = next++;
      const started = performance.now();
      await sendTo(archive.port, inputOf(seed));
      const ms = performance.now() - started;
      slowest = Math.max(slowest, ms);
      expect(ms, `seed ${seed}`).toBeLessThan(slowMs);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const association = await openTo(archive);
  const sent = { sopClassUid: intraOralImage, sopInstanceUid, transferSyntaxUid: explicitLittleEndian };
  expect(await createRequests(association).store({ ...sent, dataSet: inPieces(dataSet) })).toMatchObject({ status: 0 });
  await association.release();
  const before = archive.stored.length;
  await expect.poll(() => archive.stored.length).toBeGreaterThanOrEqual(before);
  const most = Math.max(...archive.stored.map(({ peakBytes }) => peakBytes)) / 2 ** 20;
  console.log(
    `seed ${firstSeed}: ${archive.stored.length} stored, slowest ${Math.round(slowest)} ms, ${Math.round(most)} MB`,
  );
  expect(archive.errors).toEqual([]);
  expect(most).toBeLessThan(400);
}, 1_200_000);

it(`mutated PDUs and command sets are read or refused, ${inputs} of them from the seed ${firstSeed}`, () => {
  const request = new Uint8Array(requestPdu().subarray(6));
  const [storing, echoing] = [new Uint8Array(store), new Uint8Array(echo)];
  const readers = [
    [request, readAssociateRequest],
    [request, readAssociateAccept],
    [storing, readCommandSet],
    [echoing, readCommandSet],
    ...otherCommands.map((command) => [new Uint8Array(command), readCommandSet] as const),
  ] as const;
  for (let seed = firstSeed; seed < firstSeed + inputs; seed++) {
    const random = randomFrom(seed);
    const [bytes, read] = readers[seed % readers.length]!;
    try {
      read(Buffer.from(mutated(bytes, random, whole)));
    } catch (problem) {
      expect(problem instanceof PduProblem || problem instanceof CommandProblem, `seed ${seed}: ${problem}`).toBe(true);
    }
  }
});
