import type { BufferImageSource, WebGLRenderer } from 'pixi.js';
import type { LookupTable } from '../../../dicom/image-model.ts';
import type { ImagePixels, LoadedImage } from '../decode/loaded-image.ts';
import type { TablePalette } from '../shaders/palette/uniforms.ts';
import { createHeldOnce, type HeldOnce } from './held-once.ts';
import { freePicture, lutTexture, type PictureTextures, paletteTexture, pictureTextures } from './textures.ts';

/** The machine that draws, and what layers share on it. */
export interface Gpu {
  readonly renderer: WebGLRenderer;
  /** Whether textures of 32-bit numbers can be drawn into. */
  readonly drawsNumbers: boolean;
  /** Textures of a picture by its values: drawn twice, uploaded once. `image` says how they lie. */
  readonly holdPicture: (pixels: ImagePixels, image: LoadedImage) => PictureTextures;
  readonly releasePicture: (pixels: ImagePixels) => void;
  readonly luts: HeldOnce<LookupTable, BufferImageSource>;
  readonly palettes: HeldOnce<TablePalette, BufferImageSource>;
  /** What the shared textures hold. */
  readonly bytes: () => number;
}

const byteLength = (source: BufferImageSource): number => source.resource?.byteLength ?? 0;

export const createGpu = (renderer: WebGLRenderer, largestTexture: number): Gpu => {
  const laid = new Map<ImagePixels, LoadedImage>();
  const pictures = createHeldOnce<ImagePixels, PictureTextures>((pixels) => {
    const image = laid.get(pixels);
    if (!image) throw new Error('a picture was asked for without its image');
    return pictureTextures(pixels, image, largestTexture);
  }, freePicture);
  const luts = createHeldOnce(lutTexture, (source) => source.destroy());
  const palettes = createHeldOnce(paletteTexture, (source) => source.destroy());
  const sum = (numbers: readonly number[]) => numbers.reduce((total, bytes) => total + bytes, 0);
  return {
    renderer,
    drawsNumbers: Boolean(renderer.gl.getExtension('EXT_color_buffer_float')),
    holdPicture: (pixels, image) => {
      laid.set(pixels, image);
      const held = pictures.hold(pixels);
      laid.delete(pixels);
      return held;
    },
    releasePicture: pictures.release,
    luts,
    palettes,
    bytes: () =>
      sum([...pictures.all()].map(({ bytes }) => bytes)) +
      sum([...luts.all(), ...palettes.all()].map((source) => byteLength(source))),
  };
};
