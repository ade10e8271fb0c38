import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { deflateRaw } from 'pako';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileProblem } from '../../contract/imports.ts';
import { createImaging, type Imaging } from '../../server/dicom/imaging.ts';
import { type Reading, readReceivedFile } from '../../server/imports/read/read-file.ts';
import type { FileStore } from '../../server/storage/file-store.ts';
import {
  bytesOf,
  directoryFile,
  element,
  encapsulated,
  explicitBig,
  implicitLittle,
  item,
  openItem,
  openSequence,
  part10,
  pictureHeader,
  type Syntax,
  us,
  words,
} from './build-dicom.ts';
import { corpusFiles, corpusFolder } from './corpus.ts';
import { encodeLossless, encodeSequential } from './encode-jpeg.ts';
import { firstSeed, fuzzSeconds, mutated, randomFrom } from './mutate.ts';

const seconds = fuzzSeconds(18);
const concurrency = 4;
/** Skips larger files of the corpus: they take long and find no more errors. */
const maxSample = 150_000;

const [rows, columns] = [16, 16];
const samples = Array.from({ length: rows * columns }, (_, index) => (index * 13) % 4096);
const raster = { rows, columns, components: 1, precision: 12, samples };

const header = (syntax?: Syntax, more?: Uint8Array, frames?: number): Uint8Array =>
  bytesOf(
    openSequence(0x00082228, [openItem(element(0x00080100, 'SH', 'T-54210', syntax), syntax)], syntax),
    element(0x00100010, 'PN', 'Fuzz^Anna', syntax),
    pictureHeader(
      { rows, columns, bits: 16, stored: 12, ...(more ? { more } : {}), ...(frames ? { frames } : {}) },
      syntax,
    ),
  );
const native = (syntax?: Syntax) => bytesOf(header(syntax), element(0x7fe00010, 'OW', words(samples, syntax), syntax));
const lut = element(
  0x00283010,
  'SQ',
  item(bytesOf(us(0x00283002, [4, 0, 12]), element(0x00283006, 'OW', words([0, 9, 99, 999])))),
);
const perFrame = openSequence(
  0x52009230,
  [1, 2].map(() => openItem(element(0x00289145, 'SQ', item(element(0x00281053, 'DS', '2'))))),
);
const palette = bytesOf(
  ...[0x00281101, 0x00281102, 0x00281103].map((tag) => us(tag, [256, 0, 16])),
  ...[0x00281221, 0x00281222, 0x00281223].map((tag) => element(tag, 'OW', words([0, 2, 5, 9, 1, 254, 60_000]))),
);
const rle = bytesOf([1, 0, 0, 0, 64, 0, 0, 0], new Uint8Array(56), [0x81, 7, 0x81, 9]);

const made = async (): Promise<[string, Uint8Array][]> => {
  const colour = sharp({ create: { width: 24, height: 16, channels: 3, background: '#a05030' } });
  const jpeg = await colour
    .clone()
    .jpeg()
    .withExif({ IFD2: { DateTimeOriginal: '2024:05:06 07:08:09' } })
    .toBuffer();
  const rgb = pictureHeader({ rows: 16, columns: 24, samples: 3, photometric: 'YBR_FULL', planar: 0 });
  return [
    ['native', part10(bytesOf(header(undefined, lut), element(0x7fe00010, 'OW', words(samples))))],
    ['implicit', part10(native(implicitLittle), '1.2.840.10008.1.2')],
    ['big endian', part10(native(explicitBig), '1.2.840.10008.1.2.2')],
    ['without meta information', native(implicitLittle)],
    ['deflated', part10(deflateRaw(native()), '1.2.840.10008.1.2.1.99')],
    [
      'lossless JPEG',
      part10(bytesOf(header(), encapsulated([], [encodeLossless(raster, 4)])), '1.2.840.10008.1.2.4.70'),
    ],
    [
      '12-bit JPEG',
      part10(bytesOf(header(), encapsulated([], [encodeSequential(raster, 4)])), '1.2.840.10008.1.2.4.51'),
    ],
    ['baseline JPEG', part10(bytesOf(rgb, encapsulated([], [jpeg])), '1.2.840.10008.1.2.4.50')],
    [
      'frames',
      part10(
        bytesOf(
          header(undefined, undefined, 2),
          perFrame,
          encapsulated([0, 400], [encodeLossless(raster, 1), encodeLossless(raster, 7)]),
        ),
        '1.2.840.10008.1.2.4.57',
      ),
    ],
    [
      'palette',
      part10(
        bytesOf(
          pictureHeader({ rows: 16, columns: 16, photometric: 'PALETTE COLOR', more: palette }),
          encapsulated([], [rle]),
        ),
        '1.2.840.10008.1.2.5',
      ),
    ],
    ['DICOMDIR', directoryFile(['DICOM\\IM000001', 'DICOM\\IM000002'])],
    ['jpg', new Uint8Array(jpeg)],
    ['png', new Uint8Array(await colour.png().withMetadata({ orientation: 6 }).toBuffer())],
  ];
};

const fromCorpus = (): [string, Uint8Array][] =>
  corpusFiles()
    .filter((name) => statSync(path.join(corpusFolder, name)).size <= maxSample)
    .map((name) => [name, new Uint8Array(readFileSync(path.join(corpusFolder, name)))]);

describe('mutated files', () => {
  let folder = '';
  let imaging: Imaging;
  const unexpected: unknown[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-fuzz-'));
    imaging = createImaging({ timeLimitMs: 20_000 });
  });
  afterAll(async () => {
    await imaging.close();
    await rm(folder, { recursive: true });
  });

  /** Reads a file as an import does; throws on an unexpected outcome. */
  const read = async (bytes: Uint8Array, worker: number): Promise<string> => {
    const file = path.join(folder, `${worker}`);
    await writeFile(file, bytes);
    const files = { localPath: async () => file } as unknown as FileStore;
    const reading: Reading = { files, imaging, onFailure: (error) => unexpected.push(error), isClosing: () => false };
    const facts = {
      task_id: 'fuzz',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      size_bytes: bytes.length,
    };
    const answer = await readReceivedFile(reading, facts);
    if (unexpected.length > 0) throw unexpected[0];
    if (answer.kind !== 'refused') return answer.kind;
    if (answer.problem === 'took-too-long' || / (crashed|stopped) on /.test(answer.detail))
      throw new Error(answer.detail);
    return fileProblem.parse(answer.problem);
  };

  it(
    `are read, or rejected with a known problem, for ${seconds} s: no crash, no timeout, bounded memory`,
    async () => {
      const sound = [...(await made()), ...fromCorpus()];
      const outcomes = new Map<string, number>();
      const before = process.memoryUsage().rss;
      const until = performance.now() + seconds * 1000;
      let most = 0;
      let seed = firstSeed;
      const run = async (worker: number): Promise<void> => {
        while (performance.now() < until) {
          const random = randomFrom(seed);
          const here = `DENTARIUM_FUZZ_SEED=${seed++}`;
          const [name, bytes] = sound[random(sound.length)] ?? ['', new Uint8Array()];
          const [, other] = sound[random(sound.length)] ?? ['', bytes];
          const broken = mutated(bytes, random, other);
          const outcome = await read(broken, worker).catch((error: unknown) => {
            throw new Error(`${name}, ${here}: ${error instanceof Error ? error.stack : error}`);
          });
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          most = Math.max(most, process.memoryUsage.rss() - before);
          if (most > 800e6) throw new Error(`${Math.round(most / 1e6)} MB more than before at ${name}, ${here}`);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, (_, worker) => run(worker)));
      const counts = [...outcomes]
        .sort(([, one], [, other]) => other - one)
        .map(([outcome, count]) => `${outcome} ${count}`);
      console.log(
        `${seed - firstSeed} files of ${sound.length}, at most ${Math.round(most / 1e6)} MB: ${counts.join(', ')}`,
      );
      expect(outcomes.size).toBeGreaterThan(6);
      expect(seed - firstSeed).toBeGreaterThan(100);
    },
    seconds * 1000 + 120_000,
  );
});
