import type { DataSet, DataSetValue, EncapsulatedFrames } from './data-set.ts';
import { type Keyword, TAGS, type Vr } from './tags.ts';
import type { Encoding } from './transfer-syntax.ts';
import { valueBytes } from './value.ts';

export const UNDEFINED_LENGTH = 0xffffffff;
/** VRs whose explicit header has two reserved bytes and a 32-bit length (PS3.5 table 7.1-1). */
const LONG_HEADER: ReadonlySet<string> = new Set([
  'OB',
  'OD',
  'OF',
  'OL',
  'OV',
  'OW',
  'SQ',
  'SV',
  'UC',
  'UN',
  'UR',
  'UT',
  'UV',
]);

export type Chunks = Uint8Array[];

/** Returns the sum of the lengths. */
export const lengthOf = (chunks: Chunks): number => chunks.reduce((sum, chunk) => sum + chunk.length, 0);

/** Returns the chunks as one array. */
export const concat = (chunks: Chunks): Uint8Array => {
  const out = new Uint8Array(lengthOf(chunks));
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
};

/** Tag, VR and length of an element (PS3.5 7.1). @throws RangeError naming `name` when the VR cannot hold so many bytes */
export const elementHeader = (
  tag: number,
  vr: string,
  length: number,
  encoding: Encoding,
  name: string,
): Uint8Array => {
  const little = encoding.littleEndian;
  const long = LONG_HEADER.has(vr);
  const view = new DataView(new ArrayBuffer(encoding.explicitVr && long ? 12 : 8));
  view.setUint16(0, tag >>> 16, little);
  view.setUint16(2, tag & 0xffff, little);
  if (!encoding.explicitVr) view.setUint32(4, length, little);
  else {
    view.setUint8(4, vr.charCodeAt(0));
    view.setUint8(5, vr.charCodeAt(1));
    if (long) view.setUint32(8, length, little);
    else if (length > 0xffff) throw new RangeError(`${name} is too long for ${vr}`);
    else view.setUint16(6, length, little);
  }
  return new Uint8Array(view.buffer);
};

/** Item, Item Delimitation and Sequence Delimitation have no VR in any syntax (PS3.5 7.5). */
export const itemHeader = (element: number, length: number, little: boolean): Uint8Array => {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint16(0, 0xfffe, little);
  view.setUint16(2, element, little);
  view.setUint32(4, length, little);
  return new Uint8Array(view.buffer);
};

/** Pads to an even length with NUL. */
export const even = (bytes: Uint8Array): Uint8Array =>
  bytes.length % 2 === 0 ? bytes : concat([bytes, new Uint8Array(1)]);

/** Basic Offset Table, one fragment per frame, delimiter (PS3.5 A.4). */
const encapsulated = ({ frames }: EncapsulatedFrames): Chunks => {
  const fragments = frames.map(even);
  const table = new DataView(new ArrayBuffer(4 * fragments.length));
  let offset = 0;
  fragments.forEach((fragment, index) => {
    table.setUint32(4 * index, offset, true);
    offset += 8 + fragment.length;
  });
  return [
    itemHeader(0xe000, table.byteLength, true),
    new Uint8Array(table.buffer),
    ...fragments.flatMap((fragment) => [itemHeader(0xe000, fragment.length, true), fragment]),
    itemHeader(0xe0dd, 0, true),
  ];
};

export const isFrames = (value: DataSetValue): value is EncapsulatedFrames =>
  value !== null && typeof value === 'object' && 'frames' in value;

const isItems = (value: DataSetValue): value is readonly DataSet[] => Array.isArray(value);

const element = (keyword: Keyword, value: DataSetValue, encoding: Encoding): Chunks => {
  const [tag, dictionaryVr] = TAGS[keyword];
  if (isFrames(value)) return [elementHeader(tag, 'OB', UNDEFINED_LENGTH, encoding, keyword), ...encapsulated(value)];
  if (dictionaryVr === 'SQ') {
    if (value !== null && !isItems(value)) throw new TypeError(`${keyword} must be a list of items`);
    const items = (value ?? []).flatMap((item) => {
      const content = elements(item, encoding);
      return [itemHeader(0xe000, lengthOf(content), encoding.littleEndian), ...content];
    });
    return [elementHeader(tag, 'SQ', lengthOf(items), encoding, keyword), ...items];
  }
  // Implicit VR knows Pixel Data as OW only (PS3.5 A.1).
  const vr: Vr = dictionaryVr === 'OW' && encoding.explicitVr && value instanceof Uint8Array ? 'OB' : dictionaryVr;
  const bytes = valueBytes(vr, keyword, value, encoding.littleEndian);
  return [elementHeader(tag, vr, bytes.length, encoding, keyword), bytes];
};

const isKeyword = (text: string): text is Keyword => text in TAGS;

/** Encodes the elements of a data set in the order of their tags. @throws RangeError or TypeError naming the keyword */
export const elements = (dataSet: DataSet, encoding: Encoding): Chunks => {
  const keywords = Object.keys(dataSet).map((keyword) => {
    if (!isKeyword(keyword)) throw new TypeError(`${keyword} is not in the dictionary of the writer`);
    return keyword;
  });
  keywords.sort((one, other) => TAGS[one][0] - TAGS[other][0]);
  return keywords.flatMap((keyword) => {
    const value = dataSet[keyword];
    return value === undefined ? [] : element(keyword, value, encoding);
  });
};
