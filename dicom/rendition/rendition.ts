import type { Codecs } from '../codecs.ts';
import { decodeFrame } from '../decode.ts';
import type { DecodedFrame, ImageDescription } from '../image-model.ts';

/** How the values of a payload are written: those words of the header that `decodeFrame` goes by. */
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

export const renditionKinds = ['original', 'htj2k', 'raw'] as const;
export type RenditionKind = (typeof renditionKinds)[number];
export type RenditionLevel = 'full' | 'reduced';

/** One frame with all that is needed to show it, and nothing of whom it shows. */
export interface Rendition {
  /** From 1. */
  readonly frame: number;
  readonly level: RenditionLevel;
  /** Image pixels along a side of the block that one stored value is the mean of: 1, 2, 4, ... */
  readonly reduction: number;
  /** `original`: the very codestream or samples of the file. The others were decoded and packed again, without loss. */
  readonly kind: RenditionKind;
  /**
   * What the file says of this very frame: its own modality and windows stand at the top, and `frames` is null. Sizes and distances are those
   * of the full picture whatever the level, and so is the transfer syntax.
   */
  readonly description: ImageDescription;
  readonly stored: StoredAs;
  /** Lowest and highest modality value of the full frame, padding left out; null when nobody has looked yet. */
  readonly range: { readonly low: number; readonly high: number } | null;
  readonly payload: Uint8Array;
}

/**
 * The values of a rendition: `stored.rows * stored.columns` of them, as `decodeFrame` gives those of a file.
 * @throws DicomProblem as `decodeFrame`
 */
export const decodeRendition = (
  { description, stored, payload }: Pick<Rendition, 'description' | 'stored' | 'payload'>,
  codecs: Codecs,
): Promise<DecodedFrame> => decodeFrame({ ...description, ...stored }, payload, codecs);

/** The description of one frame alone (counted from 0): what its functional groups say goes before what the whole object says. */
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
