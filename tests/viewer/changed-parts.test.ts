import { describe, expect, test } from 'vitest';
import { plainDisplay } from '../../contract/displays.ts';
import type { LoadedImage } from '../../src/viewer/decode/loaded-image.ts';
import type { Rectangle } from '../../src/viewer/scene/camera.ts';
import { changedParts, type Drawing } from '../../src/viewer/stage/changed-parts.ts';

const stage = { width: 100, height: 100 };
const values = { format: 'u8', values: new Uint8Array(4) } as const;
const image = { width: 2, height: 2, pixels: values } as unknown as LoadedImage;

const drawing = (covers: Rectangle, centre = 100): Drawing => ({
  covers,
  shown: {
    image,
    pixels: values,
    display: { ...plainDisplay, voi: { kind: 'window', centre, width: 10, function: 'LINEAR' } },
    camera: { centreX: 1, centreY: 1, scale: 1 },
    orientation: { rotation: 0, horizontalFlip: false },
    rectangle: covers,
    stage,
    coarse: false,
  },
});

const box = (x: number, y: number, width = 10, height = 10): Rectangle => ({ x, y, width, height });
const of = (entries: Readonly<Record<string, Drawing>>) => new Map(Object.entries(entries));

describe('changedParts', () => {
  const before = of({ a: drawing(box(0, 0)), b: drawing(box(20, 0)), c: drawing(box(40, 0)) });

  test('returns nothing for equal values', () => {
    expect(
      changedParts(before, of({ a: drawing(box(0, 0)), b: drawing(box(20, 0)), c: drawing(box(40, 0)) }), stage),
    ).toEqual([]);
  });

  test('returns one rectangle when one window changed', () => {
    expect(changedParts(before, new Map(before).set('b', drawing(box(20, 0), 90)), stage)).toEqual([box(20, 0)]);
  });

  test('returns old and new rectangle after a move', () => {
    expect(changedParts(before, new Map(before).set('c', drawing(box(80, 50))), stage)).toEqual([
      box(80, 50),
      box(40, 0),
    ]);
  });

  test('merges overlapping old and new rectangles', () => {
    expect(changedParts(before, new Map(before).set('c', drawing(box(43, 2))), stage)).toEqual([box(40, 0, 13, 12)]);
  });

  test('returns the rectangle of a removed image, clipped to the stage', () => {
    const out = of({ a: drawing(box(-5, -5)), b: drawing(box(20, 0)) });
    expect(changedParts(out, of({ b: drawing(box(20, 0)) }), stage)).toEqual([box(0, 0, 5, 5)]);
    expect(changedParts(of({ a: drawing(box(200, 0)) }), of({}), stage)).toEqual([]);
  });

  test('returns the whole stage when the order changed or nearly everything changed', () => {
    const whole = box(0, 0, 100, 100);
    expect(
      changedParts(before, of({ b: drawing(box(20, 0)), a: drawing(box(0, 0)), c: drawing(box(40, 0)) }), stage),
    ).toEqual([whole]);
    expect(
      changedParts(of({ a: drawing(box(0, 0, 100, 70)) }), of({ a: drawing(box(0, 0, 100, 70), 9) }), stage),
    ).toEqual([whole]);
  });
});
