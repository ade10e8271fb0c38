import { randomFrom } from '../paths/random.ts';

/** Returns `count` items in their order; the same ones for the same seed. */
export const sampled = <One>(all: readonly One[], count: number, seed: number): readonly One[] => {
  const random = randomFrom(seed);
  const drawn = all.map((one, index) => ({ one, index, rank: random() }));
  return drawn
    .sort((first, second) => first.rank - second.rank)
    .slice(0, count)
    .sort((first, second) => first.index - second.index)
    .map(({ one }) => one);
};
