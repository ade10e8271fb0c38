import { describe, expect, test } from 'vitest';
import type { LoadedImage } from '../../src/viewer/decode/loaded-image.ts';
import { imageTransform, sameSamples } from '../../src/viewer/layers/image-transform.ts';

const stage = { width: 400, height: 300 };
const pixels = { format: 'u16', values: new Uint16Array(0) } as const;

interface Requested {
  readonly scale?: number;
  readonly reduction?: number;
  readonly rotation?: number;
  readonly x?: number;
  readonly width?: number;
}

const laid = ({ scale = 1, reduction = 1, rotation = 0, x = 10, width = 100 }: Requested) => {
  const size = { width: 1000, height: 800, pixelWidth: 1000 / reduction, pixelHeight: 800 / reduction, reduction };
  return imageTransform({
    image: { ...size, pixels } as unknown as LoadedImage,
    pixels,
    camera: { centreX: 500, centreY: 400, scale },
    orientation: { rotation, horizontalFlip: false },
    rectangle: { x, y: 20, width, height: 90 },
    stage,
  });
};

describe('image transform', () => {
  test.each([
    [{ scale: 1 }, 'NEAREST'],
    [{ scale: 1, rotation: 270 }, 'NEAREST'],
    [{ scale: 1, rotation: 17 }, 'CUBIC'],
    [{ scale: 2 }, 'CUBIC'],
    [{ scale: 0.99 }, 'AREA'],
    [{ scale: 0.99, rotation: 45 }, 'AREA'],
    // A reduced image uses its own pixel values.
    [{ scale: 0.25, reduction: 4 }, 'NEAREST'],
    [{ scale: 0.2, reduction: 4 }, 'AREA'],
    [{ scale: 0.5, reduction: 4 }, 'LINEAR'],
  ] as const)('%o is sampled by %s', (asked, sampling) => {
    expect(laid(asked).sampling).toBe(sampling);
  });

  test('clips to the stage without moving the visible part', () => {
    const { visible: seen, toVisible: toSeen } = laid({ x: -30 });
    expect(seen).toEqual({ x: 0, y: 20, width: 70, height: 90 });
    expect(toSeen.tx).toBe(laid({}).toVisible.tx - 30);
  });

  test('samples are reused only when the rectangle moves on the stage', () => {
    const here = laid({ scale: 0.7 });
    expect(sameSamples(here, laid({ scale: 0.7, x: 11 }))).toBe(true);
    expect(sameSamples(here, laid({ scale: 0.7, x: 233 }))).toBe(true);
    for (const other of [
      { scale: 0.71 },
      { scale: 0.7, rotation: 1 },
      { scale: 0.7, width: 101 },
      { scale: 0.7, x: -1 },
    ])
      expect(sameSamples(here, laid(other))).toBe(false);
  });
});
