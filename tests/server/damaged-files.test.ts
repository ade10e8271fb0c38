import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ImageInfo } from '../../contract/images.ts';
import type { Study } from '../../contract/studies.ts';
import { readRendition } from '../../dicom/rendition/read-rendition.ts';
import { decodeRendition } from '../../dicom/rendition/rendition.ts';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { encodeJpeg2000 } from '../../server/dicom/wasm-encoders.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { damage, randomFrom } from './damage.ts';
import { smallObject } from './small-object.ts';
import { unzipped } from './unzipped.ts';

const seed = Number(process.env.DENTARIUM_TEST_SEED ?? 20261123);
const damages = 200;
const perBatch = 40;
const [rows, columns] = [1310, 40];
const codecs = createCodecs();

/** Everything that the archive returns or displays of an image, as a text that changes with every byte or value. */
type Shown = Readonly<Record<'file' | 'part' | 'full' | 'reduced' | 'thumbnail' | 'zip', string>>;

let archive: ArchiveUnderTest;
let patientId: string;
let sent: Record<string, Uint8Array>;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const slowObject = async (number: number): Promise<Uint8Array> => {
  const values = Uint16Array.from({ length: rows * columns }, (_, at) => (at * 37 + number * 911) % 4096);
  const info = { width: columns, height: rows, bitsPerSample: 12, componentCount: 1 };
  const pixels = new Uint8Array(values.buffer);
  const frame = await encodeJpeg2000(pixels, { ...info, isSigned: false, isUsingColorTransform: false });
  const changes = { SOPInstanceUID: `2.25.3${number}`, Rows: rows, Columns: columns, PixelData: { frames: [frame] } };
  return smallObject(changes, '1.2.840.10008.1.2.4.90');
};

const someFiles = async (): Promise<Record<string, Uint8Array>> => {
  const files: Record<string, Uint8Array> = {};
  for (let number = 100; number < 114; number++)
    files[`plain-${number}.dcm`] = smallObject({ SOPInstanceUID: `2.25.${number}` });
  for (let number = 1; number <= 6; number++) files[`slow-${number}.dcm`] = await slowObject(number);
  return files;
};

const images = async (): Promise<ImageInfo[]> => {
  const { data } = await (await archive.call(`/resource/study/bypatient/${patientId}?ppage=100`)).json();
  return (data as Study[]).flatMap(({ series }) => series.flatMap((one) => one.images));
};

/** Hash of the reply body, or the problem code. An error reply never has the ETag of the intact bytes. */
const answer = async (reply: Response, read = async (bytes: Uint8Array) => hashOf(bytes)): Promise<string> => {
  if (reply.ok) return read(new Uint8Array(await reply.arrayBuffer()));
  expect(reply.headers.get('etag')).toBeNull();
  return `${reply.status} ${(await reply.json()).code}`;
};

const pixelsOf = async (bytes: Uint8Array): Promise<string> => {
  const { pixels } = await decodeRendition(readRendition(bytes), codecs);
  return hashOf(new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength));
};

const shownOf = async ({ uid, activeImageThumbLink }: ImageInfo): Promise<Shown> => {
  const file = `/resource/viewset/get_image?imageUID=${uid}`;
  const rendition = (level: string) => archive.call(`/resource/image/rendition?imageUID=${uid}&level=${level}`);
  const zip = async (bytes: Uint8Array) =>
    JSON.stringify(
      Object.fromEntries(
        (await unzipped(Buffer.from(bytes))).map(([name, content]) => [
          name,
          name === 'left-out.csv' ? content.toString() : hashOf(content),
        ]),
      ),
    );
  return {
    file: await answer(await archive.call(file)),
    part: await answer(await archive.call(file, { headers: { range: 'bytes=100-199' } })),
    full: await answer(await rendition('full'), pixelsOf),
    reduced: await answer(await rendition('reduced'), pixelsOf),
    thumbnail: await answer(await archive.call(activeImageThumbLink ?? 'nowhere')),
    zip: await answer(await archive.post('/resource/image/download', { imageUIDs: [uid] }), zip),
  };
};

const allShown = async (): Promise<Map<string, Shown>> => {
  const shown = new Map<string, Shown>();
  for (const image of await images()) shown.set(image.sopInstanceUid, await shownOf(image));
  return shown;
};

const atRest = async () => {
  await archive.archive.thumbnails.idle();
  await archive.archive.renditions.idle();
};

const checkFiles = () => archive.archive.fileCheck.round(new AbortController().signal);

const recordedFaults = async () =>
  (await archive.db.selectFrom('stored_file_fault').select(['sha256', 'kind']).orderBy('sha256').execute()).map(
    ({ sha256, kind }) => `${kind} ${sha256}`,
  );

const storedFiles = async (folder: string): Promise<string[]> => {
  const names = await readdir(path.join(archive.dataFolder, folder), { recursive: true });
  return names
    .filter((name) => /^[0-9a-f]{2}\/[0-9a-f]{64}/.test(name))
    .map((name) => path.join(archive.dataFolder, folder, name))
    .sort();
};

beforeAll(async () => {
  archive = await archiveUnderTest({ fileCheck: { passMs: 0.001, bytesPerSecond: 1e12 } });
  patientId = await archive.addPatient();
  sent = await someFiles();
  await archive.importAll(patientId, sent);
  await atRest();
});
afterAll(() => archive.close());

test(`never returns or displays any of ${damages} randomly damaged files as intact, and reports and repairs each original (seed ${seed})`, async () => {
  const random = randomFrom(seed);
  const right = await allShown();
  expect(right.size).toBe(Object.keys(sent).length);
  expect([...right.values()].flatMap(Object.values).filter((text) => /^\d{3} /.test(text))).toEqual([]);
  const hashes = new Map(
    (await archive.db.selectFrom('image').select(['sop_instance_uid', 'sha256']).execute()).map((row) => [
      row.sop_instance_uid,
      row.sha256,
    ]),
  );
  const done = { files: 0, thumbnails: 0, renditions: 0 };
  for (let count = 0; count < damages; count += perBatch) {
    await atRest();
    const originals = random.some(await storedFiles('files'), 14);
    const derived = [...(await storedFiles('thumbnails')), ...(await storedFiles('renditions'))];
    const chosen = [...originals, ...random.some(derived, perBatch - originals.length)];
    for (const file of chosen) {
      await damage(file, random, await stat(file));
      done[path.relative(archive.dataFolder, file).split(path.sep)[0] as keyof typeof done] += 1;
    }
    const damaged = new Set(originals.map((file) => path.basename(file)));
    for (const [uid, shown] of await allShown()) {
      const isDamaged = damaged.has(hashes.get(uid) ?? '');
      const expected: Partial<Shown> = right.get(uid) ?? {};
      for (const [route, text] of Object.entries(shown)) {
        const isRight = text === expected[route as keyof Shown];
        if (!isDamaged) expect([uid, route, isRight]).toEqual([uid, route, true]);
        else if (['file', 'part', 'zip'].includes(route))
          expect([uid, route, text]).toEqual([uid, route, '422 image-damaged']);
        // Intact derived files of the original bytes may still be returned.
        else if (!isRight) expect([uid, route, text]).toEqual([uid, route, '422 image-damaged']);
      }
    }
    await checkFiles();
    expect(await recordedFaults()).toEqual([...damaged].sort().map((sha256) => `damaged ${sha256}`));
    for (const image of await images())
      expect(image.storageFault?.kind ?? null).toBe(
        damaged.has(hashes.get(image.sopInstanceUid) ?? '') ? 'damaged' : null,
      );
    await archive.importAll(patientId, sent);
    await atRest();
    expect(await recordedFaults()).toEqual([]);
    expect(await allShown()).toEqual(right);
    for (const name of await storedFiles('files')) expect(hashOf(await readFile(name))).toBe(path.basename(name));
  }
  expect(done.files + done.thumbnails + done.renditions).toBe(damages);
  expect(Math.min(...Object.values(done))).toBeGreaterThan(5);
}, 180_000);
