import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectPicture } from '../../server/dicom/inspect-picture.ts';
import { readPicture } from '../../server/dicom/picture-pixels.ts';
import { pictureThumbnail } from '../../server/dicom/picture-thumbnail.ts';
import { kindOfHead } from '../../server/imports/read/file-kind.ts';
import { tiffOf } from './build-tiff.ts';
import { heicPicture } from './heic-picture.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-tiff-'));
});
afterAll(() => rm(folder, { recursive: true }));

const saved = async (bytes: Uint8Array) => {
  const file = path.join(folder, `${Math.random()}`);
  await writeFile(file, bytes);
  return { path: file };
};

const [width, height] = [5, 3];
const values = Array.from({ length: width * height }, (_, index) => index * 4000 + 3);
const wide = (little: boolean): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries())
    if (little) bytes.writeUInt16LE(value, index * 2);
    else bytes.writeUInt16BE(value, index * 2);
  return bytes;
};
const grey = Buffer.from(values.map((value) => value >> 8));
const wideTiff = (little = true, tags = {}) =>
  tiffOf({ width, height, bits: 16, strip: wide(little), tags }, { little });
const greyTiff = (tags: Readonly<Record<number, number>> = {}, pages = 1) =>
  tiffOf({ width, height, bits: 8, strip: grey, tags }, { pages });

const pixelsOf = async (bytes: Uint8Array): Promise<number[]> => {
  const read = await readPicture(bytes);
  return read.kind === 'jpeg' ? [] : [...read.pixels];
};
const colours = Uint8Array.from({ length: width * height * 3 }, (_, index) => (index * 37) % 256);
const rgb = () => sharp(colours, { raw: { width, height, channels: 3 } });

describe('TIFF', () => {
  it.each([['little endian', true] as const, ['big endian', false] as const])(
    'of 16 bits keeps its values: %s',
    async (_, little) => {
      const tiff = wideTiff(little);
      expect(kindOfHead(tiff.subarray(0, 132))).toBe('picture');
      expect(await readPicture(tiff)).toMatchObject({ kind: 'grey', bits: 16, rows: 3, columns: 5, lossyMethod: null });
      expect(await pixelsOf(tiff)).toEqual(values);
    },
  );

  it('of 8 bits keeps its values', async () => {
    expect(await readPicture(greyTiff())).toMatchObject({ kind: 'grey', bits: 8, lossyMethod: null });
    expect(await pixelsOf(greyTiff())).toEqual([...grey]);
  });

  it('whose zero is white is inverted, so that it is displayed as it was stored', async () => {
    expect(await pixelsOf(greyTiff({ 262: 0 }))).toEqual([...grey].map((value) => 255 - value));
    expect(await pixelsOf(wideTiff(true, { 262: 0 }))).toEqual(values.map((value) => 65_535 - value));
  });

  it.each(['lzw', 'deflate', 'packbits', 'none'] as const)(
    'of colours, with the compression %s',
    async (compression) => {
      const tiff = await rgb().tiff({ compression }).toBuffer();
      expect(await readPicture(tiff)).toMatchObject({ kind: 'rgb', rows: 3, columns: 5, lossyMethod: null });
      expect(await pixelsOf(tiff)).toEqual([...colours]);
    },
  );

  it('with a JPEG in it is marked as lossy', async () => {
    const tiff = await rgb().tiff({ compression: 'jpeg' }).toBuffer();
    expect(await readPicture(tiff)).toMatchObject({ kind: 'rgb', lossyMethod: 'ISO_10918_1' });
  });

  it.each([
    ['several pages', () => greyTiff({}, 2)],
    ['32 bits', () => tiffOf({ width, height, bits: 32, strip: Buffer.alloc(60) })],
    ['floating-point values', () => tiffOf({ width, height, bits: 32, strip: Buffer.alloc(60), tags: { 339: 3 } })],
    ['signed values', () => wideTiff(true, { 339: 2 })],
    ['a DNG version', () => greyTiff({ 50706: 1 })],
    ['a preview as its first image', () => greyTiff({ 254: 1 })],
  ])('with %s is rejected as not supported', async (_, make) => {
    await expect(readPicture(make())).rejects.toMatchObject({ code: 'picture-unsupported' });
  });

  it.each([
    ['12 bits', () => tiffOf({ width, height, bits: 12, strip: Buffer.alloc(23) })],
    ['too few bytes', () => greyTiff().subarray(0, 20)],
  ])('with %s is rejected', async (_, make) => {
    await expect(readPicture(make())).rejects.toMatchObject({ name: 'DicomProblem' });
  });
});

describe('HEIC', () => {
  it('is decoded in sRGB, not rotated by its Exif, and marked as lossy', async () => {
    expect(kindOfHead(Buffer.from(heicPicture.subarray(0, 132)))).toBe('picture');
    const read = await readPicture(heicPicture);
    expect(read).toMatchObject({ kind: 'rgb', rows: 16, columns: 32, lossyMethod: 'ISO_23008_2' });
    const pixels = await pixelsOf(heicPicture);
    const [left, right] = [pixels.slice(0, 3), pixels.slice(-3)];
    for (const [index, value] of [200, 100, 50].entries()) expect(Math.abs((left[index] ?? 0) - value)).toBeLessThan(4);
    for (const [index, value] of [30, 160, 90].entries()) expect(Math.abs((right[index] ?? 0) - value)).toBeLessThan(4);
  });

  it('has an acquisition time', async () => {
    expect(await inspectPicture(await saved(heicPicture), 2 ** 20)).toEqual({
      width: 32,
      height: 16,
      acquiredAt: '2026-03-04T10:11:12',
    });
  });

  it('has a thumbnail', async () => {
    const { bytes, ...size } = await pictureThumbnail(await saved(heicPicture), { maxEdge: 16 }, 2 ** 20);
    expect(size).toMatchObject({ width: 16, height: 8 });
    const [red = 0, green = 0, blue = 0] = await sharp(bytes).raw().toBuffer();
    expect([red > 180, green > 80 && green < 120, blue < 80]).toEqual([true, true, true]);
  });

  it('that is cut off is damaged', async () => {
    await expect(readPicture(heicPicture.subarray(0, -300))).rejects.toMatchObject({ code: 'picture-damaged' });
  });
});
