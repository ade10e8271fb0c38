import type { ImagePixels } from '../decode/loaded-image.ts';
import type { Rectangle, Size } from '../scene/camera.ts';

/** A part of an image that fits into one texture. `core` is drawn; `texture` includes a border for sampling. */
export interface Tile {
  readonly core: Rectangle;
  readonly texture: Rectangle;
}

/** Border in image pixels: two are read by Catmull-Rom, sixteen by area sampling. */
const border = 16;

const spans = (length: number, largest: number) => {
  if (length <= largest) return [{ start: 0, end: length }];
  const step = largest - 2 * border;
  return Array.from({ length: Math.ceil(length / step) }, (_, index) => ({
    start: index * step,
    end: Math.min(length, (index + 1) * step),
  }));
};

/** Returns the tiles of an image of `size`, none wider or higher than `largest` pixels. */
export const tilesOf = (size: Size, largest: number): readonly Tile[] =>
  spans(size.height, largest).flatMap((down) =>
    spans(size.width, largest).map((across): Tile => {
      const x = Math.max(0, across.start - border);
      const y = Math.max(0, down.start - border);
      const whole = size.width <= largest && size.height <= largest;
      return {
        core: { x: across.start, y: down.start, width: across.end - across.start, height: down.end - down.start },
        texture: whole
          ? { x: 0, y: 0, width: size.width, height: size.height }
          : {
              x,
              y,
              width: Math.min(size.width, across.end + border) - x,
              height: Math.min(size.height, down.end + border) - y,
            },
      };
    }),
  );

/** Returns the values of a rectangle of an image, row by row; the same array for the whole image. */
export const valuesOf = (pixels: ImagePixels, size: Size, part: Rectangle): ImagePixels['values'] => {
  if (part.width === size.width && part.height === size.height) return pixels.values;
  const channels = pixels.format === 'rgba8' ? 4 : 1;
  const rowLength = part.width * channels;
  const cut = pixels.values.slice(0, rowLength * part.height);
  for (let row = 0; row < part.height; row++) {
    const from = ((part.y + row) * size.width + part.x) * channels;
    cut.set(pixels.values.subarray(from, from + rowLength), row * rowLength);
  }
  return cut;
};
