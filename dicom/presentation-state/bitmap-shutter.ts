import { isBitSet } from '../bits.ts';
import type { DataSet } from '../data-set.ts';
import { type OverlayPlane, separatePlane } from '../overlay-planes.ts';
import { tags } from '../tags.ts';
import type { ImageSize, StateBitmap } from './model.ts';

/** More than the bitmap of any real image has, so that a file stops neither the server nor the page. */
const maxPixels = 2 ** 26;
const maxRuns = 500_000;

/** Returns the overlay group that is a shutter; null without one. */
export const shutterGroup = (dataSet: DataSet): number | null =>
  dataSet.codes(tags.shutterShape).includes('BITMAP') ? dataSet.number(tags.shutterOverlayGroup, 'US') : null;

/** Lengths of alternating runs of pixels, row by row, the first of those that are not marked. */
const runsOf = ({ width, height, bits }: OverlayPlane): number[] => {
  const runs: number[] = [];
  let isMarked = false;
  let length = 0;
  for (let index = 0; index < width * height; index++, length++) {
    if (isBitSet(bits, index) === isMarked) continue;
    runs.push(length);
    isMarked = !isMarked;
    length = 0;
  }
  return [...runs, length];
};

/**
 * Reads the bitmap display shutter of a state (PS3.3 C.7.6.15): the pixels that its overlay marks are covered. Null when it covers nothing of
 * the image, or cannot be read.
 */
export const readBitmapShutter = (
  dataSet: DataSet,
  image: ImageSize,
): { readonly bitmap: StateBitmap | null; readonly isRead: boolean } => {
  const group = shutterGroup(dataSet);
  const plane = group === null ? null : separatePlane(dataSet, group, image, maxPixels);
  if (!plane) return { bitmap: null, isRead: false };
  if (!plane.part) return { bitmap: null, isRead: true };
  const runs = runsOf(plane.part);
  if (runs.length > maxRuns) return { bitmap: null, isRead: false };
  const { x, y, width, height } = plane.part;
  return { bitmap: { x, y, width, height, runs }, isRead: true };
};
