import { useMemo } from 'react';
import { jawOf, sideOf } from '../../../../contract/teeth.ts';
import type { Viewset, ViewsetItem } from '../../../../contract/viewsets.ts';
import { useStoredFlag } from '../../ui/stored-state.ts';

const isBitewingOf = (side: 'L' | 'R', { teeth }: ViewsetItem): boolean =>
  teeth.every((tooth) => sideOf(tooth) === side) && new Set(teeth.map(jawOf)).size === 2;

/**
 * Returns a mount of four bitewings in one row as two rows: the outer pair above the inner one, the patient's right at the left. Sizes stay.
 * Null for other mounts: a row of images of one jaw below another would be read as the other jaw.
 */
export const inTwoRows = (viewset: Viewset): Viewset | null => {
  const [outerRight, innerRight, innerLeft, outerLeft, ...others] = viewset.viewSetItems.toSorted(
    (one, other) => one.xPos - other.xPos,
  );
  if (!outerRight || !innerRight || !innerLeft || !outerLeft || others.length > 0) return null;
  const { yPos, width, height } = outerRight;
  const row = [outerRight, innerRight, innerLeft, outerLeft];
  const isRow = row.every((item) => item.yPos === yPos && item.width === width && item.height === height);
  const areBitewings =
    [outerRight, innerRight].every((item) => isBitewingOf('R', item)) &&
    [innerLeft, outerLeft].every((item) => isBitewingOf('L', item));
  if (!isRow || !areBitewings) return null;
  const placed = (item: ViewsetItem): ViewsetItem => ({
    ...item,
    xPos: item === outerRight || item === innerRight ? 0 : width,
    yPos: item === outerRight || item === outerLeft ? 0 : height,
  });
  return { ...viewset, width: 2 * width, height: 2 * height, viewSetItems: viewset.viewSetItems.map(placed) };
};

export interface TwoRows {
  /** The mount in two rows; null while it is shown as its template arranges it. */
  readonly viewset: Viewset | null;
  /** Changes between one row and two; null for a mount without that choice. */
  readonly toggle: (() => void) | null;
}

/** Returns the mount in two rows where the user has chosen so; the choice is stored in this browser. */
export const useTwoRows = (viewset: Viewset | null): TwoRows => {
  const [isChosen, setChosen] = useStoredFlag('dentarium.bitewings.two-rows', false);
  const arranged = useMemo(() => viewset && inTwoRows(viewset), [viewset]);
  return {
    viewset: isChosen ? arranged : null,
    toggle: arranged && (() => setChosen(!isChosen)),
  };
};
