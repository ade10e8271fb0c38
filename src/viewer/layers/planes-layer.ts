import { type Size, sameRectangle, sameView } from '../scene/camera.ts';
import type { ShownImage } from './image-layer.ts';
import { enlarged, type Lens, lensInside, lensRectangle } from './lens.ts';
import { type PlacedPlanes, paintPlanes } from './paint-planes.ts';
import { paintAnnotations, paintShutters } from './paint-state.ts';

/** What is drawn. */
export interface ShownGraphics {
  readonly withPlanes: boolean;
  /** Shutters and annotations of presentation states. */
  readonly withStates: boolean;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

/**
 * Overlay planes, shutters and annotations of the images on a canvas above that of the GPU, so that no window, filter or palette changes them.
 */
export interface PlanesLayer {
  /** Draws the graphics of these images; those under the lens are enlarged with it. */
  readonly show: (
    images: readonly ShownImage[],
    under: ShownImage | null,
    lens: Lens | null,
    size: Size,
    graphics: ShownGraphics,
  ) => void;
  readonly dispose: () => void;
}

const hasGraphics = ({ image }: PlacedPlanes, { withPlanes, withStates }: ShownGraphics) =>
  (withPlanes && image.overlayPlanes.planes.length > 0) || (withStates && image.presentation !== undefined);

const sameGraphics = (one: ShownGraphics | null, other: ShownGraphics) =>
  one?.withPlanes === other.withPlanes && one.withStates === other.withStates && one.ratio === other.ratio;

const paint = (context: CanvasRenderingContext2D, placed: PlacedPlanes, graphics: ShownGraphics) => {
  const { withPlanes, withStates, ratio } = graphics;
  if (withStates) paintShutters(context, placed);
  if (withPlanes) paintPlanes(context, placed);
  if (withStates && placed.image.presentation)
    paintAnnotations(context, placed, { ratio, fontFamily: getComputedStyle(context.canvas).fontFamily });
};

const isSamePlace = (one: PlacedPlanes, other: PlacedPlanes | undefined) =>
  other !== undefined &&
  one.image.overlayPlanes === other.image.overlayPlanes &&
  one.image.presentation === other.image.presentation &&
  one.image.frame === other.image.frame &&
  sameView(one.camera, other.camera) &&
  sameRectangle(one.rectangle, other.rectangle) &&
  one.orientation.rotation === other.orientation.rotation &&
  one.orientation.horizontalFlip === other.orientation.horizontalFlip;

const createCanvas = (below: HTMLCanvasElement) => {
  const canvas = document.createElement('canvas');
  canvas.style.cssText = 'position:absolute;inset:0;width:100%;height:100%;pointer-events:none';
  canvas.setAttribute('aria-hidden', 'true');
  canvas.dataset.overlayPlanes = '';
  below.after(canvas);
  return canvas;
};

/** Creates the layer above `below`; the canvas is added for the first image with planes. */
export const createPlanesLayer = (below: HTMLCanvasElement): PlanesLayer => {
  let canvas: HTMLCanvasElement | null = null;
  let drawn: readonly PlacedPlanes[] = [];
  let drawnGraphics: ShownGraphics | null = null;

  return {
    show: (images, under, lens, { width, height }, graphics) => {
      const placed = images.filter((one) => hasGraphics(one, graphics));
      const inside = lens && under ? lensInside(lensRectangle(lens)) : null;
      const inLens = lens && under && inside ? enlarged(under, lens, inside) : null;
      // An image without planes hides in the lens those of others.
      const next = inLens && placed.length > 0 ? [...placed, inLens] : placed;
      const isSized = canvas === null || (canvas.width === width && canvas.height === height);
      const isSame = next.length === drawn.length && next.every((one, index) => isSamePlace(one, drawn[index]));
      if (isSized && isSame && (next.length === 0 || sameGraphics(drawnGraphics, graphics))) return;
      drawn = next;
      drawnGraphics = graphics;
      canvas ??= createCanvas(below);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('A 2D canvas context is not available');
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
      context.clearRect(0, 0, width, height);
      for (const one of placed) paint(context, one, graphics);
      if (!inLens || !lens) return;
      const { x, y, ...lensSize } = lensRectangle(lens);
      context.clearRect(x, y, lensSize.width, lensSize.height);
      paint(context, inLens, graphics);
    },
    dispose: () => canvas?.remove(),
  };
};
