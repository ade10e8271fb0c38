import { describe, expect, it } from 'vitest';
import type { ImagePixels } from '../../src/viewer/decode/loaded-image.ts';
import { filteredPixels } from '../../src/viewer/decode/pixel-filters.ts';
import { tilesOf, valuesOf } from '../../src/viewer/layers/tiles.ts';

const grey = (width: number, height: number, value: (x: number, y: number) => number): ImagePixels => ({
  format: 'u16',
  values: Uint16Array.from({ length: width * height }, (_, index) => value(index % width, Math.floor(index / width))),
});

describe('filters', () => {
  it.each(['median-3', 'median-5'] as const)('%s takes a single bright pixel away and keeps an edge', (noise) => {
    const spot = grey(9, 9, (x, y) => (x === 4 && y === 4 ? 60000 : 100));
    expect([...new Set(filteredPixels(spot, 9, 9, { noise, sharpness: 0 }).values)]).toEqual([100]);
    const edge = grey(9, 9, (x) => (x < 4 ? 10 : 900));
    expect(filteredPixels(edge, 9, 9, { noise, sharpness: 0 }).values).toEqual(edge.values);
  });

  it.each([
    ['median-3', 1],
    ['median-5', 2],
  ] as const)('%s is the middle of all neighbours, edges repeated', (noise, radius) => {
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
    const { values } = filteredPixels(random, size, size, { noise, sharpness: 0 });
    expect([...values]).toEqual([...grey(size, size, middle).values]);
  });

  it('spreads a spot as a bell', () => {
    const spot = grey(5, 5, (x, y) => (x === 2 && y === 2 ? 1600 : 0));
    const { values } = filteredPixels(spot, 5, 5, { noise: 'gauss-3', sharpness: 0 });
    expect([...values.slice(5, 20)]).toEqual([0, 100, 200, 100, 0, 0, 200, 400, 200, 0, 0, 100, 200, 100, 0]);
  });

  it('sharpens edges, leaves flat parts, stays within the numbers', () => {
    const edge = grey(8, 3, (x) => (x < 4 ? 0 : 65535));
    const { values } = filteredPixels(edge, 8, 3, { noise: 'none', sharpness: 1 });
    expect([...values.slice(8, 16)]).toEqual([0, 0, 0, 0, 65535, 65535, 65535, 65535]);
    const soft = grey(8, 3, (x) => (x < 4 ? 1000 : 2000));
    expect([...filteredPixels(soft, 8, 3, { noise: 'none', sharpness: 0.5 }).values.slice(8, 16)]).toEqual([
      1000, 1000, 1000, 750, 2250, 2000, 2000, 2000,
    ]);
  });

  it('gives the same picture back when off', () => {
    const picture = grey(3, 3, (x) => x);
    expect(filteredPixels(picture, 3, 3, { noise: 'none', sharpness: 0 })).toBe(picture);
  });

  it('treats colours one by one and leaves alpha', () => {
    const values = Uint8Array.from({ length: 36 }, (_, index) => [10, 20, 30, 255][index % 4] ?? 0);
    values[16] = 250;
    const cleaned = filteredPixels({ format: 'rgba8', values }, 3, 3, { noise: 'median-3', sharpness: 0 });
    expect([...cleaned.values.slice(16, 20)]).toEqual([10, 20, 30, 255]);
  });
});

describe('tiles', () => {
  it('is one, and the same array, where the picture fits', () => {
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
