import type { StateBitmap } from '../../../contract/presentation-states.ts';
import type { Size } from '../scene/camera.ts';

/** A covering bitmap as pixels; `x`, `y`: its first pixel in the image. */
export interface BitmapPixels {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

const opaque = 255;

const marksOf = ({ width, height, runs }: StateBitmap): Uint8Array => {
  const marks = new Uint8Array(width * height);
  let at = 0;
  for (const [index, length] of runs.entries()) {
    if (index % 2 === 1) marks.fill(1, at, at + length);
    at += length;
  }
  return marks;
};

/**
 * Returns the covered pixels in `colour` (`#rrggbb`), the others transparent. At an edge of the image they extend by one pixel, so that its partly
 * covered edge pixels on a screen do not shine through.
 */
export const bitmapPixels = (bitmap: StateBitmap, image: Size, colour: string): BitmapPixels => {
  const marks = marksOf(bitmap);
  const [x, y, width, height] = [bitmap.x - 1, bitmap.y - 1, bitmap.width + 2, bitmap.height + 2];
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  const rgba = new Uint8ClampedArray(width * height * 4);
  for (let row = 0, at = 0; row < height; row++) {
    const fromTop = Math.min(Math.max(y + row, 0), image.height - 1) - bitmap.y;
    for (let column = 0; column < width; column++, at += 4) {
      const fromLeft = Math.min(Math.max(x + column, 0), image.width - 1) - bitmap.x;
      const isInside = fromLeft >= 0 && fromLeft < bitmap.width && fromTop >= 0 && fromTop < bitmap.height;
      if (!isInside || marks[fromTop * bitmap.width + fromLeft] === 0) continue;
      rgba[at] = red;
      rgba[at + 1] = green;
      rgba[at + 2] = blue;
      rgba[at + 3] = opaque;
    }
  }
  return { x, y, width, height, rgba };
};
