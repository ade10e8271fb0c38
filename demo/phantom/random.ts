/** A pseudo-random number generator; the same seed gives the same numbers on every machine. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  /** Mean 0, deviation 1. */
  normal(): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
}

const seedOf = (parts: readonly (string | number)[]): number => {
  let hash = 0x811c9dc5;
  for (const character of parts.join('/')) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
};

/** Random numbers for a purpose: `randomFrom(mouth, 'tooth', '16')`. Algorithm: mulberry32. */
export const randomFrom = (...parts: readonly (string | number)[]): Random => {
  let state = seedOf(parts);
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    chance: (probability) => next() < probability,
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
  };
};
