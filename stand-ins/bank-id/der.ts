/* Distinguished encoding rules (X.690): the few types that certificates and PKCS #12 are made of. */

const length = (size: number): Buffer => {
  if (size < 0x80) return Buffer.from([size]);
  const bytes = size.toString(16);
  const digits = Buffer.from(bytes.length % 2 === 0 ? bytes : `0${bytes}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | digits.length]), digits]);
};

export const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), length(content.length), content]);
};

export const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
export const set = (...parts: Uint8Array[]) => der(0x31, ...parts);
export const octets = (bytes: Uint8Array) => der(0x04, bytes);
export const inContext = (bytes: Uint8Array, tag = 0) => der(0xa0 | tag, bytes);
/** @param value below 32 768 */
export const integer = (value: number) =>
  der(0x02, Buffer.from([value >> 8, value & 0xff].slice(value > 0x7f ? 0 : 1)));

const base128 = (value: number): number[] => {
  const low = value & 0x7f;
  const high = Math.floor(value / 128);
  return high === 0 ? [low] : [...base128(high).map((byte) => byte | 0x80), low];
};

export const identifier = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
};
