import type { DisplayLut, ImageDescription, Modality } from '../../../dicom/image-model.ts';
import type { DrawnDisplay } from '../scene/scene.ts';

/** Values as a texture takes them: grey as stored, 16 bits kept 16 bits; colour as red, green, blue and 255. */
export type ImagePixels =
  | { readonly format: 'u8'; readonly values: Uint8Array }
  | { readonly format: 'u16'; readonly values: Uint16Array }
  | { readonly format: 's16'; readonly values: Int16Array }
  | { readonly format: 'f32'; readonly values: Float32Array }
  | { readonly format: 'rgba8'; readonly values: Uint8Array };

/** One decoded frame with all that is needed to draw it. Immutable; shared by everybody who asked for it. */
export interface LoadedImage {
  readonly key: string;
  /** Frame number, from 1. */
  readonly frame: number;
  readonly width: number;
  readonly height: number;
  readonly pixels: ImagePixels;
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
