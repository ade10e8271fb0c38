import type { Images } from '../decode/images.ts';
import type { ImagePixels, LoadedImage } from '../decode/loaded-image.ts';
import { createOverlayStore } from '../gesture/overlay-store.ts';
import { contextOf } from '../layers/canvas-context.ts';
import type { ShownImage } from '../layers/image-layer.ts';
import { marksOf } from '../layers/mark-drawing.ts';
import { paintMarks } from '../layers/paint-marks.ts';
import { paintPlanes } from '../layers/paint-planes.ts';
import { paintAnnotations, paintShutters } from '../layers/paint-state.ts';
import type { StageTexts } from '../scene/measure.ts';
import { emptyScene, type Scene } from '../scene/scene.ts';
import { createLiveMount } from './live-mount.ts';
import { createLiveViews } from './live-views.ts';
import { createPainter } from './painter.ts';
import { pictureSize } from './picture-size.ts';
import { withStrip } from './picture-strip.ts';
import { createSurface } from './renderer.ts';
import { readSnapshot } from './snapshot.ts';
import { createStageImages, type StageImages } from './stage-images.ts';

export interface PictureOptions {
  /** Width by height for several images without a mount. */
  readonly aspect?: number;
  /** Longest side in pixels; without it the finest image is drawn with its own pixels. It never adds pixels. */
  readonly longestSide?: number;
  /** Texts of marks; without them no mark is drawn. */
  readonly words?: StageTexts;
  /** Locale of numbers (BCP 47). */
  readonly locale?: string;
  /** Longer side of each image in CSS pixels, as on a screen: it sets the size of lines and texts of marks. */
  readonly shownSide?: number;
  /** Text on a strip below the picture; none when it is empty. */
  readonly strip?: string;
  readonly signal?: AbortSignal;
}

export type PictureType = 'image/png' | 'image/jpeg';

/** A drawn picture in sRGB, without transparency. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly canvas: OffscreenCanvas;
  readonly toBlob: (type: PictureType) => Promise<Blob>;
}

export interface PictureRenderer {
  /**
   * Draws a scene off the screen with the shaders of the stage, each image whole and at full level. Rejects with the error of an image that
   * cannot be loaded or filtered: a picture never lacks an image.
   */
  readonly render: (scene: Scene, options?: PictureOptions) => Promise<Picture>;
  /** Frees the GPU memory. */
  readonly dispose: () => void;
}

interface Loaded {
  readonly image: LoadedImage;
  readonly pixels: ImagePixels;
}

const jpegQuality = 0.95;
const defaultAspect = 4 / 3;
const defaultShownSide = 800;

const load = async (scene: Scene, images: Images, signal?: AbortSignal): Promise<ReadonlyMap<string, Loaded>> => {
  const loads = scene.images.map(async ({ id, source, frame, display }) => {
    const image = await images.load(source, frame, { level: 'full', ...(signal && { signal }) });
    return [id, { image, pixels: await images.filter(image, display, signal) }] as const;
  });
  return new Map(await Promise.all(loads));
};

/** Returns the scene with every image, and the mount, shown whole. */
const shownWhole = (scene: Scene): Scene => ({
  ...scene,
  images: scene.images.map((image) => ({ ...image, view: 'fit' })),
  mount: scene.mount && { ...scene.mount, view: 'fit' },
});

/** Font of the page. */
const fontOf = (): string => getComputedStyle(document.body).fontFamily;

const drawMarks = (canvas: OffscreenCanvas, stageImages: StageImages, options: PictureOptions): void => {
  const { words, locale = 'sv', shownSide = defaultShownSide } = options;
  if (!words) return;
  const context = contextOf(canvas);
  const font = fontOf();
  const overlay = createOverlayStore(() => undefined).get();
  for (const stageImage of stageImages.all()) {
    const { width, height } = stageImage.rectangle;
    const ratio = Math.max(width, height) / shownSide;
    paintMarks(context, marksOf(stageImage, overlay, ratio, { words, locale }), ratio, font);
  }
};

/** Draws what files lay over their images; shutters and annotations with the marks. */
const drawGraphics = (
  canvas: OffscreenCanvas,
  { planesHidden }: Scene,
  shown: ReadonlyMap<string, ShownImage>,
  { words, shownSide = defaultShownSide }: PictureOptions,
): void => {
  const context = contextOf(canvas);
  const fontFamily = fontOf();
  for (const one of shown.values()) {
    if (words) paintShutters(context, one);
    if (!planesHidden) paintPlanes(context, one);
    const ratio = Math.max(one.rectangle.width, one.rectangle.height) / shownSide;
    if (words) paintAnnotations(context, one, { ratio, fontFamily });
  }
};

/** Creates a renderer with a GPU context of its own. Rejects with an Error when WebGL 2 is not available. */
export const createPictureRenderer = async (images: Images): Promise<PictureRenderer> => {
  const surface = await createSurface({ width: 1, height: 1 });
  const painter = createPainter(surface);
  const { renderer, maxTexture } = surface;

  return {
    render: async (asked, options = {}) => {
      const scene = shownWhole(asked);
      const loaded = await load(scene, images, options.signal);
      options.signal?.throwIfAborted();
      const bounds = {
        aspect: options.aspect ?? defaultAspect,
        longestSide: options.longestSide ?? null,
        maxSide: maxTexture,
      };
      const size = pictureSize(scene, new Map([...loaded].map(([id, { image }]) => [id, image])), bounds);
      const views = createLiveViews();
      const mount = createLiveMount();
      views.applyScene(emptyScene, scene, new Set());
      mount.applyScene(emptyScene, scene, false);
      const imageLoads = { of: (id: string) => ({ image: null, pixels: null, ...loaded.get(id), error: null }) };
      const stageImages = createStageImages({ scene: () => scene, size: () => size, views, mount, imageLoads });
      const shown = stageImages.all().map(({ id, image, drawn, camera, orientation, rectangle }) => {
        const pixels = loaded.get(id)?.pixels ?? image.pixels;
        const one = { image, pixels, display: drawn, camera, orientation, rectangle, stage: size, coarse: false };
        return [id, one satisfies ShownImage] as const;
      });
      if (renderer.context.isLost) throw new Error('The graphics context is lost');
      renderer.resize(size.width, size.height);
      painter.paint(new Map(shown));
      const { width, height, pixels } = readSnapshot(renderer);
      // Browsers make the buffer smaller when memory is short.
      if (width !== size.width || height !== size.height) throw new Error('The picture is too large for the GPU');
      const drawn = new OffscreenCanvas(width, height);
      contextOf(drawn).putImageData(new ImageData(pixels, width, height), 0, 0);
      drawGraphics(drawn, scene, new Map(shown), options);
      drawMarks(drawn, stageImages, options);
      const canvas = options.strip ? withStrip(drawn, options.strip, fontOf()) : drawn;
      const toBlob: Picture['toBlob'] = (type) => canvas.convertToBlob({ type, quality: jpegQuality });
      return { width: canvas.width, height: canvas.height, canvas, toBlob };
    },
    dispose: painter.dispose,
  };
};
