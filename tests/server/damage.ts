import { readFile, utimes, writeFile } from 'node:fs/promises';

/** Seeded random numbers (mulberry32). */
export const randomFrom = (seed: number) => {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    /** Picks that many of these, each at most once. */
    some: <Item>(items: readonly Item[], count: number): Item[] => {
      const left = [...items];
      return Array.from({ length: Math.min(count, left.length) }, () => left.splice(below(left.length), 1)[0] as Item);
    },
  };
};
export type Random = ReturnType<typeof randomFrom>;

const flipBit = (bytes: Buffer, at: number, bit: number) => {
  bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
  return bytes;
};

const kinds = {
  bit: (bytes: Buffer, { below }: Random) => flipBit(bytes, below(bytes.length), below(8)),
  byte: (bytes: Buffer, { below }: Random) => {
    const at = below(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 + below(255));
    return bytes;
  },
  truncated: (bytes: Buffer, { below }: Random) => bytes.subarray(0, below(bytes.length)),
  zeros: (bytes: Buffer, { below }: Random) => {
    const from = below(bytes.length);
    const before = Buffer.from(bytes);
    bytes.fill(0, from, Math.min(bytes.length, from + 1 + below(4096)));
    return bytes.equals(before) ? flipBit(bytes, from, below(8)) : bytes;
  },
} as const;

/** Damages some bytes of a file in place like a bad disk, with an unchanged modification time. Returns a description. */
export const damage = async (file: string, random: Random, times: { atime: Date; mtime: Date }): Promise<string> => {
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  const kind = names[random.below(names.length)] ?? 'bit';
  await writeFile(file, kinds[kind](await readFile(file), random));
  await utimes(file, times.atime, times.mtime);
  return kind;
};
