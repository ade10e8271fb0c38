import { jpegProblem } from './header.ts';

/** A Huffman table as in T.81 F.2.2.3: for each code length the largest code and where its values begin. */
export interface HuffmanTable {
  readonly maxCode: Int32Array;
  readonly offset: Int32Array;
  readonly values: Uint8Array;
  /** For the next 8 bits: length << 8 | value, or 0 when the code is longer. */
  readonly short: Uint16Array;
}

const buildHuffmanTable = (counts: Uint8Array, values: Uint8Array): HuffmanTable => {
  const maxCode = new Int32Array(17).fill(-1);
  const offset = new Int32Array(17);
  const short = new Uint16Array(256);
  let code = 0;
  let index = 0;
  for (let length = 1; length <= 16; length++) {
    const count = counts[length - 1] ?? 0;
    offset[length] = index - code;
    for (let entry = 0; entry < count; entry++, code++, index++) {
      if (length > 8) continue;
      const first = code << (8 - length);
      short.fill((length << 8) | (values[index] ?? 0), first, first + (1 << (8 - length)));
    }
    if (count > 0) maxCode[length] = code - 1;
    code <<= 1;
  }
  if (index > values.length) throw jpegProblem('a Huffman table is cut off');
  return { maxCode, offset, values, short };
};

/** DHT (T.81 B.2.4.2) into `tables`, whose key holds class and destination as the segment does. */
export const readHuffmanTables = (tables: Map<number, HuffmanTable>, body: Uint8Array): void => {
  for (let at = 0; at + 17 <= body.length; ) {
    const counts = body.subarray(at + 1, at + 17);
    const total = counts.reduce((sum, count) => sum + count, 0);
    tables.set(body[at] ?? 0, buildHuffmanTable(counts, body.slice(at + 17, at + 17 + total)));
    at += 17 + total;
  }
};

/** Reads the entropy coded bits of one scan (T.81 F.2.2.5), stuffed zeros removed. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at: number;
  #bits = 0;
  #count = 0;
  #padding = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Where the next marker is, once the scan has been read. */
  get position(): number {
    return this.#at;
  }

  #fill(): void {
    while (this.#count <= 16) {
      const byte = this.#bytes[this.#at];
      let next = 0;
      if (byte === undefined || (byte === 0xff && this.#bytes[this.#at + 1] !== 0)) {
        // After the last byte zeros are returned, like libjpeg; a stream that continues like this is truncated.
        this.#padding++;
        if (this.#padding > 64) throw jpegProblem('the entropy coded data end too early');
      } else {
        next = byte;
        this.#at += byte === 0xff ? 2 : 1;
      }
      this.#bits = (this.#bits << 8) | next;
      this.#count += 8;
    }
  }

  bit(): number {
    if (this.#count < 1) this.#fill();
    this.#count--;
    return (this.#bits >>> this.#count) & 1;
  }

  /** `count` bits (0 to 16) as an unsigned number. */
  take(count: number): number {
    if (count === 0) return 0;
    if (this.#count < count) this.#fill();
    this.#count -= count;
    return (this.#bits >>> this.#count) & ((1 << count) - 1);
  }

  /** A value of `size` bits with its sign: RECEIVE and EXTEND (T.81 F.2.2.1). */
  signed(size: number): number {
    if (size === 0) return 0;
    const value = this.take(size);
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
  }

  symbol(table: HuffmanTable): number {
    if (this.#count < 16) this.#fill();
    const ahead = (this.#bits >>> (this.#count - 8)) & 0xff;
    const known = table.short[ahead] ?? 0;
    if (known !== 0) {
      this.#count -= known >> 8;
      return known & 0xff;
    }
    let code = ahead;
    this.#count -= 8;
    for (let length = 9; length <= 16; length++) {
      this.#count--;
      code = (code << 1) | ((this.#bits >>> this.#count) & 1);
      if (code <= (table.maxCode[length] ?? -1)) return table.values[code + (table.offset[length] ?? 0)] ?? 0;
    }
    throw jpegProblem('a Huffman code is not in its table');
  }

  /** Skips to behind the next restart marker; false when there is none ahead. */
  restart(): boolean {
    this.#bits = 0;
    this.#count = 0;
    this.#padding = 0;
    while (this.#at + 1 < this.#bytes.length) {
      const marker = this.#bytes[this.#at + 1] ?? 0;
      if (this.#bytes[this.#at] === 0xff && marker !== 0 && marker !== 0xff) {
        if (marker < 0xd0 || marker > 0xd7) return false;
        this.#at += 2;
        return true;
      }
      this.#at++;
    }
    return false;
  }
}
