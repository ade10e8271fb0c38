import { Matrix, RenderTexture } from 'pixi.js';
import type { Rectangle, Size } from '../scene/camera.ts';
import { outside, placedVariant, type WindowVariant } from '../shaders/window/variants.ts';
import type { Gpu } from './gpu.ts';
import { createPass, type Pass } from './pass.ts';
import type { TableTextures } from './tables.ts';
import { rectangleGeometry } from './textures.ts';
import type { GreyGroup } from './uniform-groups.ts';

/**
 * The sampled value of every device pixel of a rectangle, so that a window change costs one texture read per pixel. Owns its texture
 * and the pass that shows it.
 */
export interface ValueBuffer {
  readonly size: Size;
  readonly bytes: number;
  /** Draws the values of `sampling` (a pass of OUTPUT_VALUE) into the buffer. */
  readonly fill: (sampling: Pass) => void;
  /** Binds the pass that shows the buffer at `place` (of the same size), with the steps of `shown`. */
  readonly bind: (shown: WindowVariant, tables: TableTextures, rectangle: Rectangle) => void;
  readonly pass: Pass;
  readonly dispose: () => void;
}

const corners = new Float32Array([0, 0, 1, 0, 1, 1, 0, 1]);

export const createValueBuffer = ({ renderer }: Gpu, size: Size, grey: GreyGroup): ValueBuffer => {
  const texture = RenderTexture.create({
    ...size,
    resolution: 1,
    format: 'r32float',
    scaleMode: 'nearest',
    antialias: false,
    autoGenerateMipmaps: false,
    autoGarbageCollect: false,
  });
  const geometry = rectangleGeometry({ x: 0, y: 0, width: 1, height: 1 }, corners);
  const pass = createPass([{ source: texture.source, geometry, groups: { grey } }]);
  return {
    size,
    bytes: size.width * size.height * 4,
    fill: (sampling) => {
      const { gl } = renderer;
      renderer.renderTarget.bind({ target: texture, clear: false });
      gl.clearBufferfv(gl.COLOR, 0, [outside, 0, 0, 0]);
      renderer.render({ container: sampling.container, target: texture, clear: false });
    },
    bind: (shown, tables, rectangle) => {
      pass.bind(placedVariant(shown), tables);
      pass.setTransform(new Matrix(rectangle.width, 0, 0, rectangle.height, rectangle.x, rectangle.y));
    },
    pass,
    dispose: () => {
      pass.dispose();
      geometry.destroy(true);
      texture.destroy(true);
    },
  };
};
