import { DicomProblem } from './problem.ts';
import { tags, tagText } from './tags.ts';
import { decodeText, trimmed } from './text.ts';

export type NumberVr = 'US' | 'SS' | 'UL' | 'SL' | 'FL' | 'FD' | 'DS' | 'IS';

/** The bytes of data sets and their encoding. Offsets of elements count from `bytes[0]`. */
export interface ByteSource {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly littleEndian: boolean;
  readonly explicitVr: boolean;
}

export interface DicomElement {
  readonly tag: number;
  /** null in implicit VR. */
  readonly vr: string | null;
  /** Offset of the value, and the number of its bytes that are in the file. */
  readonly offset: number;
  readonly length: number;
  /** Length according to the header; larger than `length` in a truncated file, null when undefined. */
  readonly claimedLength: number | null;
  /** Encapsulated pixel data: offset and length of each item, the Basic Offset Table first (PS3.5 A.4). */
  readonly fragments: readonly { readonly offset: number; readonly length: number }[] | null;
}

/** Reads the items of a sequence; passed to data sets so that sequences are read lazily. */
export type ReadItems = (element: DicomElement, parent: DataSet, upToFault: boolean) => readonly DataSet[];

/**
 * A file can claim any length for any attribute, even for a short text or two numbers: only this many bytes of a value are read.
 */
const MAX_TEXT_BYTES = 2 ** 16;
const MAX_VALUES = 2 ** 16;
/** A lookup table has 65,536 entries at most, a segmented one should be shorter. */
const MAX_WORDS = 2 ** 18;

const numberSizes = { US: 2, SS: 2, UL: 4, SL: 4, FL: 4, FD: 8 } as const;

/** The data set of a file or of a sequence item. Values are read lazily. */
export class DataSet {
  readonly source: ByteSource;
  readonly elements: ReadonlyMap<number, DicomElement>;
  readonly #parent: DataSet | null;
  readonly #readItems: ReadItems;
  readonly #items = new Map<number, readonly DataSet[]>();

  constructor(
    source: ByteSource,
    elements: ReadonlyMap<number, DicomElement>,
    parent: DataSet | null,
    readItems: ReadItems,
  ) {
    this.source = source;
    this.elements = elements;
    this.#parent = parent;
    this.#readItems = readItems;
  }

  has(tag: number): boolean {
    return (this.elements.get(tag)?.length ?? 0) > 0;
  }

  /** The raw bytes of a value, a view of the file; null when absent or empty. */
  bytes(tag: number): Uint8Array | null {
    const element = this.elements.get(tag);
    if (!element || element.length === 0) return null;
    return this.source.bytes.subarray(element.offset, element.offset + element.length);
  }

  /** Values of a coded string (CS, UI, DA, TM, DS, IS, AE ...), trimmed; an empty list when absent. */
  codes(tag: number): readonly string[] {
    const bytes = this.bytes(tag)?.subarray(0, MAX_TEXT_BYTES);
    return bytes ? new TextDecoder('latin1').decode(bytes).split('\\', MAX_VALUES).map(trimmed) : [];
  }

  /** The first value of a coded string; null when absent or empty. */
  code(tag: number): string | null {
    return this.codes(tag)[0] || null;
  }

  /** Text (LO, SH, PN, LT, ST, UT) by the character set of this data set, trimmed; null when absent or empty. */
  text(tag: number): string | null {
    const bytes = this.bytes(tag)?.subarray(0, MAX_TEXT_BYTES);
    return bytes ? trimmed(decodeText(bytes, this.characterSets())) || null : null;
  }

  characterSets(): readonly string[] {
    if (this.elements.has(tags.specificCharacterSet)) return this.codes(tags.specificCharacterSet);
    return this.#parent?.characterSets() ?? [];
  }

  /** The numbers of an element, 65,536 at most. `vr` is that of the standard; an explicit VR of the file takes precedence. */
  numbers(tag: number, vr: NumberVr): readonly number[] {
    const element = this.elements.get(tag);
    if (!element || element.length === 0) return [];
    const own = element.vr !== null && /^(US|SS|UL|SL|FL|FD|DS|IS)$/.test(element.vr) ? (element.vr as NumberVr) : vr;
    if (own === 'DS' || own === 'IS') {
      return this.codes(tag).map((text) => (text === '' ? Number.NaN : Number.parseFloat(text.replace(',', '.'))));
    }
    const size = numberSizes[own];
    const { view, littleEndian } = this.source;
    return Array.from({ length: Math.min(MAX_VALUES, Math.floor(element.length / size)) }, (_, index) => {
      const at = element.offset + index * size;
      if (own === 'US') return view.getUint16(at, littleEndian);
      if (own === 'SS') return view.getInt16(at, littleEndian);
      if (own === 'UL') return view.getUint32(at, littleEndian);
      if (own === 'SL') return view.getInt32(at, littleEndian);
      return own === 'FL' ? view.getFloat32(at, littleEndian) : view.getFloat64(at, littleEndian);
    });
  }

  /** The first finite number of an element, or null. */
  number(tag: number, vr: NumberVr): number | null {
    const value = this.numbers(tag, vr)[0];
    return value !== undefined && Number.isFinite(value) ? value : null;
  }

  /** A value of 16-bit words (OW, US), 262,144 at most, in the byte order of the file. */
  words(tag: number): Uint16Array {
    const element = this.elements.get(tag);
    const { view, littleEndian } = this.source;
    const words = new Uint16Array(Math.min(MAX_WORDS, Math.floor((element?.length ?? 0) / 2)));
    for (let index = 0; index < words.length; index++) {
      words[index] = view.getUint16((element?.offset ?? 0) + index * 2, littleEndian);
    }
    return words;
  }

  /** Items of a sequence, an empty list when absent. @throws DicomProblem 'malformed' or 'truncated' */
  sequence(tag: number): readonly DataSet[] {
    const element = this.elements.get(tag);
    if (!element || element.length === 0) return [];
    const known = this.#items.get(tag);
    if (known) return known;
    if (element.fragments) throw new DicomProblem('malformed', `${tagText(tag)} should be a sequence`);
    const items = this.#readItems(element, this, false);
    this.#items.set(tag, items);
    return items;
  }

  /** The items before the first unreadable one: all, when the sequence is valid. */
  soundItems(tag: number): readonly DataSet[] {
    const element = this.elements.get(tag);
    return element && element.length > 0 && !element.fragments ? this.#readItems(element, this, true) : [];
  }
}
