/** Writes DICOM bytes, including malformed ones that the product's writer rejects. */
export interface Syntax {
  readonly explicitVr: boolean;
  readonly littleEndian: boolean;
}

export const explicitLittle: Syntax = { explicitVr: true, littleEndian: true };
export const implicitLittle: Syntax = { explicitVr: false, littleEndian: true };
export const explicitBig: Syntax = { explicitVr: true, littleEndian: false };

export const bytesOf = (...parts: readonly (Uint8Array | readonly number[] | string)[]): Uint8Array => {
  const chunks = parts.map((part) =>
    typeof part === 'string' ? Uint8Array.from(part, (character) => character.charCodeAt(0)) : Uint8Array.from(part),
  );
  const out = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const chunk of chunks) {
    out.set(chunk, place);
    place += chunk.length;
  }
  return out;
};

const number = (value: number, size: 2 | 4, { littleEndian }: Syntax): Uint8Array => {
  const view = new DataView(new ArrayBuffer(size));
  if (size === 2) view.setUint16(0, value & 0xffff, littleEndian);
  else view.setUint32(0, value >>> 0, littleEndian);
  return new Uint8Array(view.buffer);
};

const longVrs = new Set(['OB', 'OW', 'OF', 'OD', 'SQ', 'UC', 'UN', 'UR', 'UT', 'OV']);

const tagBytes = (tag: number, syntax: Syntax) =>
  bytesOf(number(tag >>> 16, 2, syntax), number(tag & 0xffff, 2, syntax));

const even = (bytes: Uint8Array, vr: string) =>
  bytes.length % 2 === 0 ? bytes : bytesOf(bytes, [vr === 'UI' || vr === 'OB' ? 0 : 32]);

/** One element; `claimed` writes another length than that of the value. */
export const element = (
  tag: number,
  vr: string,
  value: Uint8Array | readonly number[] | string,
  syntax: Syntax = explicitLittle,
  claimed?: number,
): Uint8Array => {
  const body = even(bytesOf(value), vr);
  const length = claimed ?? body.length;
  if (!syntax.explicitVr) return bytesOf(tagBytes(tag, syntax), number(length, 4, syntax), body);
  if (longVrs.has(vr)) return bytesOf(tagBytes(tag, syntax), vr, [0, 0], number(length, 4, syntax), body);
  return bytesOf(tagBytes(tag, syntax), vr, number(length, 2, syntax), body);
};

/** 16-bit words in the byte order of the syntax. */
export const words = (values: readonly number[], syntax: Syntax = explicitLittle): Uint8Array =>
  bytesOf(...values.map((value) => number(value, 2, syntax)));

export const us = (tag: number, value: number | readonly number[], syntax: Syntax = explicitLittle): Uint8Array =>
  element(tag, 'US', words(typeof value === 'number' ? [value] : value, syntax), syntax);

const UNDEFINED = 0xffffffff;

export const item = (content: Uint8Array, syntax: Syntax = explicitLittle): Uint8Array =>
  bytesOf(tagBytes(0xfffee000, syntax), number(content.length, 4, syntax), content);

export const openItem = (content: Uint8Array, syntax: Syntax = explicitLittle): Uint8Array =>
  bytesOf(
    tagBytes(0xfffee000, syntax),
    number(UNDEFINED, 4, syntax),
    content,
    tagBytes(0xfffee00d, syntax),
    number(0, 4, syntax),
  );

export const delimiter = (syntax: Syntax = explicitLittle) =>
  bytesOf(tagBytes(0xfffee0dd, syntax), number(0, 4, syntax));

export const openSequence = (
  tag: number,
  items: readonly Uint8Array[],
  syntax: Syntax = explicitLittle,
  vr = 'SQ',
): Uint8Array => bytesOf(element(tag, vr, [], syntax, UNDEFINED), ...items, delimiter(syntax));

/** Encapsulated pixel data: the Basic Offset Table, then the fragments. */
export const encapsulated = (table: readonly number[], fragments: readonly Uint8Array[], closed = true): Uint8Array =>
  bytesOf(
    element(0x7fe00010, 'OB', [], explicitLittle, UNDEFINED),
    item(bytesOf(...table.map((offset) => number(offset, 4, explicitLittle)))),
    ...fragments.map((fragment) => item(fragment)),
    closed ? delimiter() : [],
  );

/** Preamble, DICM, meta information with the transfer syntax (none when null), data set. */
export const part10 = (
  dataSet: Uint8Array,
  transferSyntax: string | null = '1.2.840.10008.1.2.1',
  sopClass = '1.2.840.10008.5.1.4.1.1.7',
): Uint8Array => {
  const meta = bytesOf(
    element(0x00020002, 'UI', sopClass),
    transferSyntax === null ? [] : element(0x00020010, 'UI', transferSyntax),
  );
  return bytesOf(
    new Uint8Array(128),
    'DICM',
    element(0x00020000, 'UL', number(meta.length, 4, explicitLittle)),
    meta,
    dataSet,
  );
};

export interface PictureHeader {
  readonly rows: number;
  readonly columns: number;
  readonly samples?: number;
  readonly photometric?: string;
  readonly frames?: number;
  readonly bits?: number;
  readonly stored?: number;
  readonly highBit?: number;
  readonly signed?: boolean;
  readonly planar?: number;
  /** Elements of group 0028 above Pixel Representation, in order. */
  readonly more?: Uint8Array;
}

/** The elements of a small picture in front of its pixel data. */
export const pictureHeader = (header: PictureHeader, syntax: Syntax = explicitLittle): Uint8Array => {
  const { rows, columns, samples = 1, photometric = 'MONOCHROME2', frames, bits = 8, stored = bits } = header;
  return bytesOf(
    element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.7', syntax),
    element(0x00080018, 'UI', '1.2.3.4', syntax),
    us(0x00280002, samples, syntax),
    element(0x00280004, 'CS', photometric, syntax),
    header.planar === undefined ? [] : us(0x00280006, header.planar, syntax),
    frames === undefined ? [] : element(0x00280008, 'IS', String(frames), syntax),
    us(0x00280010, rows, syntax),
    us(0x00280011, columns, syntax),
    us(0x00280100, bits, syntax),
    us(0x00280101, stored, syntax),
    us(0x00280102, header.highBit ?? stored - 1, syntax),
    us(0x00280103, header.signed ? 1 : 0, syntax),
    header.more ?? [],
  );
};

/** A DICOMDIR whose records name these files, folders separated by a backslash, with a record of the patient that names none. */
export const directoryFile = (files: readonly string[], transferSyntax?: string): Uint8Array => {
  const records = files.map((file) =>
    item(
      bytesOf(
        us(0x00041410, 0xffff),
        element(0x00041430, 'CS', 'IMAGE'),
        element(0x00041500, 'CS', file),
        element(0x00041511, 'UI', '1.2.3'),
      ),
    ),
  );
  const patient = item(bytesOf(us(0x00041410, 0xffff), element(0x00041430, 'CS', 'PATIENT')));
  return part10(
    bytesOf(element(0x00041130, 'CS', 'DISC'), element(0x00041220, 'SQ', bytesOf(patient, ...records))),
    transferSyntax,
    '1.2.840.10008.1.3.10',
  );
};
