import type { DicomJson, JsonAttribute, JsonName, JsonValue } from '../dicom-json.ts';
import { elementHeader, even, itemHeader, UNDEFINED_LENGTH } from './elements.ts';
import { decimalString } from './value.ts';

/** Bytes of a value that are elsewhere. */
export interface BulkPiece {
  readonly uri: string;
  readonly length: number;
}
export type FilePiece = Uint8Array | BulkPiece;

/** What is written for the pixel data of a compressed image: one fragment (PS3.5 A.4). */
export interface JsonWriting {
  /** Bytes under an address. */
  readonly lengthOf: (uri: string) => number;
  readonly isEncapsulated: boolean;
}

const pixelData = '7FE00010';
const multiTexts = new Set(['AE', 'AS', 'CS', 'DA', 'DT', 'LO', 'PN', 'SH', 'TM', 'UC', 'UI']);
const singleTexts = new Set(['LT', 'ST', 'UR', 'UT']);
const binaries = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'UN']);
const numberBytes: Readonly<Record<string, number>> = { AT: 4, FD: 8, FL: 4, SL: 4, SS: 2, SV: 8, UL: 4, US: 2, UV: 8 };
/** PS3.18 F.2.2 has no bulk data for the others. */
const mayBeBulk = (vr: string): boolean =>
  binaries.has(vr) || vr in numberBytes || ['DS', 'IS', 'LT', 'ST', 'UC', 'UT'].includes(vr);
const encoding = { explicitVr: true, littleEndian: true };
const deepest = 16;

const isName = (value: JsonValue): value is JsonName => typeof value === 'object' && value !== null;

const nameText = ({ Alphabetic = '', Ideographic = '', Phonetic = '' }: JsonName): string => {
  const groups = [Alphabetic, Ideographic, Phonetic];
  if (!groups.every((group) => typeof group === 'string')) throw new TypeError('a name is no text');
  return groups.join('=').replace(/=+$/, '');
};

const textValue = (vr: string, value: JsonValue): string => {
  if (value === null) return '';
  if (vr === 'PN' && isName(value)) return nameText(value);
  if (vr === 'DS' && typeof value === 'number') return decimalString(value);
  if (vr === 'IS' && Number.isInteger(value)) return String(value);
  if (typeof value !== 'string') throw new TypeError(`a value of ${vr} is no text`);
  if (!singleTexts.has(vr) && value.includes('\\')) throw new RangeError(`a value of ${vr} has a backslash`);
  return value;
};

const textBytes = (vr: string, values: readonly JsonValue[]): Uint8Array => {
  if (singleTexts.has(vr) && values.length > 1) throw new RangeError(`${vr} holds one value`);
  const bytes = new TextEncoder().encode(values.map((value) => textValue(vr, value)).join('\\'));
  if (bytes.length % 2 === 0) return bytes;
  const padded = new Uint8Array(bytes.length + 1).fill(vr === 'UI' ? 0 : 0x20);
  padded.set(bytes);
  return padded;
};

const numberOf = (vr: string, value: JsonValue): number => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof number !== 'number' || (Number.isNaN(number) && value !== 'NaN'))
    throw new TypeError(`a value of ${vr} is no number`);
  return number;
};

const writeNumber = (view: DataView, at: number, vr: string, value: JsonValue): void => {
  if (vr === 'AT') {
    if (typeof value !== 'string' || !/^[0-9A-Fa-f]{8}$/.test(value)) throw new TypeError('a value of AT is no tag');
    view.setUint16(at, Number.parseInt(value.slice(0, 4), 16), true);
    view.setUint16(at + 2, Number.parseInt(value.slice(4), 16), true);
    return;
  }
  if (vr === 'SV' || vr === 'UV') {
    // BigInt would name the value in its error, and takes text of any length.
    const digits = typeof value === 'object' ? '' : String(value);
    if (!/^-?\d{1,20}$/.test(digits)) throw new TypeError(`a value of ${vr} is no number`);
    const big = BigInt(digits);
    if (BigInt(vr === 'SV' ? BigInt.asIntN(64, big) : BigInt.asUintN(64, big)) !== big)
      throw new RangeError(`a value does not fit ${vr}`);
    view.setBigInt64(at, big, true);
    return;
  }
  const number = numberOf(vr, value);
  if (vr === 'FL') view.setFloat32(at, number, true);
  else if (vr === 'FD') view.setFloat64(at, number, true);
  else {
    const bits = (numberBytes[vr] ?? 0) * 8;
    const low = vr.startsWith('S') ? -(2 ** (bits - 1)) : 0;
    if (!Number.isInteger(number) || number < low || number >= low + 2 ** bits)
      throw new RangeError(`a value does not fit ${vr}`);
    if (bits === 16) view.setUint16(at, number & 0xffff, true);
    else view.setUint32(at, number >>> 0, true);
  }
};

const inlineBytes = (text: unknown): Uint8Array => {
  if (typeof text !== 'string' || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new TypeError('no base64');
  return even(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
};

const valuesIn = ({ Value = [] }: JsonAttribute): readonly JsonValue[] => {
  if (!Array.isArray(Value)) throw new TypeError('Value is no list');
  return Value;
};

/** Returns the bytes of a value that is no sequence; those of bulk data have any length. */
const pieceOf = (attribute: JsonAttribute, how: JsonWriting): FilePiece => {
  const { vr, BulkDataURI: uri, InlineBinary, Value } = attribute;
  if ([uri, InlineBinary, Value].filter((one) => one !== undefined).length > 1)
    throw new TypeError('an attribute has several values');
  if (uri !== undefined) {
    if (typeof uri !== 'string' || !mayBeBulk(vr)) throw new TypeError(`${vr} has no bulk data`);
    return { uri, length: how.lengthOf(uri) };
  }
  if (binaries.has(vr)) {
    if (InlineBinary !== undefined) return inlineBytes(InlineBinary);
    if (valuesIn(attribute).length > 0) throw new TypeError(`${vr} has no Value`);
    return new Uint8Array(0);
  }
  const values = valuesIn(attribute);
  const size = numberBytes[vr];
  if (size !== undefined) {
    const view = new DataView(new ArrayBuffer(size * values.length));
    for (const [index, value] of values.entries()) writeNumber(view, index * size, vr, value);
    return new Uint8Array(view.buffer);
  }
  if (multiTexts.has(vr) || singleTexts.has(vr) || vr === 'DS' || vr === 'IS') return textBytes(vr, values);
  throw new TypeError('an unknown value representation');
};

const sizeOf = (pieces: readonly FilePiece[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

/** A value of odd length gets a byte after it. */
const padded = (vr: string, piece: FilePiece): readonly FilePiece[] =>
  piece.length % 2 === 0 ? [piece] : [piece, Uint8Array.of(binaries.has(vr) ? 0 : 0x20)];

const elementPieces = (key: string, attribute: JsonAttribute, how: JsonWriting, depth: number): FilePiece[] => {
  const tag = Number.parseInt(key, 16);
  const { vr } = attribute;
  if (vr === 'SQ') {
    if (attribute.BulkDataURI !== undefined || attribute.InlineBinary !== undefined)
      throw new TypeError('a sequence has items');
    const items = valuesIn(attribute).flatMap((item): FilePiece[] => {
      const content = piecesOf(item === null ? {} : (item as DicomJson), how, depth + 1);
      return [itemHeader(0xe000, sizeOf(content), true), ...content];
    });
    return [elementHeader(tag, 'SQ', sizeOf(items), encoding, 'a sequence'), ...items];
  }
  const value = padded(vr, pieceOf(attribute, how));
  const length = sizeOf(value);
  if (how.isEncapsulated && depth === 0 && key === pixelData)
    return [
      elementHeader(tag, 'OB', UNDEFINED_LENGTH, encoding, 'Pixel Data'),
      itemHeader(0xe000, 0, true),
      itemHeader(0xe000, length, true),
      ...value,
      itemHeader(0xe0dd, 0, true),
    ];
  return [elementHeader(tag, vr, length, encoding, 'an element'), ...value];
};

/** Group lengths and the groups before 0008, as the file meta information, are of the file. */
const isOfDataSet = (tag: number): boolean => (tag & 0xffff) !== 0 && tag >>> 16 > 7;

const piecesOf = (json: DicomJson, how: JsonWriting, depth: number): FilePiece[] => {
  if (depth > deepest) throw new RangeError('sequences are too deep');
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw new TypeError('an item is no object');
  const all = Object.entries(json).map(([key, attribute]): [number, string, JsonAttribute] => {
    if (!/^[0-9A-F]{8}$/.test(key) || key.startsWith('FFFE')) throw new TypeError('no tag');
    if (typeof attribute !== 'object' || attribute === null || typeof attribute.vr !== 'string')
      throw new TypeError('an attribute has no vr');
    return [Number.parseInt(key, 16), key, attribute];
  });
  return all
    .filter(([tag]) => isOfDataSet(tag))
    .toSorted(([one], [other]) => one - other)
    .flatMap(([, key, attribute]) => elementPieces(key, attribute, how, depth));
};

/**
 * Returns the elements of a data set in Explicit VR Little Endian from its JSON (PS3.18 annex F), with values by reference in between.
 * @throws TypeError, RangeError or SyntaxError for what is no such JSON, without values, which may be personal; errors of `lengthOf`
 */
export const jsonElements = (json: DicomJson, how: JsonWriting): readonly FilePiece[] =>
  piecesOf({ ...json, '00080005': { vr: 'CS', Value: ['ISO_IR 192'] } }, how, 0);

/** Returns the addresses of all values by reference. @throws as `jsonElements` */
export const bulkUrisOf = (json: DicomJson): ReadonlySet<string> => {
  const uris = new Set<string>();
  const lengthOf = (uri: string) => {
    uris.add(uri);
    return 0;
  };
  jsonElements(json, { lengthOf, isEncapsulated: false });
  return uris;
};
