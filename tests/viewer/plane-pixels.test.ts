import { expect, it } from 'vitest';
import type { OverlayPlane } from '../../dicom/overlay-planes.ts';
import { planePixels } from '../../src/viewer/layers/plane-pixels.ts';

const plane = (kind: OverlayPlane['kind'], x: number, y: number, rows: readonly string[]): OverlayPlane => {
  const width = rows[0]?.length ?? 0;
  const bits = new Uint8Array(Math.ceil((width * rows.length) / 8));
  for (const [at, letter] of [...rows.join('')].entries())
    if (letter === 'x') bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  return { kind, x, y, width, height: rows.length, bits };
};

/** "x" for the colour, "o" for the outline, "r" for a region, "." for nothing. */
const drawn = ({ width, height, rgba }: ReturnType<typeof planePixels>) =>
  Array.from({ length: height }, (_, row) =>
    Array.from({ length: width }, (_, column) => {
      const [red = 0, , , alpha = 0] = rgba.slice((row * width + column) * 4);
      if (alpha === 0) return '.';
      return red === 0 ? 'o' : alpha === 255 ? 'x' : 'r';
    }).join(''),
  );

it('draws each marked pixel with a dark outline around it', () => {
  const pixels = planePixels(plane('graphics', 5, 7, ['x..', '...', '...', '..x']), 1);
  expect([pixels.x, pixels.y]).toEqual([4, 6]);
  expect(drawn(pixels)).toEqual(['ooo..', 'oxo..', 'ooo..', '..ooo', '..oxo', '..ooo']);
});

it('draws a region of interest without an outline, so that the image stays visible under it', () => {
  expect(drawn(planePixels(plane('roi', 0, 0, ['xx']), 1))).toEqual(['....', '.rr.', '....']);
});

it('keeps a line of one pixel in every block that it crosses', () => {
  // From image row 3 to 6, in column 5: blocks of four begin at 0, 4, 8.
  const pixels = planePixels(plane('graphics', 5, 3, ['x', 'x', 'x', 'x']), 4);
  expect([pixels.x, pixels.y]).toEqual([0, -1]);
  expect(drawn(pixels)).toEqual(['ooo', 'oxo', 'oxo', 'ooo']);
});
