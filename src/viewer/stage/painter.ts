import { Container, type WebGLRenderer } from 'pixi.js';
import { createImageLayer, type ImageLayer, type ShownImage } from '../layers/image-layer.ts';
import type { Lens } from '../layers/lens.ts';
import type { Surface } from './renderer.ts';

/** Draws images onto a surface, one layer each. */
export interface Painter {
  readonly renderer: WebGLRenderer;
  /** Draws these images, in this order, and frees the layers of all others; a lens lies over them. */
  readonly paint: (images: ReadonlyMap<string, ShownImage>, lens?: Lens | null) => void;
  readonly dispose: () => void;
}

export const createPainter = ({ renderer, canvas, largestTexture }: Surface): Painter => {
  const root = new Container();
  const layers = new Map<string, { readonly layer: ImageLayer; readonly holder: Container }>();

  const drop = (id: string) => {
    const found = layers.get(id);
    if (!found) return;
    found.layer.dispose();
    found.holder.destroy();
    layers.delete(id);
  };

  const layerOf = (id: string) => {
    const found = layers.get(id);
    if (found) return found.layer;
    const holder = root.addChild(new Container());
    const layer = createImageLayer(holder, largestTexture);
    layers.set(id, { layer, holder });
    return layer;
  };

  return {
    renderer,
    paint: (images) => {
      for (const id of [...layers.keys()]) if (!images.has(id)) drop(id);
      for (const [id, shown] of images) layerOf(id).show(shown);
      renderer.render({ container: root });
    },
    dispose: () => {
      for (const id of [...layers.keys()]) drop(id);
      root.destroy({ children: true });
      renderer.destroy();
      canvas.remove();
    },
  };
};
