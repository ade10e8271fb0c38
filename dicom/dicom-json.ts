import type { DataSet, DicomElement, NumberVr } from './data-set.ts';
import { swapped } from './frames.ts';
import { isPixelData } from './read-elements.ts';
import { tags } from './tags.ts';
import { decodeText, trimmed } from './text.ts';
import { vrOf } from './vr-of.ts';

export interface JsonName {
  Alphabetic?: string;
  Ideographic?: string;
  Phonetic?: string;
}
export type JsonValue = string | number | JsonName | DicomJson | null;

/** An attribute of the DICOM JSON model (PS3.18 annex F). Without value, reference and binary it is empty. */
export interface JsonAttribute {
  readonly vr: string;
  readonly Value?: readonly JsonValue[];
  readonly BulkDataURI?: string;
  readonly InlineBinary?: string;
}

/** A data set by tag, eight hexadecimal digits. */
export interface DicomJson {
  [tag: string]: JsonAttribute;
}

/** Longer values are given by reference, where the VR allows that. */
const maxInlineBytes = 1024;
/** VRs of single or short values, which PS3.18 F.2.2 does not let refer to bulk data. */
const neverBulk = new Set(['AE', 'AS', 'AT', 'CS', 'DA', 'DT', 'LO', 'PN', 'SH', 'SQ', 'TM', 'UI', 'UR']);
const binaryUnits: Readonly<Record<string, number>> = { OB: 1, UN: 1, OW: 2, OL: 4, OF: 4, OD: 8, OV: 8 };
const texts = new Set(['LO', 'SH', 'UC']);
const wholeTexts = new Set(['LT', 'ST', 'UT', 'UR']);

/** `00100020` of 0x00100020. */
export const tagKey = (tag: number): string => (tag >>> 0).toString(16).toUpperCase().padStart(8, '0');

const base64 = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

/** Returns the bytes of a binary value in little endian order. */
export const littleEndianBytes = (dataSet: DataSet, element: DicomElement, vr: string): Uint8Array => {
  const { bytes, littleEndian } = dataSet.source;
  const value = bytes.subarray(element.offset, element.offset + element.length);
  const unit = binaryUnits[vr] ?? 1;
  return littleEndian || unit === 1 ? value : swapped(value, 0, value.length - (value.length % unit), unit);
};

const nameOf = (text: string): JsonName | null => {
  const [Alphabetic = '', Ideographic = '', Phonetic = ''] = text.split('=').map((group) => trimmed(group));
  if (!Alphabetic && !Ideographic && !Phonetic) return null;
  return { ...(Alphabetic && { Alphabetic }), ...(Ideographic && { Ideographic }), ...(Phonetic && { Phonetic }) };
};

/** Returns a number, or the text of one that JSON cannot hold. */
const numberOf = (text: string): JsonValue => {
  if (text === '') return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
};

const textValues = (dataSet: DataSet, { offset, length }: DicomElement, vr: string): JsonValue[] => {
  const bytes = dataSet.source.bytes.subarray(offset, offset + Math.min(length, 2 ** 16));
  const text = decodeText(bytes, dataSet.characterSets());
  if (wholeTexts.has(vr)) return [trimmed(text) || null];
  const parts = text.split('\\').map((part) => trimmed(part));
  return parts.map((part) => (vr === 'PN' ? nameOf(part) : part || null));
};

const bigValues = ({ source }: DataSet, { offset, length }: DicomElement, vr: string): JsonValue[] =>
  Array.from({ length: Math.floor(length / 8) }, (_, index) => {
    const at = offset + index * 8;
    const value =
      vr === 'SV'
        ? source.view.getBigInt64(at, source.littleEndian)
        : source.view.getBigUint64(at, source.littleEndian);
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value.toString();
  });

const tagValues = ({ source }: DataSet, { offset, length }: DicomElement): JsonValue[] =>
  Array.from({ length: Math.floor(length / 4) }, (_, index) => {
    const group = source.view.getUint16(offset + index * 4, source.littleEndian);
    return tagKey(group * 0x10000 + source.view.getUint16(offset + index * 4 + 2, source.littleEndian));
  });

const valuesOf = (dataSet: DataSet, element: DicomElement, vr: string): JsonValue[] => {
  const { tag } = element;
  if (texts.has(vr) || wholeTexts.has(vr) || vr === 'PN') return textValues(dataSet, element, vr);
  if (vr === 'DS' || vr === 'IS') return dataSet.codes(tag).map((text) => numberOf(text.replace(',', '.')));
  if (vr === 'AT') return tagValues(dataSet, element);
  if (vr === 'SV' || vr === 'UV') return bigValues(dataSet, element, vr);
  if (/^(US|SS|UL|SL|FL|FD)$/.test(vr))
    return dataSet.numbers(tag, vr as NumberVr).map((value) => (Number.isFinite(value) ? value : String(value)));
  return dataSet.codes(tag).map((text) => text.replaceAll('\0', '') || null);
};

/** `00082112.0.00420011`: the element of an item, by the sequences and items (from 0) on the way to it. */
export type BulkPath = string;
/** Returns the absolute address of the bytes of an element; null: it is left out. */
export type BulkAddress = (path: BulkPath) => string | null;

const isSigned = (dataSet: DataSet) => dataSet.number(tags.pixelRepresentation, 'US') === 1;

/** Returns the value representation of an element: that of the file, else of the standard. */
export const elementVr = (dataSet: DataSet, { tag, vr, fragments }: DicomElement): string => {
  if (fragments) return 'OB';
  return vr === null || vr === '??' ? vrOf(tag, isSigned(dataSet)) : vr;
};

const referred = (vr: string, address: string | null): JsonAttribute =>
  address === null ? { vr } : { vr, BulkDataURI: address };

const attributeOf = (
  dataSet: DataSet,
  element: DicomElement,
  path: BulkPath,
  addressOf: BulkAddress,
): JsonAttribute => {
  const vr = elementVr(dataSet, element);
  const { tag, length } = element;
  if (vr === 'SQ' || (vr === 'UN' && element.claimedLength === null)) {
    const items = dataSet.sequence(tag);
    if (items.length === 0) return { vr: 'SQ' };
    return { vr: 'SQ', Value: items.map((item, index) => jsonOf(item, addressOf, `${path}.${index}.`)) };
  }
  if (isPixelData(tag)) return referred(vr, addressOf(path));
  if (length === 0) return { vr };
  if (length > maxInlineBytes && !neverBulk.has(vr)) return referred(vr, addressOf(path));
  if (vr in binaryUnits) return { vr, InlineBinary: base64(littleEndianBytes(dataSet, element, vr)) };
  const values = valuesOf(dataSet, element, vr);
  return values.every((value) => value === null) ? { vr } : { vr, Value: values };
};

/** Group lengths, the file meta information, and what encodes items are no attributes. */
const isAttribute = (tag: number): boolean => (tag & 0xffff) !== 0 && tag >>> 16 > 2 && tag >>> 16 !== 0xfffe;

/** Returns a data set as JSON. Text is UTF-8, whatever the file has. @throws DicomProblem when a sequence is malformed */
export const jsonOf = (dataSet: DataSet, addressOf: BulkAddress, path: BulkPath = ''): DicomJson => {
  const json: DicomJson = {};
  for (const element of [...dataSet.elements.values()].toSorted((one, other) => one.tag - other.tag)) {
    const { tag } = element;
    if (!isAttribute(tag)) continue;
    const key = tagKey(tag);
    if (tag === tags.specificCharacterSet) json[key] = { vr: 'CS', Value: ['ISO_IR 192'] };
    else json[key] = attributeOf(dataSet, element, `${path}${key}`, addressOf);
  }
  return json;
};

/** Returns the values of a few elements, without those given by reference. @throws DicomProblem as `jsonOf` */
export const someJson = (dataSet: DataSet, wanted: readonly number[]): DicomJson =>
  Object.fromEntries(
    wanted.flatMap((tag) => {
      const element = dataSet.elements.get(tag);
      if (!element || element.length === 0) return [];
      const attribute = attributeOf(dataSet, element, '', () => null);
      return attribute.Value ? [[tagKey(tag), attribute]] : [];
    }),
  );

/** Returns the element of a path, and its data set; null when there is none. @throws DicomProblem as `jsonOf` */
export const elementAt = (
  root: DataSet,
  path: BulkPath,
): { readonly dataSet: DataSet; readonly element: DicomElement } | null => {
  const steps = path.split('.');
  let dataSet = root;
  for (let at = 0; at + 2 < steps.length; at += 2) {
    const sequence = Number.parseInt(steps[at] ?? '', 16);
    const element = dataSet.elements.get(sequence);
    const isSequence = element && (elementVr(dataSet, element) === 'SQ' || element.claimedLength === null);
    const item = isSequence ? dataSet.sequence(sequence)[Number(steps[at + 1])] : undefined;
    if (!item) return null;
    dataSet = item;
  }
  const element = dataSet.elements.get(Number.parseInt(steps.at(-1) ?? '', 16));
  return element ? { dataSet, element } : null;
};
