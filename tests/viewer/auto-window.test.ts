import { describe, expect, it } from 'vitest';
import { autoWindow, regionWindow } from '../../src/viewer/scene/auto-window.ts';
import { loadedPicture } from '../gpu/page/synthetic.ts';

const side = 100;
/** Values 0 to 99 from left to right; a corner of 10 x 10 has the value `corner`. */
const imageWith = (corner: number, slope = 1) =>
  loadedPicture({
    width: side,
    height: side,
    pixels: {
      format: 'u16',
      values: Uint16Array.from({ length: side * side }, (_, at) =>
        at % side < 10 && at < side * 10 ? corner : (at % side) + 100,
      ),
    },
    modality: { kind: 'rescale', slope, intercept: 0 },
  });

describe('regionWindow', () => {
  it('spans the 1st to the 99th percentile of the values inside', () => {
    expect(regionWindow(imageWith(0), { x: 20, y: 0, width: 50, height: 100 })).toEqual({
      kind: 'window',
      centre: (120 + 169 + 1) / 2,
      width: 50,
      function: 'LINEAR',
    });
  });

  it('is in modality values', () => {
    expect(regionWindow(imageWith(0, 2), { x: 20, y: 0, width: 50, height: 100 })).toMatchObject({ width: 99 });
  });

  it('ignores outliers and padding', () => {
    const odd = imageWith(0);
    (odd.pixels.values as Uint16Array)[5050] = 65535;
    expect(regionWindow(odd, { x: 20, y: 20, width: 50, height: 60 })).toMatchObject({ width: 50 });
    const padded = imageWith(0);
    const image = { ...padded, description: { ...padded.description, padding: { low: 0, high: 0 } } };
    expect(regionWindow(image, { x: 0, y: 0, width: 10, height: 10 })).toBeNull();
    expect(regionWindow(image, { x: 0, y: 0, width: 20, height: 10 })).toMatchObject({ width: 10 });
  });

  it('ignores what a smaller codestream leaves empty', () => {
    const image = { ...imageWith(0), coded: { columns: 50, rows: 100 } };
    expect(regionWindow(image, { x: 20, y: 0, width: 80, height: 100 })).toMatchObject({ width: 30 });
    expect(regionWindow(image, { x: 60, y: 0, width: 20, height: 20 })).toBeNull();
  });

  it('handles uniform regions and regions outside the image', () => {
    expect(regionWindow(imageWith(7), { x: 1, y: 1, width: 3, height: 3 })).toMatchObject({ centre: 7.5, width: 1 });
    expect(regionWindow(imageWith(7), { x: 200, y: 1, width: 3, height: 3 })).toBeNull();
  });

  it('maps regions to the blocks of reduced images', () => {
    const full = imageWith(0);
    const values = Uint16Array.from({ length: 2500 }, (_, at) => (at % 50) * 2 + 100);
    const reduced = loadedPicture({ width: side, height: side, reduction: 2, pixels: { format: 'u16', values } });
    const region = { x: 20, y: 20, width: 40, height: 40 };
    const [one, other] = [regionWindow(full, region), regionWindow(reduced, region)];
    expect(Math.abs((one?.centre ?? 0) - (other?.centre ?? 99))).toBeLessThanOrEqual(1);
    expect(autoWindow(reduced)).toMatchObject({ width: 99 });
  });
});
