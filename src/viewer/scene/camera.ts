import type { StateArea } from '../../../contract/presentation-states.ts';
import type { Camera, Placement, View } from './scene.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle in device pixels of the stage. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Returns the intersection of two rectangles; its width or height is 0 when they do not overlap. */
export const overlap = (one: Rectangle, other: Rectangle): Rectangle => {
  const x = Math.max(one.x, other.x);
  const y = Math.max(one.y, other.y);
  const right = Math.min(one.x + one.width, other.x + other.width);
  const bottom = Math.min(one.y + one.height, other.y + other.height);
  return { x, y, width: Math.max(0, right - x), height: Math.max(0, bottom - y) };
};

export const sameRectangle = (one: Rectangle, other: Rectangle): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;

export interface Orientation {
  /** Degrees clockwise. */
  readonly rotation: number;
  readonly horizontalFlip: boolean;
  /** Height of a pixel by its width (DICOM PS3.3 C.7.6.3.1.7); 1 when left out. */
  readonly pixelAspect?: number;
}

/** x' = a x + c y + tx, y' = b x + d y + ty */
export interface Affine {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly tx: number;
  readonly ty: number;
}

export const minScale = 1 / 64;
export const maxScale = 64;

export const clampScale = (scale: number): number => Math.min(maxScale, Math.max(minScale, scale));

/** Converts a placement (fractions) to a rectangle of a stage of `stage` device pixels, on whole pixels. */
export const rectangleOf = (placement: Placement, stage: Size): Rectangle => {
  const x = Math.round(placement.x * stage.width);
  const y = Math.round(placement.y * stage.height);
  return {
    x,
    y,
    width: Math.round((placement.x + placement.width) * stage.width) - x,
    height: Math.round((placement.y + placement.height) * stage.height) - y,
  };
};

/** Sine and cosine, exact for quarter turns. */
const sine = (degrees: number): number =>
  degrees % 90 === 0 ? ([0, 1, 0, -1][(((degrees / 90) % 4) + 4) % 4] ?? 0) : Math.sin((degrees * Math.PI) / 180);
const cosine = (degrees: number): number => sine(degrees + 90);

/** Returns rotation, flip and pixel aspect as a matrix; y points down, so a positive angle is clockwise. */
const rotationMatrix = ({ rotation, horizontalFlip, pixelAspect = 1 }: Orientation) => {
  const mirror = horizontalFlip ? -1 : 1;
  const c = cosine(rotation);
  const s = sine(rotation);
  return { a: c * mirror, b: s * mirror, c: -s * pixelAspect, d: c * pixelAspect };
};

/** Returns the bounding box of the rotated image, in image pixel widths. */
export const rotatedSize = ({ width, height }: Size, { rotation, pixelAspect = 1 }: Orientation): Size => {
  const c = Math.abs(cosine(rotation));
  const s = Math.abs(sine(rotation));
  const tall = height * pixelAspect;
  return { width: width * c + tall * s, height: width * s + tall * c };
};

/** Returns the camera that shows the whole image, as large as the rectangle allows. */
export const fitted = (image: Size, rectangle: Size, orientation: Orientation): Camera => {
  const size = rotatedSize(image, orientation);
  const scale = Math.min(rectangle.width / size.width, rectangle.height / size.height);
  return { centreX: image.width / 2, centreY: image.height / 2, scale: scale > 0 ? scale : 1 };
};

/** Returns the camera of 1:1: one image pixel width is one device pixel, the image is centred. */
export const actualSize = (image: Size): Camera => ({ centreX: image.width / 2, centreY: image.height / 2, scale: 1 });

/** An image, with the displayed area of the state that it is shown with. */
export interface ViewedImage extends Size {
  readonly area?: StateArea | null;
}

/** Returns the camera with a displayed area in the middle, fitted or at its own scale. */
const cameraOfArea = ({ from, to, magnification }: StateArea, rectangle: Size, orientation: Orientation): Camera => {
  const part = { width: to[0] - from[0], height: to[1] - from[1] };
  const scale = magnification ?? fitted(part, rectangle, orientation).scale;
  return { centreX: (from[0] + to[0]) / 2, centreY: (from[1] + to[1]) / 2, scale: clampScale(scale) };
};

export const cameraOf = (view: View, image: ViewedImage, rectangle: Size, orientation: Orientation): Camera => {
  if (view === 'area' && image.area) return cameraOfArea(image.area, rectangle, orientation);
  return typeof view === 'string' ? fitted(image, rectangle, orientation) : view;
};

/**
 * Returns the transform from image pixels (0, 0 is the top left corner of the first pixel) to device pixels of the stage. At integer
 * scales and rotations by 90° it is rounded to whole device pixels, so that pixel edges coincide and 1:1 is exact.
 */
export const imageToStage = (camera: Camera, rectangle: Rectangle, orientation: Orientation): Affine => {
  const { a, b, c, d } = rotationMatrix(orientation);
  const { scale } = camera;
  const tx = rectangle.x + rectangle.width / 2 - scale * (a * camera.centreX + c * camera.centreY);
  const ty = rectangle.y + rectangle.height / 2 - scale * (b * camera.centreX + d * camera.centreY);
  const whole = Number.isInteger(scale) && orientation.rotation % 90 === 0;
  return {
    a: a * scale,
    b: b * scale,
    c: c * scale,
    d: d * scale,
    tx: whole ? Math.round(tx) : tx,
    ty: whole ? Math.round(ty) : ty,
  };
};

export const applied = (affine: Affine, { x, y }: Point): Point => ({
  x: affine.a * x + affine.c * y + affine.tx,
  y: affine.b * x + affine.d * y + affine.ty,
});

export const inverse = ({ a, b, c, d, tx, ty }: Affine): Affine => {
  const determinant = a * d - b * c;
  return {
    a: d / determinant,
    b: -b / determinant,
    c: -c / determinant,
    d: a / determinant,
    tx: (c * ty - d * tx) / determinant,
    ty: (b * tx - a * ty) / determinant,
  };
};

/** Converts a step on the screen (device pixels) to a step in the image (image pixels). */
export const stepInImage = (step: Point, scale: number, orientation: Orientation): Point => {
  const { a, b, c, d } = rotationMatrix(orientation);
  const { pixelAspect = 1 } = orientation;
  return {
    x: (a * step.x + b * step.y) / scale,
    y: (c * step.x + d * step.y) / (scale * pixelAspect ** 2),
  };
};

/** Pans the image by `step` device pixels; the centre of the camera stays inside the image. */
export const panned = (camera: Camera, step: Point, image: Size, orientation: Orientation): Camera => {
  const moved = stepInImage(step, camera.scale, orientation);
  return {
    ...camera,
    centreX: Math.min(image.width, Math.max(0, camera.centreX - moved.x)),
    centreY: Math.min(image.height, Math.max(0, camera.centreY - moved.y)),
  };
};

/** Zooms by `factor`; the image point under `point` (device pixels of the stage) stays under it. */
export const zoomedAbout = (
  camera: Camera,
  factor: number,
  point: Point,
  rectangle: Rectangle,
  orientation: Orientation,
): Camera => {
  const scale = clampScale(camera.scale * factor);
  const fromMiddle = {
    x: point.x - rectangle.x - rectangle.width / 2,
    y: point.y - rectangle.y - rectangle.height / 2,
  };
  const before = stepInImage(fromMiddle, camera.scale, orientation);
  const after = stepInImage(fromMiddle, scale, orientation);
  return { scale, centreX: camera.centreX + before.x - after.x, centreY: camera.centreY + before.y - after.y };
};

export const sameView = (one: View, other: View): boolean =>
  one === other ||
  (typeof one !== 'string' &&
    typeof other !== 'string' &&
    one.centreX === other.centreX &&
    one.centreY === other.centreY &&
    one.scale === other.scale);
