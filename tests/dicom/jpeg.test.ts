import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { ybrFullToRgb } from '../../dicom/colour-conversion.ts';
import { decodeJpeg } from '../../dicom/jpeg/decode-jpeg.ts';
import { decodeLosslessJpeg } from '../../dicom/jpeg/decode-lossless.ts';
import { encodeLossless, encodeSequential, type Raster } from './encode-jpeg.ts';

const noise = (count: number, largest: number, seed = 1): number[] => {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * (largest + 1));
  });
};

const raster = (rows: number, columns: number, components: number, precision: number): Raster => ({
  rows,
  columns,
  components,
  precision,
  samples: noise(rows * columns * components, 2 ** precision - 1),
});

/** Waves over the whole range of the precision. */
const smooth = (rows: number, columns: number, precision: number): Raster => {
  const middle = 2 ** (precision - 1);
  const samples = Array.from({ length: rows * columns }, (_, index) => {
    const [x, y] = [index % columns, Math.floor(index / columns)];
    return Math.round(middle + middle * 0.45 * (Math.sin(x / 9) + Math.cos(y / 7 + x / 31)));
  });
  return { rows, columns, components: 1, precision, samples };
};

const differences = (ours: ArrayLike<number>, theirs: ArrayLike<number>) => {
  let largest = 0;
  let sum = 0;
  for (let index = 0; index < theirs.length; index++) {
    const difference = (ours[index] ?? -1e6) - (theirs[index] ?? 0);
    largest = Math.max(largest, Math.abs(difference));
    sum += difference;
  }
  return { largest, mean: sum / theirs.length };
};

describe('lossless JPEG', () => {
  it.each([1, 2, 3, 4, 5, 6, 7])('with predictor %i restores every value', (predictor) => {
    const source = raster(11, 7, 1, 16);
    const { samples, ...picture } = decodeLosslessJpeg(encodeLossless(source, predictor));
    expect(picture).toEqual({ rows: 11, columns: 7, components: 1, precision: 16 });
    expect([...samples]).toEqual(source.samples);
  });

  it.each([
    [8, 1, 0],
    [12, 1, 0],
    [10, 3, 0],
    [8, 3, 4],
    [16, 1, 2],
  ])('of %i bits, %i components, restart every %i rows', (precision, components, restartRows) => {
    const source = raster(9, 6, components, precision);
    expect([...decodeLosslessJpeg(encodeLossless(source, 4, restartRows)).samples]).toEqual(source.samples);
  });

  it('throws when truncated or not lossless', () => {
    const whole = encodeLossless(raster(40, 40, 1, 12), 1);
    expect(() => decodeLosslessJpeg(whole.subarray(0, 800))).toThrow('decode-failed: JPEG: the entropy coded data end');
    expect(() => decodeLosslessJpeg(encodeSequential(smooth(8, 8, 8), 1))).toThrow('not a lossless one');
    expect(() => decodeLosslessJpeg(Uint8Array.of(1, 2, 3))).toThrow('there is no scan');
  });
});

describe('lossy JPEG', () => {
  it('of 12 bits is exact except for rounding, without bias', () => {
    const source = smooth(61, 83, 12);
    const { samples, precision } = decodeJpeg(encodeSequential(source, 1));
    const { largest, mean } = differences(samples, source.samples);
    expect(precision).toBe(12);
    expect(largest).toBeLessThanOrEqual(2);
    expect(Math.abs(mean)).toBeLessThan(0.02);
  });

  it('of 12 bits stays unbiased when coarsely quantised', () => {
    const source = smooth(128, 128, 12);
    const { mean } = differences(decodeJpeg(encodeSequential(source, 24)).samples, source.samples);
    expect(Math.abs(mean)).toBeLessThan(0.5);
  });

  it.each([
    ['baseline', { progressive: false }],
    ['progressive', { progressive: true }],
    ['restart-free optimised', { progressive: false, optimiseCoding: true }],
    ['progressive, scans optimised', { progressive: true, optimiseScans: true }],
  ])('greyscale, %s, as libjpeg decodes it', async (_, options) => {
    const raw = { width: 83, height: 61, channels: 1 as const };
    const source = Uint8Array.from(smooth(61, 83, 8).samples);
    const jpeg = await sharp(source, { raw })
      .toColourspace('b-w')
      .jpeg({ quality: 80, ...options })
      .toBuffer();
    const theirs = await sharp(jpeg).toColourspace('b-w').raw().toBuffer();
    expect(differences(decodeJpeg(jpeg).samples, theirs).largest).toBeLessThanOrEqual(1);
  });

  it.each(['4:4:4', '4:2:0'])('colour with chroma %s, as libjpeg decodes it', async (chromaSubsampling) => {
    const [width, height] = [53, 37];
    const source = Uint8Array.from({ length: width * height * 3 }, (_, index) => {
      const [pixel, channel] = [Math.floor(index / 3), index % 3];
      return 128 + 100 * Math.sin((pixel % width) / (6 + channel) + Math.floor(pixel / width) / 11);
    });
    const raw = { width, height, channels: 3 as const };
    const jpeg = await sharp(source, { raw }).jpeg({ quality: 92, chromaSubsampling }).toBuffer();
    const theirs = await sharp(jpeg).raw().toBuffer();
    const { samples } = decodeJpeg(jpeg);
    ybrFullToRgb(samples, 8);
    const { largest, mean } = differences(samples, theirs);
    expect(largest).toBeLessThanOrEqual(4);
    expect(Math.abs(mean)).toBeLessThan(0.2);
  });

  it('throws when truncated', () => {
    const whole = encodeSequential(smooth(64, 64, 12), 1);
    expect(() => decodeJpeg(whole.subarray(0, 1200))).toThrow('the entropy coded data end too early');
    expect(() => decodeJpeg(whole.subarray(0, 300))).toThrow('there is no scan');
  });
});
