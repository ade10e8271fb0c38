import { DicomProblem } from './problem.ts';

const malformed = () => new DicomProblem('malformed', 'the segmented palette of the image cannot be expanded');

/** Limit of segments: repeated references to empty segments would never terminate. */
const MAX_SEGMENTS = 2 ** 20;

/**
 * Expands segmented palette data (PS3.3 C.7.9.2): discrete, linear and indirect segments.
 * @param packed opcodes, lengths and values, all of one size (8 or 16 bits)
 * @throws DicomProblem 'malformed'
 */
export const expandSegments = (packed: Uint8Array | Uint16Array, entries: number): Uint16Array => {
  const values = new Uint16Array(entries);
  let filled = 0;
  let segments = 0;
  const push = (value: number) => {
    if (filled < entries) values[filled++] = value;
  };
  /** Returns the offset after the segment at `at`. */
  const expand = (at: number, indirectAllowed: boolean): number => {
    const opcode = packed[at];
    const length = packed[at + 1];
    if (opcode === undefined || length === undefined || ++segments > MAX_SEGMENTS) throw malformed();
    if (opcode === 0) {
      for (const value of packed.subarray(at + 2, at + 2 + length)) push(value);
      return at + 2 + length;
    }
    if (opcode === 1) {
      const to = packed[at + 2];
      if (to === undefined || filled === 0) throw malformed();
      const from = values[filled - 1] ?? 0;
      for (let step = 1; step <= length; step++) push(Math.round(from + ((to - from) * step) / length));
      return at + 3;
    }
    if (opcode === 2 && indirectAllowed) {
      // The offset counts bytes, in two units of the data's own size, low one first.
      const bits = packed.BYTES_PER_ELEMENT * 8;
      const offsetBytes = (packed[at + 2] ?? 0) + (packed[at + 3] ?? 0) * 2 ** bits;
      let place = offsetBytes / packed.BYTES_PER_ELEMENT;
      if (!Number.isInteger(place)) throw malformed();
      for (let segment = 0; segment < length && filled < entries; segment++) place = expand(place, false);
      return at + 4;
    }
    throw malformed();
  };
  let at = 0;
  while (at + 1 < packed.length && filled < entries) at = expand(at, true);
  if (filled === 0) throw malformed();
  return filled < entries ? values.slice(0, filled) : values;
};
