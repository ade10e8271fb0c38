import { type Size, sameRectangle, sameView } from '../scene/camera.ts';
import type { ShownImage } from './image-layer.ts';
import { enlarged, type Lens, lensInside, lensRectangle } from './lens.ts';
import { type PlacedPlanes, paintPlanes } from './paint-planes.ts';

/** Overlay planes of the images on a canvas above that of the GPU, so that no window, filter or palette changes them. */
export interface PlanesLayer {
  /** Draws the planes of these images; those under the lens are enlarged with it. */
  readonly show: (images: readonly ShownImage[], under: ShownImage | null, lens: Lens | null, size: Size) => void;
  readonly dispose: () => void;
}

const hasPlanes = ({ image }: PlacedPlanes) => image.overlayPlanes.planes.length > 0;

const isSamePlace = (one: PlacedPlanes, other: PlacedPlanes | undefined) =>
  other !== undefined &&
  one.image.overlayPlanes === other.image.overlayPlanes &&
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

  return {
    show: (images, under, lens, { width, height }) => {
      const placed = images.filter(hasPlanes);
      const inside = lens && under ? lensInside(lensRectangle(lens)) : null;
      const inLens = lens && under && inside ? enlarged(under, lens, inside) : null;
      // An image without planes hides in the lens those of others.
      const next = inLens && placed.length > 0 ? [...placed, inLens] : placed;
      const isSized = canvas === null || (canvas.width === width && canvas.height === height);
      if (isSized && next.length === drawn.length && next.every((one, index) => isSamePlace(one, drawn[index]))) return;
      drawn = next;
      canvas ??= createCanvas(below);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('A 2D canvas context is not available');
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
      context.clearRect(0, 0, width, height);
      for (const one of placed) paintPlanes(context, one);
      if (!inLens || !lens) return;
      const { x, y, ...lensSize } = lensRectangle(lens);
      context.clearRect(x, y, lensSize.width, lensSize.height);
      paintPlanes(context, inLens);
    },
    dispose: () => canvas?.remove(),
  };
};
