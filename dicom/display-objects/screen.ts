import type { DataSet as ReadDataSet } from '../data-set.ts';
import { tags } from '../tags.ts';
import type { DataSet } from '../write/data-set.ts';
import type { DisplayRectangle } from './model.ts';

const maxPixels = 0xffff;

/** The y axis of a display goes up (PS3.3 C.23.2.1.1). */
export const positionOf = ({ left, top, right, bottom }: DisplayRectangle): number[] => [
  left,
  1 - top,
  right,
  1 - bottom,
];

/** Reads what `positionOf` returns; null when it is absent or no rectangle of the display. */
export const placeOf = (item: ReadDataSet): DisplayRectangle | null => {
  const [left, top, right, bottom] = item.numbers(tags.displayEnvironmentSpatialPosition, 'FD');
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return null;
  const isSound = [left, top, right, bottom].every((value) => value >= 0 && value <= 1) && left < right && bottom < top;
  return isSound ? { left, top: 1 - top, right, bottom: 1 - bottom } : null;
};

/** Returns whole pixels of the same ratio: the size itself where it is one. */
const pixelsOf = ({ width, height }: { readonly width: number; readonly height: number }) => {
  const isWhole = [width, height].every((value) => Number.isInteger(value) && value >= 1 && value <= maxPixels);
  const factor = isWhole ? 1 : 10_000 / Math.max(width, height);
  const pixels = (value: number) => Math.max(1, Math.round(value * factor));
  return { vertical: pixels(height), horizontal: pixels(width) };
};

/** Returns the elements of a display of one screen (PS3.3 C.23.2). Only the ratio of a size is kept where it is no pixels. */
export const screenElements = (size: { readonly width: number; readonly height: number }): DataSet => {
  const { vertical, horizontal } = pixelsOf(size);
  return {
    NumberOfScreens: 1,
    NominalScreenDefinitionSequence: [
      {
        NumberOfVerticalPixels: vertical,
        NumberOfHorizontalPixels: horizontal,
        DisplayEnvironmentSpatialPosition: [0, 1, 1, 0],
        ScreenMinimumGrayscaleBitDepth: 8,
      },
    ],
  };
};
