import type { DataSet, DicomElement } from '../data-set.ts';
import { tags } from '../tags.ts';
import { type Chunks, elementHeader, even, itemHeader, lengthOf } from '../write/elements.ts';
import type { Encoding } from '../write/transfer-syntax.ts';
import { decimalString } from '../write/value.ts';
import * as kept from './kept-elements.ts';

/** Returns the replacement of a UID, the same for the same UID. */
export type ReplaceUid = (uid: string) => string;

/** How elements are kept. */
export interface Keeping {
  readonly encoding: Encoding;
  readonly replaceUid: ReplaceUid;
  /** The object has functional groups, whose dates must not be empty (PS3.3 C.7.6.16). */
  readonly isEnhanced: boolean;
  /** The object has the VL Image module, whose Content Time must not be empty (PS3.3 C.8.12.1). */
  readonly isPhotograph: boolean;
}

/** VR and value of an element that is kept. */
interface KeptValue {
  readonly vr: string;
  readonly value: Uint8Array;
}

const textValue = (vr: string, text: string): KeptValue => {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length % 2 === 0) return { vr, value: bytes };
  const padded = new Uint8Array(bytes.length + 1).fill(vr === 'UI' ? 0 : 0x20);
  padded.set(bytes);
  return { vr, value: padded };
};

/** At most seven digits before the point: a birth date or a personal number has more. */
const isNumber = (text: string) =>
  /^[+-]?\d{0,7}(\.\d*)?([eE][+-]?\d{1,3})?$/.test(text) && /\d/.test(text) && Number.isFinite(Number(text));

/** Digits beyond the length of a decimal string may be anything. */
const rounded = (text: string) => (text.length > 16 ? decimalString(Number(text)) : text);

const decimals = (dataSet: DataSet, tag: number): KeptValue | null => {
  const [vr, most] = kept.decimalNumbers.get(tag) ?? ['DS', 0];
  const values = dataSet.codes(tag);
  return values.length <= most && values.every(isNumber) ? textValue(vr, values.map(rounded).join('\\')) : null;
};

/** Groups of the attributes that a dimension or a frame increment may point to. */
const groupsPointedTo = [0x0008, 0x0018, 0x0020, 0x0028, 0x0054];
/** The third value of a descriptor is the number of bits of an entry (PS3.3 C.11.1.1). */
const descriptors: readonly number[] = [
  tags.redPaletteDescriptor,
  tags.greenPaletteDescriptor,
  tags.bluePaletteDescriptor,
  tags.lutDescriptor,
];

/** Whether the values are what the attribute may have, so that no text passes as numbers of several bytes. */
const areNumbers = (tag: number, vr: string, value: Uint8Array, littleEndian: boolean): boolean => {
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  if (descriptors.includes(tag)) {
    const bits = value.length === 6 ? view.getUint16(4, littleEndian) : 0;
    return bits >= 8 && bits <= 16;
  }
  for (let at = 0; at + 4 <= value.length; at += 4) {
    if (vr === 'UL' && view.getUint32(at, littleEndian) >= 2 ** 24) return false;
    if (vr === 'AT' && !groupsPointedTo.includes(view.getUint16(at, littleEndian))) return false;
  }
  return true;
};

const sizes: Readonly<Record<string, number>> = { US: 2, SS: 2, UL: 4, AT: 4 };

/** Values of UN are little endian whatever the file says (PS3.5 6.2.2). */
const vrOf = ({ vr }: DicomElement, allowed: readonly string[], littleEndian: boolean): string | null => {
  if (vr === null || (vr === 'UN' && littleEndian)) return allowed[0] ?? null;
  return allowed.includes(vr) ? vr : null;
};

const binary = (dataSet: DataSet, element: DicomElement): KeptValue | null => {
  const [allowed, most] = kept.binaryNumbers.get(element.tag) ?? [[], 0];
  const vr = vrOf(element, allowed, dataSet.source.littleEndian);
  const value = dataSet.bytes(element.tag);
  const size = sizes[vr ?? ''] ?? 1;
  if (vr === null || !value || value.length % size !== 0 || value.length > size * most) return null;
  return areNumbers(element.tag, vr, value, dataSet.source.littleEndian) ? { vr, value } : null;
};

/** Palettes mean something in PALETTE COLOR images only (PS3.3 C.7.6.3.1.5). */
const isUnusedPalette = (dataSet: DataSet, tag: number): boolean =>
  (tag >>> 8 === 0x002811 || tag >>> 8 === 0x002812) &&
  dataSet.code(tags.photometricInterpretation) !== 'PALETTE COLOR';

const segmentedTables: readonly number[] = [
  tags.segmentedRedPaletteData,
  tags.segmentedGreenPaletteData,
  tags.segmentedBluePaletteData,
];

/** Keeps as many entries as the descriptor states; null without descriptor. Lengths of segmented tables are not stated. */
const table = (dataSet: DataSet, element: DicomElement): KeptValue | null => {
  const { tag } = element;
  const [allowed, descriptor] = kept.lookupTables.get(tag) ?? [[], 0];
  const vr = vrOf(element, allowed, dataSet.source.littleEndian);
  const value = dataSet.bytes(tag);
  const [stated] = dataSet.words(descriptor);
  if (vr === null || !value || value.length > kept.maxLookupTableBytes || stated === undefined) return null;
  if (segmentedTables.includes(tag)) return { vr, value: even(value) };
  const entries = stated || 2 ** 16;
  // Entries of 8 bits may be packed.
  return { vr, value: even(value.subarray(0, value.length < entries * 2 ? entries : entries * 2)) };
};

const maxWords = 8;

/** Values 3 and later of an image type are optional; the first two are required (PS3.3 C.7.6.1.1.2). */
const imageType = (values: readonly string[], known: readonly string[]): readonly string[] => {
  const unknown = values.findIndex((value) => !known.includes(value));
  const first = values.slice(0, Math.min(maxWords, unknown < 0 ? maxWords : unknown));
  return first.length < 2 ? ['DERIVED', 'SECONDARY'] : first;
};

const word = (dataSet: DataSet, tag: number): KeptValue | null => {
  const known = kept.words.get(tag) ?? [];
  const values = dataSet.codes(tag);
  if (tag === tags.imageType || tag === tags.frameType) return textValue('CS', imageType(values, known).join('\\'));
  if (values.length > maxWords || !values.every((value) => known.includes(value)))
    return kept.wordsOrEmpty.has(tag) ? textValue('CS', '') : null;
  return textValue(kept.longStrings.has(tag) ? 'LO' : 'CS', values.join('\\'));
};

/** No part has four digits, as years and personal numbers have. */
const standardSopClass = /^1\.2\.840\.10008\.5\.1\.4\.1\.1(\.[1-9]\d{0,2}){1,4}$/;

const uid = (dataSet: DataSet, tag: number, replaceUid: ReplaceUid): KeptValue | null => {
  const value = dataSet.code(tag);
  if (value === null) return null;
  if (tag === tags.sopClassUid) return standardSopClass.test(value) ? textValue('UI', value) : null;
  return textValue('UI', replaceUid(value));
};

const keptValue = (dataSet: DataSet, element: DicomElement, keeping: Keeping): KeptValue | null => {
  const { tag } = element;
  if (isUnusedPalette(dataSet, tag)) return null;
  const date = kept.datesOfEnhanced.get(tag);
  if (date && (keeping.isEnhanced || (keeping.isPhotograph && tag === tags.contentTime))) return textValue(...date);
  const emptied = kept.emptied.get(tag);
  if (emptied) return { vr: emptied, value: new Uint8Array(0) };
  if (kept.decimalNumbers.has(tag)) return decimals(dataSet, tag);
  if (kept.binaryNumbers.has(tag)) return binary(dataSet, element);
  if (kept.lookupTables.has(tag)) return table(dataSet, element);
  if (kept.words.has(tag)) return word(dataSet, tag);
  return tag === tags.sopClassUid || kept.replacedUids.has(tag) ? uid(dataSet, tag, keeping.replaceUid) : null;
};

const itemsOf = (dataSet: DataSet, tag: number, keeping: Keeping): Chunks =>
  dataSet.sequence(tag).flatMap((item) => {
    const content = [...keptElements(item, keeping).values()].flat();
    return [itemHeader(0xe000, lengthOf(content), keeping.encoding.littleEndian), ...content];
  });

/**
 * Returns the encoded elements of a data set that the lists keep, by tag, in the order of the file; without pixel data.
 * @throws DicomProblem when a sequence is malformed
 */
export const keptElements = (dataSet: DataSet, keeping: Keeping): Map<number, Chunks> => {
  const { encoding } = keeping;
  const encoded = new Map<number, Chunks>();
  // Items of a sequence in UN may have another byte order than the file.
  if (dataSet.source.littleEndian !== encoding.littleEndian) return encoded;
  for (const element of dataSet.elements.values()) {
    const { tag } = element;
    if (kept.sequences.has(tag)) {
      const items = itemsOf(dataSet, tag, keeping);
      encoded.set(tag, [elementHeader(tag, 'SQ', lengthOf(items), encoding, 'a sequence'), ...items]);
      continue;
    }
    const found = keptValue(dataSet, element, keeping);
    if (found) {
      encoded.set(tag, [elementHeader(tag, found.vr, found.value.length, encoding, 'an element'), found.value]);
    }
  }
  return encoded;
};
