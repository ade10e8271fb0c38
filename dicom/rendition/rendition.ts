import type { Codecs } from '../codecs.ts';
import { decodeFrame } from '../decode.ts';
import type { CodedSize, DecodedFrame, ImageDescription } from '../image-model.ts';
import type { OverlayPlanes } from '../overlay-planes.ts';
import type { RenditionKind } from './container.ts';

/** Encoding of the payload: the attributes that `decodeFrame` needs. */
export type StoredAs = Pick<
  ImageDescription,
  | 'transferSyntaxUid'
  | 'rows'
  | 'columns'
  | 'samplesPerPixel'
  | 'sampleKind'
  | 'bitsAllocated'
  | 'bitsStored'
  | 'highBit'
  | 'signed'
  | 'planarConfiguration'
  | 'photometricInterpretation'
>;

export type RenditionLevel = 'full' | 'reduced';

/** One frame with everything needed to show it, without patient data. */
export interface Rendition {
  /** From 1. */
  readonly frame: number;
  readonly level: RenditionLevel;
  /** Image pixels along a side of the block that one stored value is the mean of: 1, 2, 4, ... */
  readonly reduction: number;
  /** `original`: the codestream or samples of the file. The others are re-encoded without loss. */
  readonly kind: RenditionKind;
  /**
   * Attributes of this frame: its own modality and windows are at the top level, and `frames` is null. Sizes, distances and transfer syntax
   * are those of the full picture at every level.
   */
  readonly description: ImageDescription;
  readonly stored: StoredAs;
  /** Lowest and highest modality value of the full frame without padding; null when not computed yet. */
  readonly range: { readonly low: number; readonly high: number } | null;
  /** Of this frame. Empty in a rendition of an older server. */
  readonly overlayPlanes: OverlayPlanes;
  /** Size of the codestream of the file, when it is smaller than its header says; null also when it is not decoded yet. */
  readonly coded: CodedSize | null;
  readonly payload: Uint8Array;
}

/**
 * Decodes the values of a rendition: `stored.rows * stored.columns` of them, as `decodeFrame` gives those of a file.
 * @throws DicomProblem as `decodeFrame`
 */
export const decodeRendition = (
  { description, stored, payload }: Pick<Rendition, 'description' | 'stored' | 'payload'>,
  codecs: Codecs,
): Promise<DecodedFrame> => decodeFrame({ ...description, ...stored }, payload, codecs);

/** Returns the description of one frame (from 0): its functional groups take precedence over the object. */
export const descriptionOfFrame = (description: ImageDescription, frame: number): ImageDescription => {
  const own = description.frames?.[frame];
  return {
    ...description,
    modality: own?.modality ?? description.modality,
    windows: own?.windows ?? description.windows,
    spacing: own?.spacing ?? description.spacing,
    frames: null,
  };
};

export const storedAs = (description: ImageDescription): StoredAs => ({
  transferSyntaxUid: description.transferSyntaxUid,
  rows: description.rows,
  columns: description.columns,
  samplesPerPixel: description.samplesPerPixel,
  sampleKind: description.sampleKind,
  bitsAllocated: description.bitsAllocated,
  bitsStored: description.bitsStored,
  highBit: description.highBit,
  signed: description.signed,
  planarConfiguration: description.planarConfiguration,
  photometricInterpretation: description.photometricInterpretation,
});
