import type { ImagePixels, LoadedImage } from '../decode/loaded-image.ts';
import { type Affine, imageToStage, type Orientation, overlap, type Rectangle, type Size } from '../scene/camera.ts';
import type { Camera } from '../scene/scene.ts';
import { samplingFor } from '../shaders/window/uniforms.ts';
import type { Sampling } from '../shaders/window/variants.ts';

/** Transform of the pixel values into the visible part of their rectangle. */
export interface ImageTransform {
  readonly pixels: ImagePixels;
  /** The part of the rectangle that is on the stage, in device pixels of the stage. */
  readonly visible: Rectangle;
  /** Pixels of these values to device pixels, from the corner of `visible`. */
  readonly toVisible: Affine;
  /** Pixels of these values under one device pixel. */
  readonly footprint: Size;
  readonly sampling: Sampling;
}

interface PlacedImage {
  readonly image: LoadedImage;
  readonly pixels: ImagePixels;
  readonly camera: Camera;
  readonly orientation: Orientation;
  readonly rectangle: Rectangle;
  readonly stage: Size;
}

/** Uses linear sampling for an enlarged reduced image: the full one is being loaded. */
const samplingOf = (scale: number, reduction: number, { pixelAspect, rotation }: Orientation): Sampling => {
  const sampling = samplingFor(scale, pixelAspect, false, rotation);
  return sampling === 'CUBIC' && reduction > 1 ? 'LINEAR' : sampling;
};

/** Returns the transform of an image; one value of a reduced image covers `reduction` image pixels in each direction. */
export const imageTransform = ({
  image,
  pixels,
  camera,
  orientation,
  rectangle,
  stage,
}: PlacedImage): ImageTransform => {
  const visible = overlap(rectangle, { x: 0, y: 0, ...stage });
  const fromVisible = { ...rectangle, x: rectangle.x - visible.x, y: rectangle.y - visible.y };
  const { a, b, c, d, tx, ty } = imageToStage(camera, fromVisible, orientation);
  const { reduction } = image;
  const { pixelAspect = 1 } = orientation;
  const scale = camera.scale * reduction;
  return {
    pixels,
    visible,
    toVisible: { a: a * reduction, b: b * reduction, c: c * reduction, d: d * reduction, tx, ty },
    footprint: { width: 1 / scale, height: 1 / (scale * pixelAspect) },
    sampling: samplingOf(scale, reduction, orientation),
  };
};

/** Whether both have the same value under every visible device pixel; the position on the stage may differ. */
export const sameSamples = (one: ImageTransform, other: ImageTransform): boolean =>
  one.pixels === other.pixels &&
  one.sampling === other.sampling &&
  one.visible.width === other.visible.width &&
  one.visible.height === other.visible.height &&
  one.toVisible.a === other.toVisible.a &&
  one.toVisible.b === other.toVisible.b &&
  one.toVisible.c === other.toVisible.c &&
  one.toVisible.d === other.toVisible.d &&
  one.toVisible.tx === other.toVisible.tx &&
  one.toVisible.ty === other.toVisible.ty;
