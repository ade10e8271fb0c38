import type { OverlayPlane } from '../../../dicom/overlay-planes.ts';
import { imageToStage } from '../scene/camera.ts';
import { contextOf } from './canvas-context.ts';
import type { ShownImage } from './image-layer.ts';
import { planePixels } from './plane-pixels.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** What the place of the planes of an image depends on. */
export type PlacedPlanes = Pick<ShownImage, 'image' | 'camera' | 'orientation' | 'rectangle'>;

interface Drawing {
  readonly canvas: OffscreenCanvas;
  readonly x: number;
  readonly y: number;
}

const drawings = new WeakMap<OverlayPlane, Map<number, Drawing>>();

const drawingOf = (plane: OverlayPlane, block: number): Drawing => {
  const known = drawings.get(plane) ?? new Map<number, Drawing>();
  drawings.set(plane, known);
  const found = known.get(block);
  if (found) return found;
  const { x, y, width, height, rgba } = planePixels(plane, block);
  const canvas = new OffscreenCanvas(width, height);
  contextOf(canvas).putImageData(new ImageData(rgba, width, height), 0, 0);
  const drawing = { canvas, x, y };
  known.set(block, drawing);
  return drawing;
};

/** Image pixels along a side of a block that is one to two device pixels wide: 1, 2, 4, ... */
const blockFor = (scale: number): number => 2 ** Math.max(0, Math.ceil(-Math.log2(scale)));

/** Paints the overlay planes of an image onto a canvas of device pixels, as it is rotated, flipped and zoomed; its display does not matter. */
export const paintPlanes = (context: Context, { image, camera, orientation, rectangle }: PlacedPlanes): void => {
  const { pixelAspect = 1 } = orientation;
  const block = blockFor(camera.scale * Math.min(1, pixelAspect));
  const { a, b, c, d, tx, ty } = imageToStage(camera, rectangle, orientation);
  context.save();
  context.beginPath();
  context.rect(rectangle.x, rectangle.y, rectangle.width, rectangle.height);
  context.clip();
  context.setTransform(a * block, b * block, c * block, d * block, tx, ty);
  // Enlarged, each pixel of a plane covers exactly its pixel of the image.
  context.imageSmoothingEnabled = block > 1;
  for (const plane of image.overlayPlanes.planes) {
    const { canvas, x, y } = drawingOf(plane, block);
    context.drawImage(canvas, x, y);
  }
  context.restore();
};
