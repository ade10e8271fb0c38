import { applied, clampScale, imageToStage, inverse, type Rectangle } from '../scene/camera.ts';
import type { ShownImage } from './image-layer.ts';

/** A magnifier: a square about a point of the stage that shows the image under it enlarged. */
export interface Lens {
  /** The enlarged image; no lens is drawn when it is not on the stage. */
  readonly id: string;
  /** Its middle, in device pixels of the stage. */
  readonly x: number;
  readonly y: number;
  /** Magnification relative to the image outside the lens. */
  readonly factor: number;
  /** Width and height including the border, in device pixels. */
  readonly side: number;
}

export const minLensFactor = 2;
export const maxLensFactor = 8;

/** Returns the rectangle of the lens, on whole device pixels. */
export const lensRectangle = ({ x, y, side }: Lens): Rectangle => {
  const whole = Math.round(side);
  return {
    x: Math.round(x) - Math.floor(whole / 2),
    y: Math.round(y) - Math.floor(whole / 2),
    width: whole,
    height: whole,
  };
};

/** Returns the rectangle inside the border of the lens. */
export const lensInside = ({ x, y, width, height }: Rectangle): Rectangle => {
  const border = Math.max(1, Math.round(width / 160));
  return { x: x + border, y: y + border, width: width - 2 * border, height: height - 2 * border };
};

/** Returns the image enlarged in `rectangle`; the image point under the middle of the lens stays there. */
export const enlarged = (shown: ShownImage, { x, y, factor }: Lens, rectangle: Rectangle): ShownImage => {
  const point = applied(inverse(imageToStage(shown.camera, shown.rectangle, shown.orientation)), { x, y });
  return {
    ...shown,
    rectangle,
    camera: { centreX: point.x, centreY: point.y, scale: clampScale(shown.camera.scale * factor) },
  };
};
