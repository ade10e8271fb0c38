import type { WebGLRenderer } from 'pixi.js';
import { createGpu } from '../layers/gpu.ts';
import { createImageLayer, type ImageLayer, type ShownImage } from '../layers/image-layer.ts';
import { enlarged, type Lens, lensInside, lensRectangle } from '../layers/lens.ts';
import { overlap, type Rectangle, type Size } from '../scene/camera.ts';
import { area, changedParts, type Drawing, type Drawings } from './changed-parts.ts';
import type { Surface } from './renderer.ts';

/** Draws images onto a surface, with one layer per image. */
export interface Painter {
  readonly renderer: WebGLRenderer;
  /**
   * Draws these images in this order, with the lens on top, and frees the layers of all others. Only the parts of the stage that
   * changed since the last call are redrawn.
   */
  readonly paint: (images: ReadonlyMap<string, ShownImage>, lens?: Lens | null) => void;
  /** Device pixels that the last `paint` redrew. */
  readonly paintedPixels: () => number;
  /** GPU memory of textures and value buffers, in bytes. */
  readonly gpuBytes: () => number;
  readonly dispose: () => void;
}

const mebibyte = 2 ** 20;

const black = [0, 0, 0, 1] as const;
const borderGrey = [0.8, 0.8, 0.8, 1] as const;
const lensId = 'lens:';

const nothing: Drawings = new Map();

/** @param budgetBytes GPU memory above which layers of images outside the stage are freed */
export const createPainter = ({ renderer, canvas, maxTexture }: Surface, budgetBytes = 768 * mebibyte): Painter => {
  const gpu = createGpu(renderer, maxTexture);
  const layers = new Map<string, ImageLayer>();
  let drawn: Drawings = nothing;
  let size: Size = { width: 0, height: 0 };
  let painted = 0;

  const drop = (id: string) => {
    layers.get(id)?.dispose();
    layers.delete(id);
  };

  const dropAll = () => {
    for (const id of [...layers.keys()]) drop(id);
  };

  // The drawn pixels and the value buffers are lost with the context.
  const lost = {
    contextChange: () => {
      dropAll();
      size = { width: 0, height: 0 };
    },
  };
  renderer.runners.contextChange.add(lost);

  const layerOf = (id: string) => {
    const layer = layers.get(id) ?? createImageLayer(gpu);
    layers.set(id, layer);
    return layer;
  };

  const gpuBytes = () => [...layers.values()].reduce((sum, layer) => sum + layer.bytes(), gpu.bytes());

  /** Runs `draw` with the scissor rectangle set to `part`. */
  const within = (part: Rectangle, draw: () => void) => {
    if (area(part) === 0) return;
    renderer.gl.scissor(part.x, size.height - part.y - part.height, part.width, part.height);
    draw();
  };

  const fill = (part: Rectangle, colour: readonly number[]) =>
    within(part, () => renderer.gl.clearBufferfv(renderer.gl.COLOR, 0, colour));

  const drawPart = (part: Rectangle, drawings: Drawings) => {
    renderer.renderTarget.bind({ target: renderer.view.renderTarget, clear: false });
    fill(part, black);
    for (const [id, { shown, covers }] of drawings) {
      if (id === lensId) {
        fill(overlap(part, covers), borderGrey);
        fill(overlap(part, shown.rectangle), black);
      }
      within(overlap(part, shown.rectangle), () => layers.get(id)?.draw());
    }
  };

  const drawingsOf = (images: ReadonlyMap<string, ShownImage>, lens: Lens | null) => {
    const drawings = new Map<string, Drawing>();
    for (const [id, shown] of images) drawings.set(id, { shown, covers: shown.rectangle });
    const under = lens && images.get(lens.id);
    if (lens && under) {
      const covers = lensRectangle(lens);
      drawings.set(lensId, { shown: enlarged(under, lens, lensInside(covers)), covers });
    }
    return drawings;
  };

  /** Updates the layers of images on the stage; layers outside it are kept while memory allows. */
  const showAll = (drawings: Drawings, stage: Rectangle) => {
    for (const id of [...layers.keys()]) if (!drawings.has(id)) drop(id);
    const away: string[] = [];
    for (const [id, { shown, covers }] of drawings) {
      if (area(overlap(covers, stage)) > 0) layerOf(id).show(shown);
      else if (layers.has(id)) away.push(id);
    }
    for (const id of away) if (gpuBytes() > budgetBytes) drop(id);
  };

  return {
    renderer,
    paint: (images, lens = null) => {
      const { gl, width, height } = renderer;
      const stage = { x: 0, y: 0, width, height };
      const drawings = drawingsOf(images, lens);
      const isFresh = size.width !== width || size.height !== height;
      const parts = isFresh ? [stage] : changedParts(drawn, drawings, stage);
      size = { width, height };
      showAll(drawings, stage);
      gl.enable(gl.SCISSOR_TEST);
      for (const part of parts) drawPart(part, drawings);
      gl.disable(gl.SCISSOR_TEST);
      drawn = drawings;
      painted = parts.reduce((sum, part) => sum + area(part), 0);
    },
    paintedPixels: () => painted,
    gpuBytes,
    dispose: () => {
      renderer.runners.contextChange.remove(lost);
      dropAll();
      renderer.destroy();
      canvas.remove();
    },
  };
};
