import { isBitSet } from '../../../dicom/bits.ts';
import type { OverlayPlane } from '../../../dicom/overlay-planes.ts';

/** Colour of overlay planes: neither that of marks nor a grey of the image. */
const colour = [169, 214, 255] as const;
const opaque = 255;
/** A region of interest covers an area, under which the image must stay visible. */
const regionAlpha = 90;
const outlineAlpha = 150;

/** A plane as pixels of blocks; `x`, `y`: its first block, counted from the first block of the image. */
export interface PlanePixels {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/**
 * Returns a plane in blocks of `block` by `block` image pixels. A block is drawn when any of its pixels is marked, so that a line of one pixel stays
 * visible in a reduced image. Graphics have a dark outline of one block.
 */
export const planePixels = (plane: OverlayPlane, block: number): PlanePixels => {
  const x = Math.floor(plane.x / block) - 1;
  const y = Math.floor(plane.y / block) - 1;
  const width = Math.floor((plane.x + plane.width - 1) / block) - x + 2;
  const height = Math.floor((plane.y + plane.height - 1) / block) - y + 2;
  const isMarked = new Uint8Array(width * height);
  for (let row = 0, index = 0; row < plane.height; row++) {
    const start = (Math.floor((plane.y + row) / block) - y) * width - x;
    for (let column = 0; column < plane.width; column++, index++) {
      if (isBitSet(plane.bits, index)) isMarked[start + Math.floor((plane.x + column) / block)] = 1;
    }
  }
  const rgba = new Uint8ClampedArray(width * height * 4);
  const isRegion = plane.kind === 'roi';
  for (let at = 0; at < isMarked.length; at++) {
    if (isMarked[at] === 0) continue;
    rgba.set(colour, at * 4);
    rgba[at * 4 + 3] = isRegion ? regionAlpha : opaque;
    for (let around = -1; around <= 1 && !isRegion; around++) {
      for (const other of [at + around * width - 1, at + around * width, at + around * width + 1]) {
        if (isMarked[other] === 0) rgba[other * 4 + 3] = outlineAlpha;
      }
    }
  }
  return { x, y, width, height, rgba };
};
