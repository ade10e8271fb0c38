import type { Slot } from '../../../contract/viewsets.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

type Box = Pick<Slot, 'xPos' | 'yPos' | 'width' | 'height'>;

/** Slots in capture order. */
export const inOrder = <Item extends Pick<Slot, 'order'>>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((one, other) => one.order - other.order);

/** How far two stretches lie apart; 0 when they overlap. */
const gap = (from: number, length: number, otherFrom: number, otherLength: number): number =>
  Math.max(0, otherFrom - (from + length), from - (otherFrom + otherLength));

/** What a step costs: the way there, and three times the way aside. Null for what does not lie in that direction. */
const costOf = (from: Box, to: Box, direction: Direction): number | null => {
  const across = direction === 'left' || direction === 'right';
  const sign = direction === 'left' || direction === 'up' ? -1 : 1;
  const centre = (box: Box) =>
    across
      ? [box.xPos + box.width / 2, box.yPos + box.height / 2]
      : [box.yPos + box.height / 2, box.xPos + box.width / 2];
  const [along = 0, aside = 0] = centre(from);
  const [alongTo = 0, asideTo = 0] = centre(to);
  const way = sign * (alongTo - along);
  if (way <= 1e-6) return null;
  const missed = across
    ? gap(from.yPos, from.height, to.yPos, to.height)
    : gap(from.xPos, from.width, to.xPos, to.width);
  const apart = across
    ? gap(from.xPos, from.width, to.xPos, to.width)
    : gap(from.yPos, from.height, to.yPos, to.height);
  // Slots that overlap along the way and lie apart aside are above one another, not beside.
  if (apart === 0 && missed > 0 && way < Math.abs(asideTo - aside)) return null;
  return way + 3 * missed + Math.abs(asideTo - aside) / 1000;
};

/** The slot that one comes to from `from` in a direction, as the eye would; null at the edge of the mount. */
export const neighbourOf = <Item extends Box>(items: readonly Item[], from: Box, direction: Direction): Item | null => {
  let best: { readonly item: Item; readonly cost: number } | null = null;
  for (const item of items) {
    const cost = costOf(from, item, direction);
    if (cost !== null && (best === null || cost < best.cost)) best = { item, cost };
  }
  return best?.item ?? null;
};
