import { Matrix } from 'pixi.js';
import type { ImagePixels, LoadedImage } from '../decode/loaded-image.ts';
import { type Affine, type Orientation, type Rectangle, type Size, sameRectangle, sameView } from '../scene/camera.ts';
import { sameDisplay } from '../scene/display.ts';
import type { Camera, DrawnDisplay } from '../scene/scene.ts';
import { samplesOf, variantOf, windowUniforms } from '../shaders/window/uniforms.ts';
import { valueVariant } from '../shaders/window/variants.ts';
import type { Gpu } from './gpu.ts';
import { type Laying, layingOf, samplesSame } from './laying.ts';
import { createPass, type Pass } from './pass.ts';
import { createTables } from './tables.ts';
import type { PictureTextures } from './textures.ts';
import { fillGrey, fillLying, greyGroup, lyingGroup, tileGroup } from './uniform-groups.ts';
import { createValueBuffer, type ValueBuffer } from './value-buffer.ts';

/** All that the drawing of one image depends on. */
export interface ShownImage {
  readonly image: LoadedImage;
  /** The values to draw: those of the image, or what a filter made of them. */
  readonly pixels: ImagePixels;
  readonly display: DrawnDisplay;
  readonly camera: Camera;
  readonly orientation: Orientation;
  /** Where on the stage, in device pixels; nothing is drawn outside. */
  readonly rectangle: Rectangle;
  readonly stage: Size;
  /** Drawn with fewer reads a pixel, for machines that do not keep up. */
  readonly coarse: boolean;
}

/** Whether both come out as the same picture. */
export const looksSame = (one: ShownImage, other: ShownImage): boolean =>
  one.image === other.image &&
  one.pixels === other.pixels &&
  one.coarse === other.coarse &&
  sameDisplay(one.display, other.display) &&
  sameView(one.camera, other.camera) &&
  sameRectangle(one.rectangle, other.rectangle) &&
  one.stage.width === other.stage.width &&
  one.stage.height === other.stage.height;

export interface ImageLayer {
  /** Brings the layer from what it showed to `next`, touching what differs. Draws nothing on the stage yet. */
  readonly show: (next: ShownImage) => void;
  /** Draws it. Pixels beside the picture are left as they are; the caller keeps it to its rectangle. */
  readonly draw: () => void;
  /** GPU memory that it has to itself. */
  readonly bytes: () => number;
  readonly dispose: () => void;
}

/** The display; as the file asks where it names a LUT that this image does not have, so that one image does not stop them all. */
const possible = ({ image, display }: ShownImage): DrawnDisplay =>
  display.voi.kind === 'lut' && !image.voiLuts[display.voi.index] ? { ...display, voi: image.original.voi } : display;

const matrixOf = ({ a, b, c, d, tx, ty }: Affine) => new Matrix(a, b, c, d, tx, ty);

/** What belongs to one set of values on the GPU. */
const createPicturePasses = (held: PictureTextures) => {
  const direct = lyingGroup();
  const sampled = lyingGroup();
  const grey = greyGroup();
  const tiles = held.tiles.map(({ tile, source, geometry }) => ({ source, geometry, tile: tileGroup(tile) }));
  const shown = createPass(tiles.map(({ tile, ...piece }) => ({ ...piece, groups: { tile, lying: direct, grey } })));
  let sampling: Pass | null = null;
  return {
    direct,
    sampled,
    grey,
    shown,
    /** Made when it is first asked for: a picture whose window nobody changes does without. */
    sampling: () => {
      sampling ??= createPass(tiles.map(({ tile, ...piece }) => ({ ...piece, groups: { tile, lying: sampled } })));
      return sampling;
    },
    dispose: () => {
      shown.dispose();
      sampling?.dispose();
    },
  };
};

/**
 * Draws one image; shares its textures, owns its passes. As long as a hand moves the picture it is sampled straight onto the stage;
 * from the second time on that the same samples are shown otherwise (another window, another place on the stage) they are kept.
 */
export const createImageLayer = (gpu: Gpu): ImageLayer => {
  const tables = createTables(gpu);
  let shown: ShownImage | null = null;
  let laying: Laying | null = null;
  let passes: ReturnType<typeof createPicturePasses> | null = null;
  let buffer: ValueBuffer | null = null;
  let current: Pass | null = null;

  const freeBuffer = () => {
    buffer?.dispose();
    buffer = null;
  };

  const freePicture = () => {
    freeBuffer();
    passes?.dispose();
    passes = null;
    current = null;
    if (shown) gpu.releasePicture(shown.pixels);
  };

  const passesFor = (next: ShownImage) => {
    if (passes && shown?.pixels === next.pixels) return passes;
    const held = gpu.holdPicture(next.pixels, next.image);
    freePicture();
    passes = createPicturePasses(held);
    return passes;
  };

  const maySample = ({ pixels }: ShownImage, { seen }: Laying) =>
    gpu.drawsNumbers && pixels.format !== 'rgba8' && seen.width > 0 && seen.height > 0;

  /** The samples of `next`: those kept, or taken now because they are asked for a second time; null when not worth it. */
  const samplesFor = (next: ShownImage, nextLaying: Laying, own: ReturnType<typeof createPicturePasses>) => {
    const same = laying !== null && samplesSame(laying, nextLaying);
    if (same && buffer) return buffer;
    freeBuffer();
    if (!same || !shown || looksSame(shown, next) || !maySample(next, nextLaying)) return null;
    const { seen, footprint, toSeen, sampling } = nextLaying;
    const pass = own.sampling();
    fillLying(own.sampled, footprint, toSeen, null);
    pass.dress(valueVariant(samplesOf[next.pixels.format], sampling), {});
    pass.lay(matrixOf(toSeen));
    buffer = createValueBuffer(gpu, { width: seen.width, height: seen.height }, own.grey);
    buffer.fill(pass);
    return buffer;
  };

  return {
    show: (next) => {
      if (shown && current && looksSame(shown, next)) return;
      const uniforms = windowUniforms({ ...next.image, pixels: next.pixels }, possible(next));
      const own = passesFor(next);
      const nextLaying = layingOf(next);
      const { seen, footprint, toSeen, sampling } = nextLaying;
      const textures = tables.take(uniforms, () => {
        own.shown.undress();
        buffer?.pass.undress();
      });
      fillGrey(own.grey, uniforms);
      const samples = samplesFor(next, nextLaying, own);
      const variant = variantOf(uniforms, next.coarse && sampling !== 'NEAREST' ? 'LINEAR' : sampling);
      if (samples) {
        samples.dress(variant, textures, seen);
        current = samples.pass;
      } else {
        const toStage = { ...toSeen, tx: toSeen.tx + seen.x, ty: toSeen.ty + seen.y };
        fillLying(own.direct, footprint, toStage, next.stage.height);
        own.shown.dress(variant, textures);
        own.shown.lay(matrixOf(toStage));
        current = own.shown;
      }
      shown = next;
      laying = nextLaying;
    },
    draw: () => {
      if (current) gpu.renderer.render({ container: current.container, clear: false });
    },
    bytes: () => buffer?.bytes ?? 0,
    dispose: () => {
      freePicture();
      tables.dispose();
      shown = null;
    },
  };
};
