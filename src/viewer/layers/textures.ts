import { BufferImageSource, MeshGeometry } from 'pixi.js';
import type { LookupTable } from '../../../dicom/image-model.ts';
import type { ImagePixels, LoadedImage } from '../decode/loaded-image.ts';
import type { Rectangle, Size } from '../scene/camera.ts';
import { paletteEntries, paletteTable, type TablePalette } from '../shaders/palette/uniforms.ts';
import { type Tile, tilesOf, valuesOf } from './tiles.ts';

/** The pixel values of an image on the GPU, in as many textures as needed. Geometry is in pixels of these values. */
export interface ImageTextures {
  readonly tiles: readonly {
    readonly tile: Tile;
    readonly source: BufferImageSource;
    readonly geometry: MeshGeometry;
  }[];
  readonly bytes: number;
}

const formats = { u8: 'r8uint', u16: 'r16uint', s16: 'r16sint', f32: 'r32float', rgba8: 'rgba8unorm' } as const;

const dataTexture = (
  resource: ImagePixels['values'],
  { width, height }: Size,
  format: (typeof formats)[ImagePixels['format']],
) =>
  new BufferImageSource({
    resource,
    width,
    height,
    format,
    // With any other mode integer textures are drawn black, without an error.
    scaleMode: 'nearest',
    alphaMode: 'no-premultiply-alpha',
    autoGenerateMipmaps: false,
    autoGarbageCollect: false,
  });

export const rectangleGeometry = ({ x, y, width, height }: Rectangle, uvs?: Float32Array): MeshGeometry => {
  const positions = new Float32Array([x, y, x + width, y, x + width, y + height, x, y + height]);
  return new MeshGeometry({ positions, uvs: uvs ?? positions.slice(), indices: new Uint32Array([0, 1, 2, 0, 2, 3]) });
};

/** Returns the drawn part of a tile: the last block of a reduced image may extend beyond its edge. */
const drawnPart = ({ core }: Tile, drawnSize: Size): Rectangle => ({
  ...core,
  width: Math.min(core.width, drawnSize.width - core.x),
  height: Math.min(core.height, drawnSize.height - core.y),
});

/** Creates the textures of an image, one for each tile. Pixi uploads them when they are first drawn, and again after a context loss. */
export const imageTextures = (
  pixels: ImagePixels,
  image: Pick<LoadedImage, 'width' | 'height' | 'pixelWidth' | 'pixelHeight' | 'reduction'>,
  maxTexture: number,
): ImageTextures => {
  const size = { width: image.pixelWidth, height: image.pixelHeight };
  const drawnSize = { width: image.width / image.reduction, height: image.height / image.reduction };
  const tiles = tilesOf(size, maxTexture).map((tile) => ({
    tile,
    source: dataTexture(valuesOf(pixels, size, tile.texture), tile.texture, formats[pixels.format]),
    geometry: rectangleGeometry(drawnPart(tile, drawnSize)),
  }));
  const bytes = tiles.reduce((sum, { source }) => sum + (source.resource?.byteLength ?? 0), 0);
  return { tiles, bytes };
};

export const freeImageTextures = ({ tiles }: ImageTextures): void => {
  for (const { source, geometry } of tiles) {
    geometry.destroy(true);
    source.destroy();
  }
};

const lutRowEntries = 4096;

/** Creates the texture of a lookup table: 16-bit integers, in rows of `lutRowEntries`. */
export const lutTexture = ({ values }: LookupTable): BufferImageSource => {
  const width = Math.min(lutRowEntries, values.length);
  const height = Math.ceil(values.length / width);
  const entries = new Uint16Array(width * height);
  entries.set(values);
  return dataTexture(entries, { width, height }, 'r16uint');
};

export const paletteTexture = (palette: TablePalette): BufferImageSource =>
  dataTexture(paletteTable(palette), { width: paletteEntries, height: 1 }, 'rgba8unorm');
