import type { BinaryValue, DataSetValue } from './data-set.ts';
import type { Vr } from './tags.ts';

const MAX_LENGTH: Partial<Record<Vr, number>> = {
  AE: 16,
  AS: 4,
  CS: 16,
  DS: 16,
  IS: 12,
  LO: 64,
  SH: 16,
  TM: 16,
  UI: 64,
};
const PATTERN: Partial<Record<Vr, RegExp>> = {
  AS: /^\d{3}[DWMY]$/,
  CS: /^[A-Z0-9 _]*$/,
  DA: /^\d{8}$/,
  IS: /^[+-]?\d+$/,
  DS: /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/,
  TM: /^\d{2}(\d{2}(\d{2}(\.\d{1,6})?)?)?$/,
  UI: /^(0|[1-9]\d*)(\.(0|[1-9]\d*))*$/,
};
const UNICODE: ReadonlySet<Vr> = new Set<Vr>(['LO', 'LT', 'PN', 'SH', 'ST', 'UC', 'UT']);
const SINGLE: ReadonlySet<Vr> = new Set<Vr>(['LT', 'ST', 'UT', 'UR']);
const BYTES_PER_NUMBER: Partial<Record<Vr, number>> = { AT: 4, FD: 8, FL: 4, SL: 4, SS: 2, UL: 4, US: 2 };

/** A number as a decimal string of at most 16 characters (DICOM PS3.5 table 6.2-1, DS). */
export const decimalString = (value: number): string => {
  if (!Number.isFinite(value)) throw new RangeError('A decimal string cannot hold a number that is not finite');
  const plain = String(value);
  if (plain.length <= 16) return plain;
  for (let digits = 15; digits > 0; digits--) {
    const rounded = String(Number(value.toPrecision(digits)));
    if (rounded.length <= 16) return rounded;
  }
  return value.toExponential(8);
};

const textOf = (vr: Vr, keyword: string, value: number | string): string => {
  const text = typeof value === 'string' ? value : vr === 'DS' ? decimalString(value) : String(value);
  const limit = MAX_LENGTH[vr];
  if (limit !== undefined && [...text].length > limit)
    throw new RangeError(`${keyword} is longer than ${limit} characters`);
  if (text !== '' && PATTERN[vr]?.test(text) === false) throw new RangeError(`${keyword} is not a valid ${vr} value`);
  if (!SINGLE.has(vr) && text.includes('\\')) throw new RangeError(`${keyword} must not hold a backslash`);
  if (!UNICODE.has(vr) && !/^[\x20-\x7e]*$/.test(text)) throw new RangeError(`${keyword} must be plain ASCII`);
  return text;
};

/** Text value field, padded to even length: UI with NUL, all else with a space (DICOM PS3.5 6.2). */
const textBytes = (vr: Vr, keyword: string, values: readonly (number | string)[]): Uint8Array => {
  if (SINGLE.has(vr) && values.length > 1) throw new RangeError(`${keyword} holds one value only`);
  const bytes = new TextEncoder().encode(values.map((value) => textOf(vr, keyword, value)).join('\\'));
  if (bytes.length % 2 === 0) return bytes;
  const padded = new Uint8Array(bytes.length + 1);
  padded.set(bytes);
  padded[bytes.length] = vr === 'UI' ? 0 : 0x20;
  return padded;
};

const numberBytes = (vr: Vr, keyword: string, values: readonly (number | string)[], little: boolean): Uint8Array => {
  const size = BYTES_PER_NUMBER[vr] ?? 0;
  const view = new DataView(new ArrayBuffer(size * values.length));
  const range = (value: number, low: number, high: number): number => {
    if (!Number.isInteger(value) || value < low || value > high) throw new RangeError(`${keyword} does not fit ${vr}`);
    return value;
  };
  values.forEach((given, index) => {
    if (typeof given !== 'number') throw new TypeError(`${keyword} must be a number`);
    const at = index * size;
    if (vr === 'US') view.setUint16(at, range(given, 0, 0xffff), little);
    else if (vr === 'SS') view.setInt16(at, range(given, -0x8000, 0x7fff), little);
    else if (vr === 'UL') view.setUint32(at, range(given, 0, 0xffffffff), little);
    else if (vr === 'SL') view.setInt32(at, range(given, -0x80000000, 0x7fffffff), little);
    else if (vr === 'FL') view.setFloat32(at, given, little);
    else if (vr === 'FD') view.setFloat64(at, given, little);
    else {
      view.setUint16(at, given >>> 16, little);
      view.setUint16(at + 2, given & 0xffff, little);
    }
  });
  return new Uint8Array(view.buffer);
};

const hostIsLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Bytes of binary values in the given byte order, padded to even length. 8-bit values under OW are swapped in pairs. */
export const binaryBytes = (vr: 'OB' | 'OW', value: BinaryValue, little: boolean): Uint8Array => {
  const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const wide = value.BYTES_PER_ELEMENT === 2;
  const swap = vr === 'OW' && (wide ? little !== hostIsLittle : !little);
  if (!swap && bytes.length % 2 === 0) return bytes;
  const out = new Uint8Array(bytes.length + (bytes.length % 2));
  out.set(bytes);
  if (swap) {
    for (let at = 0; at < out.length; at += 2) {
      const first = out[at] ?? 0;
      out[at] = out[at + 1] ?? 0;
      out[at + 1] = first;
    }
  }
  return out;
};

const isBinary = (value: unknown): value is BinaryValue =>
  value instanceof Uint8Array || value instanceof Uint16Array || value instanceof Int16Array;

/**
 * The value field of an element that is neither a sequence nor encapsulated, of even length.
 * @throws RangeError or TypeError that names the keyword, never the value: values may be personal.
 */
export const valueBytes = (vr: Vr, keyword: string, value: DataSetValue, littleEndian: boolean): Uint8Array => {
  if (value === null) return new Uint8Array(0);
  if (isBinary(value)) {
    if (vr !== 'OB' && vr !== 'OW') throw new TypeError(`${keyword} cannot hold bytes`);
    return binaryBytes(vr, value, littleEndian);
  }
  const list: (number | string)[] = [];
  for (const item of Array.isArray(value) ? value : [value]) {
    if (typeof item !== 'string' && typeof item !== 'number')
      throw new TypeError(`${keyword} has a value of a wrong kind`);
    list.push(item);
  }
  return BYTES_PER_NUMBER[vr] === undefined
    ? textBytes(vr, keyword, list)
    : numberBytes(vr, keyword, list, littleEndian);
};
