import { expect, it } from 'vitest';
import { profileAlong } from '../../src/viewer/decode/profile.ts';

const image = {
  pixels: { format: 'u16', values: Uint16Array.from({ length: 12 }, (_, index) => index) },
  pixelWidth: 4,
  reduction: 1,
  modality: { kind: 'rescale', slope: 2, intercept: -1 },
  level: 'full',
  coded: null,
  width: 4,
  height: 3,
} as const;

it('has the modality value of each pixel along the line, in the direction of the line', () => {
  const points: [number, number][] = [
    [0.5, 1.5],
    [3.5, 1.5],
  ];
  expect(profileAlong(image, points)).toEqual([7, 9, 11, 13]);
  expect(profileAlong(image, points.toReversed())).toEqual([13, 11, 9, 7]);
});

it('takes the outermost pixels for points on the edge of the image, and two values for a point', () => {
  expect(
    profileAlong(image, [
      [0, 0],
      [4, 3],
    ])?.at(-1),
  ).toBe(21);
  expect(
    profileAlong(image, [
      [1, 1],
      [1, 1],
    ]),
  ).toEqual([9, 9]);
});

it('is absent for colour and for a reduced image, whose values are means', () => {
  const points: [number, number][] = [
    [0, 0],
    [3, 0],
  ];
  const rgba = { format: 'rgba8', values: new Uint8Array(48) } as const;
  expect(profileAlong({ ...image, pixels: rgba }, points)).toBeNull();
  expect(profileAlong({ ...image, level: 'reduced', reduction: 2 }, points)).toBeNull();
});

it('is absent where a line leaves the part of the image that the file has', () => {
  const smaller = { ...image, coded: { rows: 3, columns: 2 } };
  const across: [number, number][] = [
    [0.5, 1.5],
    [3.5, 1.5],
  ];
  expect(profileAlong(smaller, across)).toBeNull();
  expect(
    profileAlong(smaller, [
      [0.5, 0.5],
      [1.5, 0.5],
    ]),
  ).toEqual([-1, 1]);
});
