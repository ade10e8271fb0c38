import { Matrix } from 'pixi.js';
import type { ImagePixels, LoadedImage } from '../decode/loaded-image.ts';
import { type Affine, type Orientation, type Rectangle, type Size, sameRectangle, sameView } from '../scene/camera.ts';
import { isSameDisplay } from '../scene/display.ts';
import type { Camera, ResolvedDisplay } from '../scene/scene.ts';
import { samplesOf, variantOf, windowUniforms } from '../shaders/window/uniforms.ts';
import { valueVariant } from '../shaders/window/variants.ts';
import type { Gpu } from './gpu.ts';
import { type ImageTransform, imageTransform, sameSamples } from './image-transform.ts';
import { createPass, type Pass } from './pass.ts';
import { createTables } from './tables.ts';
import type { ImageTextures } from './textures.ts';
import { fillGrey, fillTransform, greyGroup, tileGroup, transformGroup } from './uniform-groups.ts';
import { createValueBuffer, type ValueBuffer } from './value-buffer.ts';

/** Everything that the drawing of one image depends on. */
export interface ShownImage {
  readonly image: LoadedImage;
  /** The values to draw: those of the image, or the result of filters. */
  readonly pixels: ImagePixels;
  readonly display: ResolvedDisplay;
  readonly camera: Camera;
  readonly orientation: Orientation;
  /** Position on the stage, in device pixels; nothing is drawn outside. */
  readonly rectangle: Rectangle;
  readonly stage: Size;
  /** Draw with fewer texture reads per pixel, for slow GPUs. */
  readonly coarse: boolean;
}

/** Whether both render the same image. */
export const rendersSame = (one: ShownImage, other: ShownImage): boolean =>
  one.image === other.image &&
  one.pixels === other.pixels &&
  one.coarse === other.coarse &&
  isSameDisplay(one.display, other.display) &&
  sameView(one.camera, other.camera) &&
  sameRectangle(one.rectangle, other.rectangle) &&
  one.stage.width === other.stage.width &&
  one.stage.height === other.stage.height;

export interface ImageLayer {
  /** Updates the layer to `next`, changing only what differs. Draws nothing on the stage yet. */
  readonly show: (next: ShownImage) => void;
  /** Draws the image. Pixels outside it are unchanged; the caller clips to the rectangle. */
  readonly draw: () => void;
  /** GPU memory of this layer alone, in bytes. */
  readonly bytes: () => number;
  readonly dispose: () => void;
}

/** Replaces a VOI LUT that the image does not have by the default of the file, so that one image does not stop the drawing of all. */
const supportedDisplay = ({ image, display }: ShownImage): ResolvedDisplay =>
  display.voi.kind === 'lut' && !image.voiLuts[display.voi.index] ? { ...display, voi: image.original.voi } : display;

const matrixOf = ({ a, b, c, d, tx, ty }: Affine) => new Matrix(a, b, c, d, tx, ty);

/** Creates the render passes of one set of pixel values. */
const createImagePasses = (acquired: ImageTextures) => {
  const direct = transformGroup();
  const sampled = transformGroup();
  const grey = greyGroup();
  const tiles = acquired.tiles.map(({ tile, source, geometry }) => ({ source, geometry, tile: tileGroup(tile) }));
  const shown = createPass(
    tiles.map(({ tile, ...piece }) => ({ ...piece, groups: { tile, transform: direct, grey } })),
  );
  let sampling: Pass | null = null;
  return {
    direct,
    sampled,
    grey,
    shown,
    /** Created on first use: not needed until the window changes. */
    sampling: () => {
      sampling ??= createPass(tiles.map(({ tile, ...piece }) => ({ ...piece, groups: { tile, transform: sampled } })));
      return sampling;
    },
    dispose: () => {
      shown.dispose();
      sampling?.dispose();
    },
  };
};

/**
 * Draws one image; shares its textures, owns its passes. While the image moves it is sampled directly onto the stage; when the same
 * samples are shown a second time (another window, another position), they are cached in a value buffer.
 */
export const createImageLayer = (gpu: Gpu): ImageLayer => {
  const tables = createTables(gpu);
  let shown: ShownImage | null = null;
  let transform: ImageTransform | null = null;
  let passes: ReturnType<typeof createImagePasses> | null = null;
  let buffer: ValueBuffer | null = null;
  let current: Pass | null = null;

  const freeBuffer = () => {
    buffer?.dispose();
    buffer = null;
  };

  const freeImageTextures = () => {
    freeBuffer();
    passes?.dispose();
    passes = null;
    current = null;
    if (shown) gpu.releaseImage(shown.pixels);
  };

  const passesFor = (next: ShownImage) => {
    if (passes && shown?.pixels === next.pixels) return passes;
    const acquired = gpu.acquireImage(next.pixels, next.image);
    freeImageTextures();
    passes = createImagePasses(acquired);
    return passes;
  };

  const canSample = ({ pixels }: ShownImage, { visible }: ImageTransform) =>
    gpu.rendersToFloat && pixels.format !== 'rgba8' && visible.width > 0 && visible.height > 0;

  /** Returns the value buffer for `next`: the cached one, or a new one on the second use of the same samples; else null. */
  const samplesFor = (
    next: ShownImage,
    nextTransform: ImageTransform,
    currentPasses: ReturnType<typeof createImagePasses>,
  ) => {
    const same = transform !== null && sameSamples(transform, nextTransform);
    if (same && buffer) return buffer;
    freeBuffer();
    if (!same || !shown || rendersSame(shown, next) || !canSample(next, nextTransform)) return null;
    const { visible, footprint, toVisible, sampling } = nextTransform;
    const pass = currentPasses.sampling();
    fillTransform(currentPasses.sampled, footprint, toVisible, null);
    pass.bind(valueVariant(samplesOf[next.pixels.format], sampling), {});
    pass.setTransform(matrixOf(toVisible));
    buffer = createValueBuffer(gpu, { width: visible.width, height: visible.height }, currentPasses.grey);
    buffer.fill(pass);
    return buffer;
  };

  return {
    show: (next) => {
      if (shown && current && rendersSame(shown, next)) return;
      const uniforms = windowUniforms({ ...next.image, pixels: next.pixels }, supportedDisplay(next));
      const currentPasses = passesFor(next);
      const nextTransform = imageTransform(next);
      const { visible, footprint, toVisible, sampling } = nextTransform;
      const textures = tables.use(uniforms, () => {
        currentPasses.shown.unbind();
        buffer?.pass.unbind();
      });
      fillGrey(currentPasses.grey, uniforms);
      const samples = samplesFor(next, nextTransform, currentPasses);
      const variant = variantOf(uniforms, next.coarse && sampling !== 'NEAREST' ? 'LINEAR' : sampling);
      if (samples) {
        samples.bind(variant, textures, visible);
        current = samples.pass;
      } else {
        const toStage = { ...toVisible, tx: toVisible.tx + visible.x, ty: toVisible.ty + visible.y };
        fillTransform(currentPasses.direct, footprint, toStage, next.stage.height);
        currentPasses.shown.bind(variant, textures);
        currentPasses.shown.setTransform(matrixOf(toStage));
        current = currentPasses.shown;
      }
      shown = next;
      transform = nextTransform;
    },
    draw: () => {
      if (current) gpu.renderer.render({ container: current.container, clear: false });
    },
    bytes: () => buffer?.bytes ?? 0,
    dispose: () => {
      freeImageTextures();
      tables.dispose();
      shown = null;
    },
  };
};
