import { concat } from '../write/elements.ts';

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const words = (...values: readonly number[]): Uint8Array => {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (const [index, value] of values.entries()) view.setUint32(index * 4, value >>> 0);
  return new Uint8Array(view.buffer);
};
const fixed = (value: number): number => Math.round(value * 0x10000);
const padded = (bytes: Uint8Array): Uint8Array => concat([bytes, new Uint8Array((4 - (bytes.length % 4)) % 4)]);

const xyz = (x: number, y: number, z: number): Uint8Array =>
  concat([ascii('XYZ '), words(0, fixed(x), fixed(y), fixed(z))]);

const decoded = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

const curve = (): Uint8Array => {
  const entries = 256;
  const view = new DataView(new ArrayBuffer(entries * 2));
  for (let index = 0; index < entries; index++)
    view.setUint16(index * 2, Math.round(decoded(index / (entries - 1)) * 0xffff));
  return concat([ascii('curv'), words(0, entries), new Uint8Array(view.buffer)]);
};

const description = (): Uint8Array => {
  const name = 'sRGB IEC61966-2.1';
  // Two empty descriptions in Unicode and ScriptCode follow (ICC.1:2001-04 6.5.17).
  return concat([ascii('desc'), words(0, name.length + 1), ascii(`${name}\0`), new Uint8Array(4 + 4 + 2 + 1 + 67)]);
};

/** Returns an ICC profile (ICC.1:2001-04) of sRGB as an input device, as a colour presentation state requires. */
export const srgbProfile = (): Uint8Array => {
  const shared = padded(curve());
  const bodies: readonly [names: readonly string[], body: Uint8Array][] = [
    [['desc'], padded(description())],
    [['cprt'], padded(concat([ascii('text'), words(0), ascii('Public domain\0')]))],
    [['wtpt'], xyz(0.9642, 1, 0.8249)],
    [['rXYZ'], xyz(0.4361, 0.2225, 0.0139)],
    [['gXYZ'], xyz(0.3851, 0.7169, 0.0971)],
    [['bXYZ'], xyz(0.1431, 0.0606, 0.7141)],
    [['rTRC', 'gTRC', 'bTRC'], shared],
  ];
  const count = bodies.reduce((sum, [names]) => sum + names.length, 0);
  let offset = 128 + 4 + count * 12;
  const table: Uint8Array[] = [];
  for (const [names, body] of bodies) {
    for (const name of names) table.push(ascii(name), words(offset, body.length));
    offset += body.length;
  }
  const header = concat([
    words(offset, 0, 0x02100000),
    ascii('scnrRGB XYZ '),
    // 2026-01-01, written as six 16-bit numbers.
    words(0x07ea0001, 0x00010000, 0),
    ascii('acsp'),
    words(0, 0, 0, 0, 0, 0, 0, fixed(0.9642), fixed(1), fixed(0.8249)),
  ]);
  return concat([
    header,
    new Uint8Array(128 - header.length),
    words(count),
    ...table,
    ...bodies.map(([, body]) => body),
  ]);
};
