import type { DisplayLut, ImageDescription, Modality } from '../../../dicom/image-model.ts';
import type { DrawnDisplay } from '../scene/scene.ts';

/** Values as a texture takes them: grey as stored, 16 bits kept 16 bits; colour as red, green, blue and 255. */
export type ImagePixels =
  | { readonly format: 'u8'; readonly values: Uint8Array }
  | { readonly format: 'u16'; readonly values: Uint16Array }
  | { readonly format: 's16'; readonly values: Int16Array }
  | { readonly format: 'f32'; readonly values: Float32Array }
  | { readonly format: 'rgba8'; readonly values: Uint8Array };

/** How much of a picture is in hand: every stored value, or means of blocks of them. */
export type ImageLevel = 'full' | 'reduced';

/**
 * One decoded frame with all that is needed to draw it. Immutable; shared by everybody who asked for it.
 *
 * A reduced one stands for the same picture: cameras, marks and places count in its full image pixels (`width`, `height`); only whoever
 * reads `pixels` needs `pixelWidth`, `pixelHeight` and `reduction`. Value (i, j) of `pixels` is the mean of the image pixels from
 * (i * reduction, j * reduction) up to the next block or the edge, so that image point (x, y) lies at (x / reduction, y / reduction) in them.
 */
export interface LoadedImage {
  readonly key: string;
  /** Frame number, from 1. */
  readonly frame: number;
  readonly level: ImageLevel;
  /** Of the stored picture, in image pixels, whatever the level. */
  readonly width: number;
  readonly height: number;
  /** `pixelWidth * pixelHeight` values, row by row (four bytes each for 'rgba8'). */
  readonly pixels: ImagePixels;
  /** Columns and rows of `pixels`: ceil(width / reduction), ceil(height / reduction). */
  readonly pixelWidth: number;
  readonly pixelHeight: number;
  /** Image pixels along a side of the block that one value of `pixels` stands for: 1 (full), 2, 4, ... */
  readonly reduction: number;
  /** Height of a pixel by its width: 1 for square pixels. */
  readonly pixelAspect: number;
  /** What the file says about its pictures. */
  readonly description: ImageDescription;
  /** Stored value to modality value of this very frame. Identity for colour. */
  readonly modality: Modality;
  /** The VOI LUTs that `Display.voi` may choose from by index. */
  readonly voiLuts: readonly DisplayLut[];
  /** Lowest and highest modality value in the picture, padding left out; 0 and 255 for colour. */
  readonly range: { readonly low: number; readonly high: number };
  /** The file asks for the darkest value to be shown white (MONOCHROME1, Presentation LUT Shape INVERSE). */
  readonly shownInverse: boolean;
  /** The display that the file asks for. */
  readonly original: DrawnDisplay;
  readonly sizeBytes: number;
}
