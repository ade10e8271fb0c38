import type { PresentationState } from '../../../contract/presentation-states.ts';
import type { Affine } from '../scene/camera.ts';
import { bitmapPixels } from './bitmap-pixels.ts';
import { contextOf } from './canvas-context.ts';
import type { PlacedPlanes } from './paint-planes.ts';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

interface Drawing {
  readonly canvas: OffscreenCanvas;
  readonly x: number;
  readonly y: number;
}

const drawings = new WeakMap<PresentationState, Drawing>();

const drawingOf = (state: PresentationState, image: PlacedPlanes['image']): Drawing | null => {
  const found = drawings.get(state);
  if (found || !state.bitmapShutter) return found ?? null;
  const { x, y, width, height, rgba } = bitmapPixels(state.bitmapShutter, image, state.shutterColour);
  const canvas = new OffscreenCanvas(width, height);
  contextOf(canvas).putImageData(new ImageData(rgba, width, height), 0, 0);
  const drawing = { canvas, x, y };
  drawings.set(state, drawing);
  return drawing;
};

/** Covers the pixels of the bitmap shutter of the state that an image is shown with. `transform`: image pixels to those of the canvas. */
export const paintBitmapShutter = (context: Context, { image, camera }: PlacedPlanes, transform: Affine): void => {
  const drawing = image.presentation ? drawingOf(image.presentation, image) : null;
  if (!drawing) return;
  const { a, b, c, d, tx, ty } = transform;
  context.save();
  context.setTransform(a, b, c, d, tx, ty);
  // Enlarged, each pixel of the bitmap covers exactly its pixel of the image.
  context.imageSmoothingEnabled = camera.scale < 1;
  context.drawImage(drawing.canvas, drawing.x, drawing.y);
  context.restore();
};
