/** Numbers that look like chance and are the same in every run (mulberry32), so that a failure can be walked again. */
export const seeded = (seed: number) => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number from 0 to below `end`. */
  const below = (end: number): number => Math.floor(next() * end);
  return { below, pick: <T>(values: readonly T[]): T | undefined => values[below(values.length)] };
};
