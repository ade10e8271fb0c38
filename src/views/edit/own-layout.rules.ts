import { extentOf } from '../../../contract/viewsets.ts';

/** A mount of one's own: equal slots in rows and columns. */
export interface OwnLayout {
  readonly rows: number;
  readonly columns: number;
  readonly isPortrait: boolean;
  /** Between slots, in percent of a slot's short side. */
  readonly gapPercent: number;
}

export const mostInLine = 10;
export const largestGap = 50;
export const firstLayout: OwnLayout = { rows: 2, columns: 2, isPortrait: false, gapPercent: 4 };

/** Sides of an intraoral sensor of size 2, in its pixels: the proportion is what counts. */
const long = 1700;
const short = 1300;

const within = (value: number, most: number, fewest: number) =>
  Math.max(fewest, Math.min(most, Math.round(Number.isFinite(value) ? value : fewest)));

/** What a person typed, held to what a mount can be. */
export const heldLayout = (layout: OwnLayout): OwnLayout => ({
  ...layout,
  rows: within(layout.rows, mostInLine, 1),
  columns: within(layout.columns, mostInLine, 1),
  gapPercent: within(layout.gapPercent, largestGap, 0),
});

/** The slots of a layout, row by row from the top left; origin top left, units are pixels of the sensor. */
export const slotsOf = (asked: OwnLayout) => {
  const { rows, columns, isPortrait, gapPercent } = heldLayout(asked);
  const [width, height] = isPortrait ? [short, long] : [long, short];
  const gap = (short * gapPercent) / 100;
  return Array.from({ length: rows * columns }, (_, index) => ({
    xPos: (index % columns) * (width + gap),
    yPos: Math.floor(index / columns) * (height + gap),
    width,
    height,
    rotation: 0,
  }));
};

/** Width and height of the whole. */
export const sizeOf = (layout: OwnLayout): { width: number; height: number } => extentOf(slotsOf(layout));
