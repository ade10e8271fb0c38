import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bytesOf } from '../dicom/build-dicom.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { addRecord, type RecordIds } from './authorization/record.ts';
import { dicomWebOf } from './dicomweb-under-test.ts';
import { smallObject } from './small-object.ts';

const megabyte = 2 ** 20;
const pixelMegabytes = 400;
let archive: ArchiveUnderTest;
let ids: RecordIds;

beforeAll(async () => {
  archive = await archiveUnderTest();
  const header = smallObject({ PixelData: undefined });
  const length = new Uint8Array(new Uint32Array([pixelMegabytes * megabyte]).buffer);
  const start = bytesOf(header, [0xe0, 0x7f, 0x10, 0x00], 'OW', [0, 0], length);
  const whole = function* () {
    yield start;
    for (let count = 0; count < pixelMegabytes; count++) yield new Uint8Array(megabyte);
  };
  const stored = await archive.archive.files.put(Readable.from(whole()));
  ids = await addRecord(archive.db, archive.clinics.customerId, stored);
}, 120_000);
afterAll(() => archive?.close());

it(`sends an object of ${pixelMegabytes} MB whose patient was corrected in little memory`, async () => {
  const path = `/studies/${ids.studyUid}/series/${ids.seriesUid}/instances/${ids.imageUid}`;
  const web = dicomWebOf(archive);
  // Reads what the first call loads.
  await web.json(`${path}/metadata`);
  const before = process.memoryUsage.rss();
  let [most, received] = [before, 0];
  const reply = await web.call(path);
  for await (const chunk of reply.body ?? []) {
    received += chunk.length;
    most = Math.max(most, process.memoryUsage.rss());
  }
  expect(received).toBeGreaterThan(pixelMegabytes * megabyte);
  expect((most - before) / megabyte).toBeLessThan(150);
}, 120_000);
