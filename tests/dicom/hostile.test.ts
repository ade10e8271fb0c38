import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCodecs } from '../../server/dicom/codecs.ts';
import { inspectFile } from '../../server/dicom/inspect.ts';
import {
  bytesOf,
  element,
  encapsulated,
  implicitLittle,
  item,
  openSequence,
  part10,
  pictureHeader,
  us,
  words,
} from './build-dicom.ts';

const codecs = createCodecs();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-hostile-'));
});
afterAll(() => rm(folder, { recursive: true }));

const undefinedLength = 0xffffffff;
const header = (more?: Uint8Array, frames?: number) =>
  pictureHeader({ rows: 4, columns: 4, ...(more ? { more } : {}), ...(frames ? { frames } : {}) });
const pixels = element(0x7fe00010, 'OB', new Uint8Array(16));
const times = (count: number, bytes: Uint8Array): Uint8Array => {
  const out = new Uint8Array(count * bytes.length);
  for (let index = 0; index < count; index++) out.set(bytes, index * bytes.length);
  return out;
};

const openTag = bytesOf(element(0x00082112, 'SQ', [], undefined, undefinedLength));
const openItem = Uint8Array.of(0xfe, 0xff, 0x00, 0xe0, 0xff, 0xff, 0xff, 0xff);
const deep = times(20_000, bytesOf(openTag, openItem));

/** Nested items of defined length. */
const nested = (levels: number, tag: number): Uint8Array => {
  let inner = element(0x00080100, 'SH', 'x');
  for (let level = 0; level < levels; level++) inner = element(tag, 'SQ', item(inner));
  return inner;
};

const manyTags = (count: number): Uint8Array => {
  const out = new Uint8Array(count * 8);
  for (let index = 0; index < count; index++) {
    out.set([0x29 + 2 * (index >> 16), 0, index & 0xff, (index >> 8) & 0xff, 0x55, 0x53, 0, 0], index * 8);
  }
  return out;
};

const j2kOf = (side: number): Uint8Array => {
  const siz = new DataView(new ArrayBuffer(60));
  for (const [at, value] of [
    [0, 0xff4f],
    [2, 0xff51],
    [4, 41],
    [6, 0],
    [40, 1],
    [52, 0xff90],
  ] as const) {
    siz.setUint16(at, value);
  }
  for (const at of [8, 12, 24, 28]) siz.setUint32(at, side);
  siz.setUint8(42, 7);
  siz.setUint8(43, 1);
  siz.setUint8(44, 1);
  return new Uint8Array(siz.buffer);
};

const implicit = (...parts: readonly Uint8Array[]) => part10(bytesOf(...parts), '1.2.840.10008.1.2');

/** Every file gives a known problem (or `none`) quickly and with little memory. */
describe('a hostile file', () => {
  it.each<[string, () => Uint8Array, RegExp]>([
    ['of sequences 20,000 deep', () => part10(bytesOf(deep, header(), pixels)), /malformed|truncated/],
    ['of sequences deep in one that is read', () => part10(bytesOf(nested(500, 0x00082228), header(), pixels)), /none/],
    [
      'of a sequence that never ends',
      () => part10(bytesOf(openTag, times(300_000, item(new Uint8Array())))),
      /truncated/,
    ],
    [
      'of 300,000 items in a sequence that is read',
      () => part10(bytesOf(header(openSequence(0x00283010, [times(300_000, item(new Uint8Array()))])), pixels)),
      /too-large/,
    ],
    ['of 300,000 elements', () => part10(bytesOf(element(0x00080016, 'UI', '1.2'), manyTags(300_000))), /too-large/],
    [
      'of two million fragments',
      () =>
        part10(
          bytesOf(
            header(),
            element(0x7fe00010, 'OB', [], undefined, undefinedLength),
            times(2_000_000, item(new Uint8Array())),
          ),
          '1.2.840.10008.1.2.4.70',
        ),
      /too-large/,
    ],
    [
      'of fragments that never end',
      () => part10(bytesOf(header(), encapsulated([], [new Uint8Array(50)], false)), '1.2.840.10008.1.2.4.70'),
      /pixel-data-short/,
    ],
    [
      'of a fragment longer than the file',
      () =>
        part10(
          bytesOf(
            header(),
            element(0x7fe00010, 'OB', [], undefined, undefinedLength),
            item(new Uint8Array()),
            [0xfe, 0xff, 0x00, 0xe0, 0xf0, 0xff, 0xff, 0xff, 1, 2, 3],
          ),
          '1.2.840.10008.1.2.4.70',
        ),
      /pixel-data-short/,
    ],
    [
      'of two thousand million frames',
      () => part10(bytesOf(header(undefined, 2_147_483_647), pixels)),
      /pixel-data-short/,
    ],
    [
      'of as many frames, compressed, with a table',
      () =>
        part10(
          bytesOf(
            header(undefined, 2_000_000),
            encapsulated(
              Array.from({ length: 1000 }, () => 0),
              [new Uint8Array(9)],
            ),
          ),
          '1.2.840.10008.1.2.4.70',
        ),
      /pixel-data-short/,
    ],
    [
      'whose rows are fifty million numbers',
      () =>
        implicit(
          pictureHeader({ rows: 4, columns: 4 }, implicitLittle).subarray(0, 60),
          element(0x00280010, 'US', new Uint8Array(50_000_000).fill(1), implicitLittle),
        ),
      /none|malformed|truncated|no-/,
    ],
    [
      'whose patient name is twenty million spaces and a character',
      () =>
        implicit(element(0x00100010, 'PN', new Uint8Array(20_000_000).fill(32).fill(65, 19_999_999), implicitLittle)),
      /none/,
    ],
    [
      'whose patient name consists of delimiters in Japanese',
      () =>
        implicit(
          element(0x00080005, 'CS', '\\ISO 2022 IR 87', implicitLittle),
          element(0x00100010, 'PN', new Uint8Array(5_000_000).fill(0x5e), implicitLittle),
        ),
      /none/,
    ],
    [
      'that inflates to a quarter of a gigabyte',
      () => part10(new Uint8Array(deflateRawSync(new Uint8Array(2 ** 28))), '1.2.840.10008.1.2.1.99'),
      /too-large/,
    ],
    [
      'that claims 60,000 x 60,000 pixels',
      () => part10(bytesOf(pictureHeader({ rows: 60_000, columns: 60_000 }), pixels)),
      /too-large|pixel-data-short/,
    ],
    [
      'of a codestream of sixty bytes that claims 16,000 x 16,000',
      () =>
        part10(
          bytesOf(pictureHeader({ rows: 16_000, columns: 16_000 }), encapsulated([], [j2kOf(16_000)])),
          '1.2.840.10008.1.2.4.90',
        ),
      /too-large/,
    ],
    [
      'whose palette names one empty segment again and again',
      () =>
        part10(
          bytesOf(
            pictureHeader({
              rows: 4,
              columns: 4,
              photometric: 'PALETTE COLOR',
              more: bytesOf(
                ...[0x00281101, 0x00281102, 0x00281103].map((tag) => us(tag, [0, 0, 16])),
                ...[0x00281221, 0x00281222, 0x00281223].map((tag) =>
                  element(tag, 'OW', words([0, 0, ...Array.from({ length: 30_000 }, () => [2, 65_535, 0, 0]).flat()])),
                ),
              ),
            }),
            pixels,
          ),
        ),
      /malformed/,
    ],
  ])('%s is rejected or read, quickly and without excessive memory', async (_, make, expected) => {
    const file = path.join(folder, `${Math.random()}`);
    await writeFile(file, make());
    const before = process.memoryUsage().rss;
    const start = performance.now();
    const { problems } = await inspectFile({ path: file }, 2 ** 30, codecs);
    expect(problems[0]?.code ?? 'none').toMatch(expected);
    expect(problems[0]?.detail ?? '').not.toMatch(/NaN|\[object/);
    expect(performance.now() - start).toBeLessThan(8000);
    expect(process.memoryUsage().rss - before).toBeLessThan(250e6);
  });
});
