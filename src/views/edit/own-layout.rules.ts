import { extentOf } from '../../../contract/viewsets.ts';

/** Layout of equal slots in rows and columns. */
export interface OwnLayout {
  readonly rows: number;
  readonly columns: number;
  readonly isPortrait: boolean;
  /** Gap between slots, in percent of a slot's short side. */
  readonly gapPercent: number;
}

export const maxLinesOfLayout = 10;
export const maxGap = 50;
export const firstLayout: OwnLayout = { rows: 2, columns: 2, isPortrait: false, gapPercent: 4 };

/** Dimensions of a size 2 intraoral sensor in pixels; only the ratio matters. */
const long = 1700;
const short = 1300;

const within = (value: number, max: number, min: number) =>
  Math.max(min, Math.min(max, Math.round(Number.isFinite(value) ? value : min)));

/** Clamps typed values to the allowed range. */
export const clampLayout = (layout: OwnLayout): OwnLayout => ({
  ...layout,
  rows: within(layout.rows, maxLinesOfLayout, 1),
  columns: within(layout.columns, maxLinesOfLayout, 1),
  gapPercent: within(layout.gapPercent, maxGap, 0),
});

/** Returns the slots of a layout, row by row from the top left. Origin top left, units are sensor pixels. */
export const slotsOf = (grid: OwnLayout) => {
  const { rows, columns, isPortrait, gapPercent } = clampLayout(grid);
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

/** Returns the total width and height. */
export const sizeOf = (layout: OwnLayout): { width: number; height: number } => extentOf(slotsOf(layout));
