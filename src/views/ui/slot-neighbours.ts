import type { Slot } from '../../../contract/viewsets.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** Directions by `KeyboardEvent.key`. */
export const arrowDirections: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

type Box = Pick<Slot, 'xPos' | 'yPos' | 'width' | 'height'>;

/** Returns slots in capture order. */
export const inOrder = <Item extends Pick<Slot, 'order'>>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((one, other) => one.order - other.order);

/** Returns the distance between two intervals; 0 when they overlap. */
const gap = (from: number, length: number, otherFrom: number, otherLength: number): number =>
  Math.max(0, otherFrom - (from + length), from - (otherFrom + otherLength));

/** Returns the cost of a step: distance along the direction plus three times the gap across; null for slots not in that direction. */
const costOf = (from: Box, to: Box, direction: Direction): number | null => {
  const across = direction === 'left' || direction === 'right';
  const sign = direction === 'left' || direction === 'up' ? -1 : 1;
  const centre = (box: Box) =>
    across
      ? [box.xPos + box.width / 2, box.yPos + box.height / 2]
      : [box.yPos + box.height / 2, box.xPos + box.width / 2];
  const [along = 0, crosswise = 0] = centre(from);
  const [alongTo = 0, crosswiseTo = 0] = centre(to);
  const way = sign * (alongTo - along);
  if (way <= 1e-6) return null;
  const missed = across
    ? gap(from.yPos, from.height, to.yPos, to.height)
    : gap(from.xPos, from.width, to.xPos, to.width);
  const apart = across
    ? gap(from.xPos, from.width, to.xPos, to.width)
    : gap(from.yPos, from.height, to.yPos, to.height);
  // Slots that overlap along the direction but are apart across it lie above each other.
  if (apart === 0 && missed > 0 && way < Math.abs(crosswiseTo - crosswise)) return null;
  return way + 3 * missed + Math.abs(crosswiseTo - crosswise) / 1000;
};

/** Returns the nearest slot in a direction; null at the edge of the mount. */
export const neighbourOf = <Item extends Box>(items: readonly Item[], from: Box, direction: Direction): Item | null => {
  let best: { readonly item: Item; readonly cost: number } | null = null;
  for (const item of items) {
    const cost = costOf(from, item, direction);
    if (cost !== null && (best === null || cost < best.cost)) best = { item, cost };
  }
  return best?.item ?? null;
};
