import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonOf } from '../../dicom/dicom-json.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { bytesOf } from '../dicom/build-dicom.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { describedType } from './described-body.ts';
import { relatedType } from './dicomweb-store-under-test.ts';
import { objectAt } from './dicomweb-under-test.ts';

const megabyte = 2 ** 20;
/** Pixels of two objects of one request, in megabytes. */
const objectSizes = [1_000, 100];
let archive: ArchiveUnderTest;

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive?.close());

/** Sends a body, and returns by how many megabytes the memory has grown at most. */
const sent = async (type: string, body: AsyncIterable<Uint8Array>): Promise<number> => {
  let most = 0;
  const before = process.memoryUsage.rss();
  const watched = async function* () {
    for await (const chunk of body) {
      yield chunk;
      most = Math.max(most, process.memoryUsage.rss());
    }
  };
  // fetch would hold what the server has not read yet.
  const request = httpRequest(`${archive.url}/dicomweb/${archive.clinics.customerId}/studies`, {
    method: 'POST',
    headers: { 'content-type': type, authorization: `Bearer ${archive.clinics.doctorId}` },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  await pipeline(Readable.from(watched(), { highWaterMark: 1 }), request);
  const [reply] = await answered;
  clearInterval(watch);
  expect(reply.statusCode, await text(reply)).toBe(200);
  return (most - before) / megabyte;
};

it(`receives objects of ${objectSizes.join(' and ')} MB in little memory, with all their bytes`, async () => {
  const hashes: string[] = [];
  const body = async function* () {
    for (const [index, size] of objectSizes.entries()) {
      const hash = createHash('sha256');
      const header = objectAt('2.25.87', { PixelData: undefined }, index + 1);
      const length = new Uint8Array(new Uint32Array([size * megabyte]).buffer);
      const start = bytesOf(header, [0xe0, 0x7f, 0x10, 0x00], 'OW', [0, 0], length);
      yield Buffer.from('--b1\r\nContent-Type: application/dicom\r\n\r\n');
      hash.update(start);
      yield start;
      for (let count = 0; count < size; count++) {
        const chunk = new Uint8Array(megabyte).fill(count);
        hash.update(chunk);
        yield chunk;
      }
      hashes.push(hash.digest('hex'));
      yield Buffer.from('\r\n');
    }
    yield Buffer.from('--b1--\r\n');
  };
  expect(await sent(relatedType, body())).toBeLessThan(150);
  for (const [index, size] of objectSizes.entries())
    expect(await archive.archive.files.verify(hashes[index] ?? '')).toBeGreaterThan(size * megabyte);
}, 300_000);

it.each(['first', 'last'])(
  'receives pixels of 500 MB with the metadata %s in little memory, with all their bytes',
  async (place) => {
    const root = place === 'first' ? '2.25.871' : '2.25.872';
    const size = { Rows: 20_000, Columns: 12_500, NumberOfFrames: 1, PixelData: undefined };
    const described = jsonOf(readDicomFile(objectAt(root, size)).dataSet, () => null);
    const metadata = JSON.stringify([{ ...described, '7FE00010': { vr: 'OW', BulkDataURI: 'pixels' } }]);
    const length = new Uint8Array(new Uint32Array([500_000_000]).buffer);
    const hash = createHash('sha256').update(
      bytesOf(objectAt(root, size), [0xe0, 0x7f, 0x10, 0x00], 'OW', [0, 0], length),
    );
    const chunk = new Uint8Array(500_000);
    const head = (type: string, more = '') => Buffer.from(`--b1\r\nContent-Type: ${type}\r\n${more}\r\n`);
    const bulk = async function* () {
      yield head('application/octet-stream', 'Content-Location: pixels\r\n');
      for (let count = 0; count < 1_000; count++) {
        hash.update(chunk.fill(count));
        yield Uint8Array.from(chunk);
      }
      yield Buffer.from('\r\n');
    };
    const body = async function* () {
      if (place === 'last') yield* bulk();
      yield Buffer.concat([head('application/dicom+json'), Buffer.from(`${metadata}\r\n`)]);
      if (place === 'first') yield* bulk();
      yield Buffer.from('--b1--\r\n');
    };
    expect(await sent(describedType, body())).toBeLessThan(200);
    expect(await archive.archive.files.verify(hash.digest('hex'))).toBeGreaterThan(500_000_000);
  },
  300_000,
);
