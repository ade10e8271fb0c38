/** Seeded pseudo-random numbers (mulberry32), so that failures are reproducible. */
export const seeded = (seed: number) => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
  /** Returns an integer from 0 to below `end`. */
  const below = (end: number): number => Math.floor(next() * end);
  return { below, pick: <T>(values: readonly T[]): T | undefined => values[below(values.length)] };
};
