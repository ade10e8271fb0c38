import type { PresentationState, StateArea } from '../../../contract/presentation-states.ts';
import type { CodedSize, DisplayLut, ImageDescription, Modality } from '../../../dicom/image-model.ts';
import type { OverlayPlanes } from '../../../dicom/overlay-planes.ts';
import type { ResolvedDisplay } from '../scene/scene.ts';

/** Pixel values in a texture format: stored values without loss of bits; colour as red, green, blue and 255. */
export type ImagePixels =
  | { readonly format: 'u8'; readonly values: Uint8Array }
  | { readonly format: 'u16'; readonly values: Uint16Array }
  | { readonly format: 's16'; readonly values: Int16Array }
  | { readonly format: 'f32'; readonly values: Float32Array }
  | { readonly format: 'rgba8'; readonly values: Uint8Array };

/** Level of detail: every stored value, or means of blocks of them. */
export type ImageLevel = 'full' | 'reduced';

/**
 * One decoded frame with everything needed to draw it. Immutable and shared.
 *
 * Cameras, marks and placements of a reduced image use full image pixels (`width`, `height`); only code that reads `pixels` needs
 * `pixelWidth`, `pixelHeight` and `reduction`. Value (i, j) of `pixels` is the mean of the image pixels from (i * reduction,
 * j * reduction) up to the next block or the edge, so image point (x, y) is at (x / reduction, y / reduction) in them.
 */
export interface LoadedImage {
  readonly key: string;
  /** Frame number, from 1. */
  readonly frame: number;
  readonly level: ImageLevel;
  /** Size of the full image in image pixels, for every level. */
  readonly width: number;
  readonly height: number;
  /** `pixelWidth * pixelHeight` values, row by row (four bytes each for 'rgba8'). */
  readonly pixels: ImagePixels;
  /** Columns and rows of `pixels`: ceil(width / reduction), ceil(height / reduction). */
  readonly pixelWidth: number;
  readonly pixelHeight: number;
  /** Side of the block of image pixels that one value of `pixels` represents: 1 (full), 2, 4, ... */
  readonly reduction: number;
  /** Height of a pixel by its width: 1 for square pixels. */
  readonly pixelAspect: number;
  /** Image attributes of the file. */
  readonly description: ImageDescription;
  /** Graphics that the file lays over the image, in full image pixels. */
  readonly overlayPlanes: OverlayPlanes;
  /** Size of the codestream of the file, when it is smaller than its header says; the rest of the image is empty. */
  readonly coded: CodedSize | null;
  /** Stored value to modality value of this very frame. Identity for colour. */
  readonly modality: Modality;
  /** The VOI LUTs that `Display.voi` may choose from by index. */
  readonly voiLuts: readonly DisplayLut[];
  /** Lowest and highest modality value in the image without padding; 0 and 255 for colour. */
  readonly range: { readonly low: number; readonly high: number };
  /** True when the file specifies that the lowest value is white (MONOCHROME1, Presentation LUT Shape INVERSE). */
  readonly shownInverse: boolean;
  /** The default display of the file. */
  readonly original: ResolvedDisplay;
  readonly sizeBytes: number;
  /** The state that it is shown with (`presentedImage`); never of an image as it was loaded. */
  readonly presentation?: PresentationState;
  /** The displayed area of that state for this frame. */
  readonly area?: StateArea | null;
}
