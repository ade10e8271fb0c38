import type { ImageDescription } from '../image-model.ts';
import { DicomProblem } from '../problem.ts';
import { nativeLayout } from '../stored-values.ts';
import { encodingOf } from '../write/transfer-syntax.ts';

/**
 * Returns, for each byte of a sample from the least significant on, what each of its values becomes: bits outside Bits Stored may hold anything
 * (PS3.5 8.1.1). Those above a sign bit repeat it, for readers that take samples as they are.
 */
const byteTables = (description: ImageDescription): readonly Uint8Array[] => {
  if (description.bitsAllocated === 1) return [Uint8Array.from({ length: 256 }, (_, value) => value)];
  const { bytesPerSample, shift, bits, signed } = nativeLayout(description);
  return Array.from({ length: bytesPerSample }, (_, byte) => {
    const used = Math.floor((2 ** (shift + bits) - 2 ** shift) / 2 ** (8 * byte)) % 256;
    const sign = shift + bits - 1 - 8 * byte;
    const isNegative = (value: number) => signed && sign >= 0 && sign < 8 && ((value >> sign) & 1) === 1;
    return Uint8Array.from({ length: 256 }, (_, value) => (value & used) | (isNegative(value) ? 0xfe << sign : 0));
  });
};

/** Yields native pixel data with nothing in the bits outside Bits Stored. */
export async function* cleanedSamples(
  source: AsyncIterable<Uint8Array>,
  description: ImageDescription,
): AsyncGenerator<Uint8Array> {
  const little = encodingOf(description.transferSyntaxUid).littleEndian;
  const tables = little ? byteTables(description) : byteTables(description).toReversed();
  let place = 0;
  for await (const chunk of source) {
    const bytes = chunk.slice();
    for (let at = 0; at < bytes.length; at++) {
      bytes[at] = tables[place]?.[bytes[at] ?? 0] ?? 0;
      place = (place + 1) % tables.length;
    }
    yield bytes;
  }
}

/** Cleans one segment of PackBits from `from` on and returns its end, where the values of all pixels are written. */
const cleanSegment = (bytes: Uint8Array, from: number, pixels: number, table: Uint8Array): number => {
  let at = from;
  for (let left = pixels; left > 0; ) {
    const control = bytes[at++];
    if (control === undefined) throw new DicomProblem('truncated', 'an RLE segment ends too early');
    if (control === 128) continue;
    const stored = control > 128 ? 1 : control + 1;
    const needed = Math.min(stored, left);
    for (let index = at; index < at + needed; index++) bytes[index] = table[bytes[index] ?? 0] ?? 0;
    bytes.fill(0, at + needed, at + stored);
    at += stored;
    left -= control > 128 ? 257 - control : stored;
  }
  return at;
};

/**
 * Overwrites everything in an RLE frame (PS3.5 annex G) that is no pixel value: unused bits, unused offsets, and what is between and after segments.
 * @throws DicomProblem 'malformed' or 'truncated'
 */
export const cleanRle = (bytes: Uint8Array, description: ImageDescription): void => {
  const { rows, columns, samplesPerPixel } = description;
  // Segments hold the most significant byte first.
  const tables = byteTables(description).toReversed();
  const segments = samplesPerPixel * tables.length;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 64 || view.getUint32(0, true) !== segments) {
    throw new DicomProblem('malformed', 'an RLE header does not fit the image');
  }
  bytes.fill(0, 4 + 4 * segments, 64);
  let end = 64;
  for (let segment = 0; segment < segments; segment++) {
    const start = view.getUint32(4 + 4 * segment, true);
    if (start < end) throw new DicomProblem('malformed', 'RLE segments overlap');
    bytes.fill(0, end, start);
    end = cleanSegment(bytes, start, rows * columns, tables[segment % tables.length] ?? new Uint8Array(256));
  }
  bytes.fill(0, end);
};
