import type { Viewset, ViewsetItem } from '../../../contract/viewsets.ts';
import { inOrder } from '../parts/slot-neighbours.ts';

type Box = Pick<ViewsetItem, 'xPos' | 'yPos' | 'width' | 'height'>;

/** The topmost slot under a point, in the units of the mount. */
export const slotAt = <Item extends Box>(items: readonly Item[], point: { x: number; y: number }): Item | null =>
  items.findLast(
    ({ xPos, yPos, width, height }) =>
      point.x >= xPos && point.y >= yPos && point.x < xPos + width && point.y < yPos + height,
  ) ?? null;

export const itemOf = (viewset: Viewset, itemIndex: number | null): ViewsetItem | null =>
  viewset.viewSetItems.find((item) => item.itemIndex === itemIndex) ?? null;

/** The slot in which an image hangs. */
export const slotOfImage = (viewset: Viewset, imageUid: string): ViewsetItem | null =>
  viewset.viewSetItems.find((item) => item.activeImage?.uid === imageUid) ?? null;

/** The first empty slot in capture order. */
export const firstFree = (viewset: Viewset): ViewsetItem | null =>
  inOrder(viewset.viewSetItems).find((item) => item.activeImage === null) ?? null;

/** The next filled slot in capture order before or after an image; null when there is none. */
export const filledBeside = (viewset: Viewset, imageUid: string, by: 1 | -1): ViewsetItem | null => {
  const filled = inOrder(viewset.viewSetItems).filter((item) => item.activeImage !== null);
  const at = filled.findIndex((item) => item.activeImage?.uid === imageUid);
  return at < 0 ? null : (filled[at + by] ?? null);
};
