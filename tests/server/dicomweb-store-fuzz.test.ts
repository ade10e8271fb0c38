import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonOf } from '../../dicom/dicom-json.ts';
import { readDicomFile } from '../../dicom/file.ts';
import { ProblemError } from '../../server/domain/problem-error.ts';
import { readRelatedParts } from '../../server/web/multipart.ts';
import { fuzzBounds } from '../dicom/fuzz-bounds.ts';
import { firstSeed, mutated, type Random, randomFrom } from '../dicom/mutate.ts';
import { type ArchiveUnderTest, archiveUnderTest } from './archive-under-test.ts';
import { describedBody, describedType } from './described-body.ts';
import { relatedBody, storeIn } from './dicomweb-store-under-test.ts';
import { objectAt } from './dicomweb-under-test.ts';

/** Bytes that are like delimiters. */
const pieces = [
  '--b1',
  '--b1--',
  '\r\n',
  '\r',
  '\n',
  '\r\n--b',
  '-',
  'Content-Type: application/dicom',
  ': ',
  'a',
  '\0',
];

const bodyOf = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: random(12) }, () => pieces[random(pieces.length)]).join(''), 'latin1');

async function* inChunks(bytes: Uint8Array, random: Random): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const most = bytes.length > 10_000 ? 65_536 : 400;
    const end = at + 1 + random(random(2) === 0 ? most / 100 : most);
    // A copy, as of a socket.
    yield Uint8Array.from(bytes.subarray(at, end));
    at = end;
  }
}

/** Reads all parts; of some only the beginning. */
const partsIn = async (bytes: Uint8Array, random: Random, skips = false): Promise<Buffer[]> => {
  const parts: Buffer[] = [];
  for await (const { body } of readRelatedParts(inChunks(bytes, random), 'b1')) {
    const chunks: Uint8Array[] = [];
    const isSkipped = skips && random(2) === 0;
    for await (const chunk of body) {
      if (isSkipped) break;
      chunks.push(chunk);
    }
    if (!isSkipped) parts.push(Buffer.concat(chunks));
  }
  return parts;
};

it('reads every part of a body in any chunks, and skips what is not read', async () => {
  console.log(`seed ${firstSeed}`);
  const random = randomFrom(firstSeed);
  for (let count = 0; count < 10_000; count++) {
    const sent = Array.from({ length: random(5) }, () => bodyOf(random)).filter(
      (bytes) => !`\r\n${bytes.toString('latin1')}\r\n`.includes('\r\n--b1'),
    );
    const body = relatedBody(sent, { partType: random(2) === 0 ? null : 'application/dicom' });
    expect(await partsIn(body, random)).toEqual(sent);
    const some = await partsIn(body, random, true);
    for (const part of some) expect(sent).toContainEqual(part);
  }
});

const inputs = 50_000;

/** Long runs of what a reader looks for. */
const longBody = (random: Random): Buffer =>
  Buffer.from((pieces[random(pieces.length)] ?? '').repeat(1 + random(200_000)), 'latin1');

it(`reads or refuses any bytes in little time and memory, ${inputs} bodies from the seed ${firstSeed}`, async () => {
  const bounds = fuzzBounds();
  let refused = 0;
  for (let seed = firstSeed; seed < firstSeed + inputs; seed++) {
    const random = randomFrom(seed);
    const isLong = random(500) === 0;
    const whole = Uint8Array.from(relatedBody([isLong ? longBody(random) : bodyOf(random), bodyOf(random)]));
    const bytes = random(4) === 0 ? Uint8Array.from(bodyOf(random)) : mutated(whole, random, whole);
    await bounds.run(`seed ${seed}`, async () => {
      try {
        await partsIn(bytes, random, true);
      } catch (error) {
        expect(error).toBeInstanceOf(ProblemError);
        refused += 1;
      }
    });
  }
  bounds.check();
  expect(refused).toBeGreaterThan(inputs / 20);
}, 300_000);

let archive: ArchiveUnderTest;
beforeAll(async () => {
  archive = await archiveUnderTest();
});
afterAll(() => archive?.close());

it('answers any objects and bodies without a fault, and stores what is whole', async () => {
  const random = randomFrom(firstSeed + 2);
  const web = storeIn(archive);
  const statuses = new Map<number, number>();
  for (let count = 0; count < 1_000; count++) {
    const whole = objectAt(`2.25.7${count}`);
    const objects = Array.from({ length: 1 + random(3) }, () =>
      random(2) === 0 ? whole : mutated(whole, random, whole),
    );
    const body = relatedBody(objects);
    const sent = random(3) === 0 ? Buffer.from(mutated(Uint8Array.from(body), random, body)) : body;
    const { status, text } = await web.send(sent);
    expect([200, 202, 400, 409, 415], text).toContain(status);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  for (const status of [200, 202, 400, 409]) expect(statuses.get(status) ?? 0, String(status)).toBeGreaterThan(10);
  expect(await web.store([objectAt('2.25.6')])).toMatchObject({ status: 200 });
  expect(archive.failures).toEqual([]);
});

/** JSON as text, of which some values are replaced by others. */
const hostileJson = (metadata: unknown, random: Random): string => {
  const values = [null, 1, -1, 1e300, '', 'A\\B', [], {}, [null], [{}], { vr: 'SQ', Value: [{}] }, 'pixels', true];
  return JSON.stringify(metadata, (_key, value) =>
    random(24) === 0 ? structuredClone(values[random(values.length)]) : value,
  );
};

it('answers any metadata and bulk data without a fault, stores what is whole, and leaves nothing on the disk', async () => {
  const random = randomFrom(firstSeed + 3);
  const web = storeIn(archive);
  const counts = new Map<number, number>();
  for (let count = 0; count < 1_500; count++) {
    const whole = readDicomFile(objectAt(`2.25.6${count}`)).dataSet;
    const metadata = [jsonOf(whole, () => 'pixels')];
    const pixels = new Uint8Array(random(8) === 0 ? random(200) : 96);
    const text = random(3) === 0 ? JSON.stringify(metadata) : hostileJson(metadata, random);
    const bytes = Uint8Array.from(Buffer.from(text));
    const types = ['application/octet-stream', 'application/octet-stream', 'image/jpeg', 'image/jls', 'x'];
    const parts = [
      {
        contentType: 'application/dicom+json',
        location: null,
        bytes: random(4) === 0 ? mutated(bytes, random, bytes) : bytes,
      },
      { contentType: types[random(types.length)] ?? '', location: random(8) === 0 ? 'other' : 'pixels', bytes: pixels },
    ];
    const body = describedBody(random(2) === 0 ? parts : parts.toReversed());
    const sent = random(4) === 0 ? Buffer.from(mutated(Uint8Array.from(body), random, body)) : body;
    const { status, text: answer } = await web.send(sent, { type: describedType });
    expect([200, 202, 400, 409], answer).toContain(status);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  for (const status of [200, 400, 409]) expect(counts.get(status) ?? 0, String(status)).toBeGreaterThan(5);
  expect(await readdir(path.join(archive.dataFolder, 'files', 'temporary'))).toEqual([]);
  expect(archive.failures).toEqual([]);
}, 300_000);
