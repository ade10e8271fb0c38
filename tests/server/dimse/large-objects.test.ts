import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { receivedFileMeta } from '../../../server/dimse/provider/received-file-meta.ts';
import { createRequests } from '../../../server/dimse/user/requests.ts';
import { type ArchiveProcess, startArchiveProcess } from './archive-process.ts';
import { drawnObject, explicitLittleEndian, inPieces, openTo } from './peers.ts';

const objectBytes = 1_000 << 20;
const block = Buffer.alloc(1 << 20, 'dentarium');

const megabytesOf = ({ stored }: ArchiveProcess): number => {
  const most = Math.round(Math.max(...stored.map(({ peakBytes }) => peakBytes)) / 2 ** 20);
  console.log(`most memory: ${most} MB`);
  return most;
};

it('an object of 1,000 MB is stored whole, in less than 200 MB of memory', async () => {
  const archive = await startArchiveProcess();
  const { sopClassUid, sopInstanceUid, dataSet } = drawnObject(16);
  // The element of the pixel data becomes longer; the head stays as it is.
  const head = Buffer.from(dataSet.subarray(0, -16));
  head.writeUInt32LE(objectBytes, head.length - 4);
  const hash = createHash('sha256');
  const incoming = { callingAeTitle: 'UNIT', calledAeTitle: 'ARCHIVE', address: '127.0.0.1' };
  const object = { sopClassUid, sopInstanceUid, transferSyntaxUid: explicitLittleEndian };
  for (const part of receivedFileMeta({ ...object, ...incoming })) hash.update(part);
  async function* large() {
    hash.update(head);
    yield head;
    for (let at = 0; at < objectBytes; at += block.length) {
      hash.update(block);
      yield block;
    }
  }
  const association = await openTo(archive);
  const sent = { sopClassUid, sopInstanceUid, transferSyntaxUid: explicitLittleEndian, dataSet: large() };
  const { status } = await createRequests(association).store(sent);
  await association.release();
  expect(status).toBe(0);
  await expect.poll(() => archive.stored.map(({ sha256 }) => sha256)).toEqual([hash.digest('hex')]);
  expect(megabytesOf(archive)).toBeLessThan(200);
});

it('sixteen objects at once are stored in less than 300 MB of memory', async () => {
  const archive = await startArchiveProcess();
  const objects = Array.from({ length: 16 }, () => drawnObject(8 << 20));
  const associations = await Promise.all(objects.map(() => openTo(archive)));
  await Promise.all(
    objects.map(async ({ dataSet, ...object }, index) => {
      const sent = {
        ...object,
        transferSyntaxUid: explicitLittleEndian,
        dataSet: inPieces(dataSet),
      };
      const association = associations[index]!;
      expect((await createRequests(association).store(sent)).status).toBe(0);
      await association.release();
    }),
  );
  await expect.poll(() => new Set(archive.stored.map(({ sha256 }) => sha256)).size).toBe(16);
  expect(megabytesOf(archive)).toBeLessThan(300);
});
