/** Where a card lies, in pixels. */
export interface Corner {
  readonly top: number;
  readonly left: number;
}

/** The index of the card that a key leads to: the next in reading order, or the nearest of the row above or below. */
export const cardTowards = (cards: readonly Corner[], at: number, key: string): number => {
  const here = cards[at];
  if (!here) return 0;
  if (key === 'ArrowRight') return Math.min(cards.length - 1, at + 1);
  if (key === 'ArrowLeft') return Math.max(0, at - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return cards.length - 1;
  const beyond = cards.filter(({ top }) => (key === 'ArrowDown' ? top > here.top : top < here.top));
  const row = key === 'ArrowDown' ? beyond[0] : beyond.at(-1);
  const distance = ({ left }: Corner) => Math.abs(left - here.left);
  const [nearest] = beyond
    .filter(({ top }) => top === row?.top)
    .toSorted((one, other) => distance(one) - distance(other));
  return nearest ? cards.indexOf(nearest) : at;
};
