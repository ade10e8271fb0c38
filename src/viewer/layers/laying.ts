import type { ImagePixels, LoadedImage } from '../decode/loaded-image.ts';
import { type Affine, imageToStage, type Orientation, overlap, type Rectangle, type Size } from '../scene/camera.ts';
import type { Camera } from '../scene/scene.ts';
import { samplingFor } from '../shaders/window/uniforms.ts';
import type { Sampling } from '../shaders/window/variants.ts';

/** How the values of a picture lie in what is seen of their place. */
export interface Laying {
  readonly pixels: ImagePixels;
  /** The part of the place that is on the stage, in device pixels of the stage. */
  readonly seen: Rectangle;
  /** Pixels of these values to device pixels, from the corner of `seen`. */
  readonly toSeen: Affine;
  /** Pixels of these values under one device pixel. */
  readonly footprint: Size;
  readonly sampling: Sampling;
}

interface Laid {
  readonly image: LoadedImage;
  readonly pixels: ImagePixels;
  readonly camera: Camera;
  readonly orientation: Orientation;
  readonly rectangle: Rectangle;
  readonly stage: Size;
}

/** Four neighbours are enough for a reduced picture larger than itself: the full one is on its way. */
const samplingOf = (scale: number, reduction: number, { pixelAspect, rotation }: Orientation): Sampling => {
  const sampling = samplingFor(scale, pixelAspect, false, rotation);
  return sampling === 'CUBIC' && reduction > 1 ? 'LINEAR' : sampling;
};

/** A reduced picture is laid by its full size: one of its values covers `reduction` image pixels each way. */
export const layingOf = ({ image, pixels, camera, orientation, rectangle, stage }: Laid): Laying => {
  const seen = overlap(rectangle, { x: 0, y: 0, ...stage });
  const fromSeen = { ...rectangle, x: rectangle.x - seen.x, y: rectangle.y - seen.y };
  const { a, b, c, d, tx, ty } = imageToStage(camera, fromSeen, orientation);
  const { reduction } = image;
  const { pixelAspect = 1 } = orientation;
  const scale = camera.scale * reduction;
  return {
    pixels,
    seen,
    toSeen: { a: a * reduction, b: b * reduction, c: c * reduction, d: d * reduction, tx, ty },
    footprint: { width: 1 / scale, height: 1 / (scale * pixelAspect) },
    sampling: samplingOf(scale, reduction, orientation),
  };
};

/** Whether both put the same value under every device pixel of what is seen; that may have moved on the stage. */
export const samplesSame = (one: Laying, other: Laying): boolean =>
  one.pixels === other.pixels &&
  one.sampling === other.sampling &&
  one.seen.width === other.seen.width &&
  one.seen.height === other.seen.height &&
  one.toSeen.a === other.toSeen.a &&
  one.toSeen.b === other.toSeen.b &&
  one.toSeen.c === other.toSeen.c &&
  one.toSeen.d === other.toSeen.d &&
  one.toSeen.tx === other.toSeen.tx &&
  one.toSeen.ty === other.toSeen.ty;
