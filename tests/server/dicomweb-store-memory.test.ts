import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bytesOf } from '../dicom/build-dicom.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { relatedType } from './dicomweb-store-under-test.ts';
import { objectAt } from './dicomweb-under-test.ts';

const megabyte = 2 ** 20;
const pixelMegabytes = 400;
let archive: ArchiveUnderTest;

beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive?.close());

it(`receives two objects of ${pixelMegabytes} MB in little memory, with all their bytes`, async () => {
  const length = new Uint8Array(new Uint32Array([pixelMegabytes * megabyte]).buffer);
  const hashes: string[] = [];
  let most = 0;
  const before = process.memoryUsage.rss();
  const body = async function* () {
    for (const number of [1, 2]) {
      const hash = createHash('sha256');
      const header = objectAt('2.25.87', { PixelData: undefined }, number);
      const start = bytesOf(header, [0xe0, 0x7f, 0x10, 0x00], 'OW', [0, 0], length);
      yield Buffer.from('--b1\r\nContent-Type: application/dicom\r\n\r\n');
      hash.update(start);
      yield start;
      for (let count = 0; count < pixelMegabytes; count++) {
        const chunk = new Uint8Array(megabyte).fill(count);
        hash.update(chunk);
        yield chunk;
        most = Math.max(most, process.memoryUsage.rss());
      }
      hashes.push(hash.digest('hex'));
      yield Buffer.from('\r\n');
    }
    yield Buffer.from('--b1--\r\n');
  };
  // fetch would hold what the server has not read yet.
  const request = httpRequest(`${archive.url}/dicomweb/${archive.clinics.customerId}/studies`, {
    method: 'POST',
    headers: { 'content-type': relatedType, authorization: `Bearer ${archive.clinics.doctorId}` },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  await pipeline(Readable.from(body(), { highWaterMark: 1 }), request);
  const [reply] = await answered;
  expect(reply.statusCode, await text(reply)).toBe(200);
  expect((most - before) / megabyte).toBeLessThan(150);
  for (const hash of hashes)
    expect(await archive.archive.files.verify(hash)).toBeGreaterThan(pixelMegabytes * megabyte);
}, 300_000);
