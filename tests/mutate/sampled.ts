/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
export const drawsOf = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** So many of them, in their order; the same ones for the same seed. */
export const sampled = <One>(all: readonly One[], count: number, seed: number): readonly One[] => {
  const draw = drawsOf(seed);
  const drawn = all.map((one, place) => ({ one, place, lot: draw() }));
  return drawn
    .sort((first, second) => first.lot - second.lot)
    .slice(0, count)
    .sort((first, second) => first.place - second.place)
    .map(({ one }) => one);
};
