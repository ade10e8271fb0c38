import type { BufferImageSource, WebGLRenderer } from 'pixi.js';
import type { LookupTable } from '../../../dicom/image-model.ts';
import type { ImagePixels, LoadedImage } from '../decode/loaded-image.ts';
import type { TablePalette } from '../shaders/palette/uniforms.ts';
import { createRefCounted, type RefCounted } from './ref-counted.ts';
import { freeImageTextures, type ImageTextures, imageTextures, lutTexture, paletteTexture } from './textures.ts';

/** The renderer and the GPU resources that layers share. */
export interface Gpu {
  readonly renderer: WebGLRenderer;
  /** Whether 32-bit float textures are renderable. */
  readonly rendersToFloat: boolean;
  /** Returns the textures of pixel values, uploaded once for all users. `image` gives their size. */
  readonly acquireImage: (pixels: ImagePixels, image: LoadedImage) => ImageTextures;
  readonly releaseImage: (pixels: ImagePixels) => void;
  readonly luts: RefCounted<LookupTable, BufferImageSource>;
  readonly palettes: RefCounted<TablePalette, BufferImageSource>;
  /** GPU memory of the shared textures, in bytes. */
  readonly bytes: () => number;
}

const byteLength = (source: BufferImageSource): number => source.resource?.byteLength ?? 0;

export const createGpu = (renderer: WebGLRenderer, maxTexture: number): Gpu => {
  const imageOfPixels = new Map<ImagePixels, LoadedImage>();
  const acquiredImages = createRefCounted<ImagePixels, ImageTextures>((pixels) => {
    const image = imageOfPixels.get(pixels);
    if (!image) throw new Error('Textures were requested without their image');
    return imageTextures(pixels, image, maxTexture);
  }, freeImageTextures);
  const luts = createRefCounted(lutTexture, (source) => source.destroy());
  const palettes = createRefCounted(paletteTexture, (source) => source.destroy());
  const sum = (numbers: readonly number[]) => numbers.reduce((total, bytes) => total + bytes, 0);
  return {
    renderer,
    rendersToFloat: Boolean(renderer.gl.getExtension('EXT_color_buffer_float')),
    acquireImage: (pixels, image) => {
      imageOfPixels.set(pixels, image);
      const acquired = acquiredImages.acquire(pixels);
      imageOfPixels.delete(pixels);
      return acquired;
    },
    releaseImage: acquiredImages.release,
    luts,
    palettes,
    bytes: () =>
      sum([...acquiredImages.all()].map(({ bytes }) => bytes)) +
      sum([...luts.all(), ...palettes.all()].map((source) => byteLength(source))),
  };
};
