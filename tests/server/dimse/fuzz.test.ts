import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { CommandProblem, readCommandSet, writeCommandSet } from '../../../server/dimse/message/command-set.ts';
import { PduProblem } from '../../../server/dimse/pdu/pdu.ts';
import { readAssociateAccept, readAssociateRequest } from '../../../server/dimse/pdu/read-associate.ts';
import { createRequests } from '../../../server/dimse/user/requests.ts';
import { firstSeed, mutated, randomFrom } from '../../dicom/mutate.ts';
import { startArchiveProcess } from './archive-process.ts';
import { drawnObject, explicitLittleEndian, inPieces, intraOralImage, openTo } from './peers.ts';
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

/** What a usual peer sends: two objects, an echo in two fragments, and the release. */
const conversation = [
  requestPdu(),
  pduOf(4, fragmentOf(3, 3, store)),
  pduOf(4, fragmentOf(3, 0, dataSet.subarray(0, 1_000))),
  pduOf(4, fragmentOf(3, 2, dataSet.subarray(1_000))),
  pduOf(4, Buffer.concat([fragmentOf(3, 3, store), fragmentOf(3, 2, dataSet)])),
  pduOf(4, Buffer.concat([fragmentOf(1, 1, echo.subarray(0, 20)), fragmentOf(1, 3, echo.subarray(20))])),
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
