export interface MeasuredGroup {
  readonly id: string;
  /** The lower, the longer it stays in the row. */
  readonly rank: number;
  readonly count: number;
}

/** CSS pixels of the line and the gap between two groups. */
const gap = 9;

/**
 * The groups that stand in a row of `room` CSS pixels; the rest goes into the menu behind them, whose button needs a place too.
 * A room of 0 is one that has not been measured: everything stands.
 */
export const groupsInRow = (groups: readonly MeasuredGroup[], room: number, target: number): ReadonlySet<string> => {
  const widthOf = (chosen: readonly MeasuredGroup[]) =>
    chosen.reduce((sum, { count }) => sum + count * target, 0) + Math.max(0, chosen.length - 1) * gap;
  if (room === 0 || widthOf(groups) <= room) return new Set(groups.map(({ id }) => id));
  const left = room - target - gap;
  const kept: MeasuredGroup[] = [];
  for (const group of groups.toSorted((one, other) => one.rank - other.rank)) {
    if (widthOf([...kept, group]) > left) break;
    kept.push(group);
  }
  return new Set(kept.map(({ id }) => id));
};
