import { describe, expect, it } from 'vitest';
import { noiseOf } from '../../src/viewer/decode/filters/bilateral.ts';
import { planeOf } from '../../src/viewer/decode/filters/plane.ts';
import { histogramOf, percentile } from '../../src/viewer/decode/histogram.ts';
import type { ImagePixels, LoadedImage } from '../../src/viewer/decode/loaded-image.ts';
import { filteredPixels, noFilters, type PixelFilters } from '../../src/viewer/decode/pixel-filters.ts';
import { tilesOf, valuesOf } from '../../src/viewer/layers/tiles.ts';

const grey = (width: number, height: number, value: (x: number, y: number) => number): ImagePixels => ({
  format: 'u16',
  values: Uint16Array.from({ length: width * height }, (_, index) => value(index % width, Math.floor(index / width))),
});

const off: PixelFilters = noFilters;
const filtered = (picture: ImagePixels, size: readonly [number, number], filters: Partial<PixelFilters>) =>
  filteredPixels(picture, size[0], size[1], { ...off, ...filters });
const median = (strength: number) => ({ noise: { kind: 'median', strength } as const });
const bilateral = (strength: number) => ({ noise: { kind: 'bilateral', strength } as const });

/** Deterministic pseudo-random numbers. */
const chance = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
};

const noisyEdge = (size: number) => {
  const next = chance(7);
  return grey(size, size, (x) => (x < size / 2 ? 1000 : 3000) + Math.round(60 * (next() + next() + next() - 1.5)));
};

const deviation = (values: readonly number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
};

describe('filters', () => {
  it.each([0.5, 1])('median of strength %d removes a single bright pixel and keeps an edge', (strength) => {
    const spot = grey(9, 9, (x, y) => (x === 4 && y === 4 ? 60000 : 100));
    expect([...new Set(filtered(spot, [9, 9], median(strength)).values)]).toEqual([100]);
    const edge = grey(9, 9, (x) => (x < 4 ? 10 : 900));
    expect(filtered(edge, [9, 9], median(strength)).values).toEqual(edge.values);
  });

  it.each([
    [0.5, 1],
    [1, 2],
  ] as const)('median of strength %d is the middle of all neighbours, edges repeated', (strength, radius) => {
    const size = 23;
    const random = grey(size, size, (x, y) => (x * 7919 + y * 104729 + x * y * 31) % 97);
    const at = (x: number, y: number) => {
      const inside = (value: number) => Math.min(size - 1, Math.max(0, value));
      return random.values[inside(y) * size + inside(x)] ?? 0;
    };
    const middle = (x: number, y: number) => {
      const steps = Array.from({ length: 2 * radius + 1 }, (_, index) => index - radius);
      const around = steps.flatMap((down) => steps.map((right) => at(x + right, y + down)));
      return around.sort((one, other) => one - other)[around.length >> 1] ?? 0;
    };
    const { values } = filtered(random, [size, size], median(strength));
    expect([...values]).toEqual([...grey(size, size, middle).values]);
  });

  it('median increases continuously from off to 5 x 5', () => {
    const spot = grey(9, 9, (x, y) => (x === 4 && y === 4 ? 1100 : 100));
    const middle = (strength: number) => filtered(spot, [9, 9], median(strength)).values[40];
    expect([0, 0.1, 0.25, 0.4, 0.5, 0.75].map(middle)).toEqual([1100, 900, 600, 300, 100, 100]);
  });

  it('bilateral reduces noise and preserves edges', () => {
    const size = 64;
    const picture = noisyEdge(size);
    const { values } = filtered(picture, [size, size], bilateral(1));
    const dark = (of: ImagePixels['values']) =>
      [...of].filter((_, at) => at % size < size / 2 - 3 && at % size > 2).map(Number);
    expect(deviation(dark(values))).toBeLessThan(0.5 * deviation(dark(picture.values)));
    const row = [...values.slice(20 * size, 21 * size)];
    expect(Math.max(...row.slice(0, size / 2))).toBeLessThan(1150);
    expect(Math.min(...row.slice(size / 2))).toBeGreaterThan(2850);
  });

  it('bilateral matches the formula, weaker at 0.25 than at 1', () => {
    const size = 32;
    const picture = noisyEdge(size);
    const sigma = 4 * 0.25 * noiseOf(planeOf(picture, size, size, 0));
    const at = (x: number, y: number) => picture.values[y * size + x] ?? 0;
    let sum = 0;
    let total = 0;
    for (let down = -2; down <= 2; down++)
      for (let right = -2; right <= 2; right++) {
        const value = at(10 + right, 12 + down);
        const near = Math.exp(-(right ** 2 + down ** 2) / (2 * 1.5 ** 2));
        const weight = near * Math.exp(-((value - at(10, 12)) ** 2) / (2 * sigma ** 2));
        sum += weight * value;
        total += weight;
      }
    const result = filtered(picture, [size, size], bilateral(0.25)).values[12 * size + 10] ?? 0;
    expect(Math.abs(result - sum / total)).toBeLessThanOrEqual(1);
  });

  it('estimates the noise of a picture', () => {
    const next = chance(3);
    const sum = () => Array.from({ length: 12 }, next).reduce((all, one) => all + one, -6);
    const flat = grey(200, 200, (x) => 5000 + 3 * x + Math.round(40 * sum()));
    expect(noiseOf(planeOf(flat, 200, 200, 0))).toBeGreaterThan(36);
    expect(noiseOf(planeOf(flat, 200, 200, 0))).toBeLessThan(44);
  });

  it('smooths a spot with the binomial kernel when the sharpness is below 0', () => {
    const spot = grey(5, 5, (x, y) => (x === 2 && y === 2 ? 25600 : 0));
    const { values } = filtered(spot, [5, 5], { sharpness: -1 });
    expect([...values.slice(10, 15)]).toEqual([600, 2400, 3600, 2400, 600]);
    expect(filtered(spot, [5, 5], { sharpness: -0.5 }).values[12]).toBe(12800 + 1800);
  });

  it('sharpens edges, leaves uniform parts unchanged, clamps values', () => {
    const edge = grey(12, 3, (x) => (x < 6 ? 0 : 65535));
    expect([...filtered(edge, [12, 3], { sharpness: 1 }).values.slice(12, 24)]).toEqual([
      0, 0, 0, 0, 0, 0, 65535, 65535, 65535, 65535, 65535, 65535,
    ]);
    const soft = grey(12, 3, (x) => (x < 6 ? 1600 : 3200));
    expect([...filtered(soft, [12, 3], { sharpness: 0.5 }).values.slice(12, 24)]).toEqual([
      1600, 1600, 1600, 1600, 1500, 1100, 3700, 3300, 3200, 3200, 3200, 3200,
    ]);
  });

  it('equalisation enhances faint patterns in bright and dark parts and preserves order', () => {
    const size = 128;
    const next = chance(11);
    const faint = grey(
      size,
      size,
      (x, y) => (x < 64 ? 4000 : 40000) + 300 * ((x >> 2) % 2) + (y % 7) + Math.floor(next() * 40),
    );
    const { values } = filtered(faint, [size, size], { equalisation: 1 });
    const contrast = (of: ImagePixels['values'], from: number) =>
      Math.abs((of[40 * size + from + 5] ?? 0) - (of[40 * size + from + 2] ?? 0));
    for (const from of [8, 104]) expect(contrast(values, from)).toBeGreaterThan(2 * contrast(faint.values, from));
    const here = (x: number) => values[40 * size + x] ?? 0;
    expect(here(20)).toBeLessThan(here(110));
  });

  it('equalisation at half strength has half the effect; a uniform picture is unchanged', () => {
    const size = 64;
    const next = chance(5);
    const picture = grey(size, size, () => Math.round(20000 * next() ** 3));
    const whole = filtered(picture, [size, size], { equalisation: 1 }).values;
    const half = filtered(picture, [size, size], { equalisation: 0.5 }).values;
    half.forEach((value, at) => {
      expect(Math.abs(value - ((picture.values[at] ?? 0) + (whole[at] ?? 0)) / 2)).toBeLessThanOrEqual(1);
    });
    const flat = grey(8, 8, () => 77);
    expect(filtered(flat, [8, 8], { equalisation: 1 }).values).toEqual(flat.values);
  });

  it('returns the same object when off', () => {
    const picture = grey(3, 3, (x) => x);
    expect(filteredPixels(picture, 3, 3, off)).toBe(picture);
    expect(filtered(picture, [3, 3], median(0))).toBe(picture);
  });

  it('filters colour channels separately and keeps alpha', () => {
    const values = Uint8Array.from({ length: 36 }, (_, index) => [10, 20, 30, 255][index % 4] ?? 0);
    values[16] = 250;
    const cleaned = filtered({ format: 'rgba8', values }, [3, 3], median(0.5));
    expect([...cleaned.values.slice(16, 20)]).toEqual([10, 20, 30, 255]);
  });

  it('keeps the sign and the fractions', () => {
    const signed: ImagePixels = { format: 's16', values: Int16Array.from({ length: 49 }, (_, at) => at * 100 - 2400) };
    expect(filtered(signed, [7, 7], { sharpness: -1 }).values[24]).toBe(0);
    const fractions: ImagePixels = { format: 'f32', values: Float32Array.from({ length: 25 }, () => 0.25) };
    expect([...new Set(filtered(fractions, [5, 5], { sharpness: -1 }).values)]).toEqual([0.25]);
  });
});

const description = { padding: null } as LoadedImage['description'];

describe('histogram', () => {
  const picture = grey(10, 10, (x) => x * 100);
  const size = { pixelWidth: 10, pixelHeight: 10, reduction: 1, coded: null };
  it('counts modality values over the range of the image', () => {
    const modality = { kind: 'rescale', slope: 0.5, intercept: -100 } as const;
    const { low, high, counts } = histogramOf(
      { ...size, pixels: picture, modality, range: { low: -100, high: 350 }, description },
      9,
    );
    expect([low, high, ...counts]).toEqual([-100, 350, 10, 10, 10, 10, 10, 10, 10, 10, 20]);
  });
  it('ignores padding', () => {
    const modality = { kind: 'rescale', slope: 1, intercept: 0 } as const;
    const padded = { ...description, padding: { low: 0, high: 100 } };
    const range = { low: 0, high: 900 };
    const { counts } = histogramOf({ ...size, pixels: picture, modality, range, description: padded }, 9);
    expect([...counts]).toEqual([0, 0, 10, 10, 10, 10, 10, 10, 20]);
  });
  it.each([1, 2])('ignores what a smaller codestream leaves empty, at reduction %i', (reduction) => {
    const modality = { kind: 'rescale', slope: 1, intercept: 0 } as const;
    const coded = { columns: 3 * reduction, rows: 4 * reduction };
    const image = { ...size, reduction, coded, modality, range: { low: 0, high: 900 }, description };
    expect([...histogramOf({ ...image, pixels: picture }, 9).counts]).toEqual([4, 4, 4, 0, 0, 0, 0, 0, 0]);
    const values = Uint8Array.from({ length: 400 }, (_, at) => Math.floor(at / 4) % 10);
    const colour = { ...image, pixels: { format: 'rgba8', values } as const, range: { low: 0, high: 9 } };
    expect([...histogramOf(colour, 9).counts]).toEqual([4, 4, 4, 0, 0, 0, 0, 0, 0]);
  });
  it('returns percentiles', () => {
    const counts = Float64Array.from([0, 10, 10, 0]);
    expect([0.25, 0.5, 0.75].map((part) => percentile({ low: 0, high: 40, counts }, part))).toEqual([15, 20, 25]);
  });
});

describe('tiles', () => {
  it('returns one tile with the same array when the picture fits', () => {
    const picture = grey(64, 40, (x, y) => x + y);
    const [tile, ...others] = tilesOf({ width: 64, height: 40 }, 64);
    expect(others).toEqual([]);
    expect(tile && valuesOf(picture, { width: 64, height: 40 }, tile.texture)).toBe(picture.values);
  });

  it('covers every pixel once, each with its neighbours, within the size', () => {
    const size = { width: 301, height: 130 };
    const covered = new Uint8Array(size.width * size.height);
    for (const { core, texture } of tilesOf(size, 100)) {
      expect(Math.max(texture.width, texture.height)).toBeLessThanOrEqual(100);
      expect(texture.x).toBe(Math.max(0, core.x - 16));
      expect(texture.y + texture.height).toBe(Math.min(size.height, core.y + core.height + 16));
      for (let y = core.y; y < core.y + core.height; y++) {
        for (let x = core.x; x < core.x + core.width; x++)
          covered[y * size.width + x] = (covered[y * size.width + x] ?? 0) + 1;
      }
    }
    expect([...new Set(covered)]).toEqual([1]);
  });

  it('cuts rows out of the picture', () => {
    const picture = grey(5, 4, (x, y) => 10 * y + x);
    expect([...valuesOf(picture, { width: 5, height: 4 }, { x: 1, y: 2, width: 3, height: 2 })]).toEqual([
      21, 22, 23, 31, 32, 33,
    ]);
  });
});
