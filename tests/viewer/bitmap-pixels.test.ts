import { expect, it } from 'vitest';
import type { StateBitmap } from '../../contract/presentation-states.ts';
import { bitmapPixels } from '../../src/viewer/layers/bitmap-pixels.ts';

const image = { width: 6, height: 4 };

/** "x" for a covered pixel in the colour, "." for an open one. */
const drawn = (bitmap: StateBitmap) => {
  const { width, height, rgba } = bitmapPixels(bitmap, image, '#123456');
  return Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => {
      const pixel = [...rgba.slice((row * width + column) * 4, (row * width + column + 1) * 4)];
      return pixel.join() === '18,52,86,255' ? 'x' : pixel.join() === '0,0,0,0' ? '.' : '?';
    }).join(''),
  );
};

it('covers the pixels of every second run', () => {
  const bitmap = { x: 1, y: 1, width: 4, height: 2, runs: [1, 3, 2, 2] };
  expect(bitmapPixels(bitmap, image, '#000000')).toMatchObject({ x: 0, y: 0, width: 6, height: 4 });
  expect(drawn(bitmap)).toEqual(['......', '..xxx.', '...xx.', '......']);
});

it('covers one pixel more beyond the edges of the image, and nowhere else', () => {
  expect(drawn({ x: 4, y: 2, width: 2, height: 2, runs: [0, 4] })).toEqual(['....', '.xxx', '.xxx', '.xxx']);
  expect(drawn({ x: 0, y: 0, width: 1, height: 1, runs: [0, 1] })).toEqual(['xx.', 'xx.', '...']);
});
