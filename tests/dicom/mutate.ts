/** Numbers from 0 to below `below`, the same for the same seed (mulberry32). */
export type Random = (below: number) => number;

export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
};

const boundaries = [0, 1, 2, 8, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000];
const boundaryWords = [
  ...boundaries,
  0xfffffffe,
  0xffffffff,
  0xfffee000,
  0xe000fffe,
  0x04034b50,
  0x02014b50,
  0x06064b50,
];

const cut = (bytes: Uint8Array, from: number, to: number, between: Uint8Array = new Uint8Array()): Uint8Array =>
  new Uint8Array(Buffer.concat([bytes.subarray(0, from), between, bytes.subarray(to)]));

/** Favours both ends, where headers and directories are. */
const somewhere = (length: number, random: Random): number => {
  const near = Math.min(length, 64 << random(6));
  const kind = random(4);
  if (kind === 0) return random(length);
  return kind === 1 ? length - 1 - random(near) : Math.min(length - 1, 128 * random(2) + random(near));
};

type Change = (bytes: Uint8Array, at: number, random: Random, other: Uint8Array) => Uint8Array;

const written = (bytes: Uint8Array, at: number, size: 2 | 4, value: number, littleEndian: boolean): Uint8Array => {
  if (at + size > bytes.length) return bytes;
  const changed = bytes.slice();
  const view = new DataView(changed.buffer);
  if (size === 2) view.setUint16(at, value & 0xffff, littleEndian);
  else view.setUint32(at, value >>> 0, littleEndian);
  return changed;
};

const changes: readonly Change[] = [
  (bytes, at, random) => {
    const changed = bytes.slice();
    changed[at] = random(256);
    return changed;
  },
  (bytes, at, random) => {
    const changed = bytes.slice();
    changed[at] = (changed[at] ?? 0) ^ (1 << random(8));
    return changed;
  },
  (bytes, at, random) => written(bytes, at, 2, boundaries[random(boundaries.length)] ?? 0, random(8) > 0),
  (bytes, at, random) => written(bytes, at, 4, boundaryWords[random(boundaryWords.length)] ?? 0, random(8) > 0),
  (bytes, at, random) => written(bytes, at, 4, random(bytes.length * 2), random(8) > 0),
  (bytes, at, random) => cut(bytes, at, Math.min(bytes.length, at + 1 + random(64))),
  (bytes, at, random) => cut(bytes, at, at, bytes.subarray(at, at + 1 + random(200))),
  (bytes, at, random) =>
    cut(
      bytes,
      at,
      at,
      Uint8Array.from({ length: 1 + random(16) }, () => random(256)),
    ),
  (bytes, at, random) => cut(bytes, at, at, new Uint8Array(1 + random(64)).fill(random(2) * 255)),
  (bytes, at) => bytes.slice(0, at),
  (bytes, at, random, other) => cut(bytes, at, bytes.length, other.subarray(random(other.length))),
  (bytes, at, random, other) => cut(bytes, at, at, other.subarray(somewhere(other.length, random)).subarray(0, 300)),
  (bytes, at, random) => cut(bytes, at, at, bytes.subarray(random(bytes.length)).subarray(0, 1 + random(500))),
];

/** Returns mutated bytes, with parts of `other`. Deterministic for the same `random`. */
export const mutated = (bytes: Uint8Array, random: Random, other: Uint8Array): Uint8Array => {
  let result = bytes;
  for (let count = 1 + random(3); count > 0; count--) {
    const change = changes[random(changes.length)];
    if (change && result.length > 0) result = change(result, somewhere(result.length, random), random, other);
  }
  return result;
};

export const fuzzSeconds = (usual: number): number => Number(process.env.DENTARIUM_FUZZ_SECONDS ?? usual);
export const firstSeed = Number(process.env.DENTARIUM_FUZZ_SEED ?? 1);
