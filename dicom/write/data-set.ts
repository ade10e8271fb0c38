import type { Keyword, TAGS } from './tags.ts';

/** Frames that are already compressed; each becomes one fragment (DICOM PS3.5 A.4). */
export interface EncapsulatedFrames {
  readonly frames: readonly Uint8Array[];
}

export type BinaryValue = Uint8Array | Uint16Array | Int16Array;
type TextVr = 'AE' | 'AS' | 'CS' | 'DA' | 'DT' | 'LO' | 'LT' | 'PN' | 'SH' | 'ST' | 'TM' | 'UC' | 'UI' | 'UR' | 'UT';
type NumberVr = 'AT' | 'FD' | 'FL' | 'SL' | 'SS' | 'UL' | 'US';

type ValueOfVr<V> = V extends 'SQ'
  ? readonly DataSet[]
  : V extends TextVr
    ? string | readonly string[]
    : V extends 'DS' | 'IS'
      ? number | string | readonly number[] | readonly string[]
      : V extends NumberVr
        ? number | readonly number[]
        : BinaryValue;

type ValueOfKeyword<K extends Keyword> = K extends 'PixelData'
  ? BinaryValue | EncapsulatedFrames
  : ValueOfVr<(typeof TAGS)[K][1]>;

/**
 * Elements by keyword. `null` writes the element with no value (type 2); `undefined` leaves it out.
 * A list becomes a multi-valued element, joined by backslash where the VR is text.
 */
export type DataSet = { readonly [K in Keyword]?: ValueOfKeyword<K> | null };

export type DataSetValue = Exclude<DataSet[Keyword], undefined>;
