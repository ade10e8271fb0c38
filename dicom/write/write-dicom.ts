import { deflateRaw } from 'pako';
import type { DataSet, DataSetValue, EncapsulatedFrames } from './data-set.ts';
import { type Keyword, TAGS, type Vr } from './tags.ts';
import { type Encoding, encodingOf, isEncapsulated, TRANSFER_SYNTAX } from './transfer-syntax.ts';
import { uidFrom } from './uid.ts';
import { valueBytes } from './value.ts';

/** (0002,0012) and (0002,0013) of every file that this program writes. */
export const IMPLEMENTATION_CLASS_UID = uidFrom('dentarium/implementation/1');
export const IMPLEMENTATION_VERSION_NAME = 'DENTARIUM_1';

const UNDEFINED_LENGTH = 0xffffffff;
/** VRs whose explicit header has two reserved bytes and a 32-bit length (PS3.5 table 7.1-1). */
const LONG_HEADER: ReadonlySet<Vr> = new Set<Vr>(['OB', 'OW', 'SQ', 'UC', 'UR', 'UT']);

type Chunks = Uint8Array[];

const lengthOf = (chunks: Chunks): number => chunks.reduce((sum, chunk) => sum + chunk.length, 0);

const concat = (chunks: Chunks): Uint8Array => {
  const out = new Uint8Array(lengthOf(chunks));
  let at = 0;
  for (const chunk of chunks) {
    out.set(chunk, at);
    at += chunk.length;
  }
  return out;
};

const header = (tag: number, vr: Vr, length: number, encoding: Encoding, keyword: string): Uint8Array => {
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
    else if (length > 0xffff) throw new RangeError(`${keyword} is too long for ${vr}`);
    else view.setUint16(6, length, little);
  }
  return new Uint8Array(view.buffer);
};

/** Item, Item Delimitation and Sequence Delimitation have no VR in any syntax (PS3.5 7.5). */
const itemHeader = (element: number, length: number, little: boolean): Uint8Array => {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint16(0, 0xfffe, little);
  view.setUint16(2, element, little);
  view.setUint32(4, length, little);
  return new Uint8Array(view.buffer);
};

const even = (bytes: Uint8Array): Uint8Array => (bytes.length % 2 === 0 ? bytes : concat([bytes, new Uint8Array(1)]));

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

const isFrames = (value: DataSetValue): value is EncapsulatedFrames =>
  value !== null && typeof value === 'object' && 'frames' in value;

const isItems = (value: DataSetValue): value is readonly DataSet[] => Array.isArray(value);

const element = (keyword: Keyword, value: DataSetValue, encoding: Encoding): Chunks => {
  const [tag, dictionaryVr] = TAGS[keyword];
  if (isFrames(value)) return [header(tag, 'OB', UNDEFINED_LENGTH, encoding, keyword), ...encapsulated(value)];
  if (dictionaryVr === 'SQ') {
    if (value !== null && !isItems(value)) throw new TypeError(`${keyword} must be a list of items`);
    const items = (value ?? []).flatMap((item) => {
      const content = elements(item, encoding);
      return [itemHeader(0xe000, lengthOf(content), encoding.littleEndian), ...content];
    });
    return [header(tag, 'SQ', lengthOf(items), encoding, keyword), ...items];
  }
  // Implicit VR knows Pixel Data as OW only (PS3.5 A.1).
  const vr: Vr = dictionaryVr === 'OW' && encoding.explicitVr && value instanceof Uint8Array ? 'OB' : dictionaryVr;
  const bytes = valueBytes(vr, keyword, value, encoding.littleEndian);
  return [header(tag, vr, bytes.length, encoding, keyword), bytes];
};

const isKeyword = (text: string): text is Keyword => text in TAGS;

const elements = (dataSet: DataSet, encoding: Encoding): Chunks => {
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

const metaElement = (tag: number, vr: Vr, bytes: Uint8Array): Chunks => [
  header(tag, vr, bytes.length, { explicitVr: true, littleEndian: true }, 'File meta information'),
  bytes,
];

/** Preamble, DICM and group 0002, always explicit little endian (DICOM PS3.10 7.1). */
const fileMeta = (sopClassUid: string, sopInstanceUid: string, transferSyntax: string): Chunks => {
  const uid = (tag: number, value: string) => metaElement(tag, 'UI', valueBytes('UI', 'File meta UID', value, true));
  const body = [
    ...metaElement(0x00020001, 'OB', Uint8Array.of(0, 1)),
    ...uid(0x00020002, sopClassUid),
    ...uid(0x00020003, sopInstanceUid),
    ...uid(0x00020010, transferSyntax),
    ...uid(0x00020012, IMPLEMENTATION_CLASS_UID),
    ...metaElement(0x00020013, 'SH', valueBytes('SH', 'Implementation version', IMPLEMENTATION_VERSION_NAME, true)),
  ];
  const groupLength = valueBytes('UL', 'Group length', lengthOf(body), true);
  const preamble = new Uint8Array(132);
  preamble.set(new TextEncoder().encode('DICM'), 128);
  return [preamble, ...metaElement(0x00020000, 'UL', groupLength), ...body];
};

/**
 * A DICOM file (PS3.10) from a data set. Text is UTF-8 (Specific Character Set ISO_IR 192).
 * Pixel Data must be frames for an encapsulated transfer syntax and plain values for every other.
 * @throws RangeError or TypeError that names the invalid keyword and never its value.
 */
export const writeDicom = (dataSet: DataSet, options: { readonly transferSyntax: string }): Uint8Array => {
  const { transferSyntax } = options;
  const { SOPClassUID, SOPInstanceUID, PixelData } = dataSet;
  if (typeof SOPClassUID !== 'string' || SOPClassUID === '') throw new TypeError('SOPClassUID is missing');
  if (typeof SOPInstanceUID !== 'string' || SOPInstanceUID === '') throw new TypeError('SOPInstanceUID is missing');
  if (PixelData !== undefined && PixelData !== null && isFrames(PixelData) !== isEncapsulated(transferSyntax)) {
    throw new TypeError(`PixelData is not of the kind that transfer syntax ${transferSyntax} holds`);
  }
  const meta = fileMeta(SOPClassUID, SOPInstanceUID, transferSyntax);
  const body = elements({ ...dataSet, SpecificCharacterSet: 'ISO_IR 192' }, encodingOf(transferSyntax));
  if (transferSyntax !== TRANSFER_SYNTAX.deflated) return concat([...meta, ...body]);
  return concat([...meta, even(deflateRaw(concat(body), { level: 4 }))]);
};
