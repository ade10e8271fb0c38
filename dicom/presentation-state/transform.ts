import type { DataSet } from '../data-set.ts';
import { tags } from '../tags.ts';
import type { Frames, ImageSize, StateArea, StatePoint } from './model.ts';
import { partIsFor } from './references.ts';

/** Rotation clockwise, and the flip after it (PS3.3 C.10.6). */
interface SpatialTransform {
  readonly rotation: 0 | 90 | 180 | 270;
  readonly flip: boolean;
}

/** Reads the spatial transform; `isKnown` false for an angle that the standard does not have. */
export const readTransform = (dataSet: DataSet): SpatialTransform & { readonly isKnown: boolean } => {
  const angle = dataSet.number(tags.imageRotation, 'US') ?? 0;
  const rotation = ([0, 90, 180, 270] as const).find((one) => one === angle);
  return {
    rotation: rotation ?? 0,
    flip: dataSet.code(tags.imageHorizontalFlip) === 'Y',
    isKnown: rotation !== undefined,
  };
};

/** Returns the same transform with the flip before the rotation, as displays have it. */
export const asDisplay = ({ rotation, flip }: SpatialTransform) => ({
  rotation: flip ? (360 - rotation) % 360 : rotation,
  horizontalFlip: flip,
});

/** A displayed area, and whether its size is one of those of the standard. */
interface DisplayedArea extends StateArea {
  readonly isKnown: boolean;
}

const sizeOf = (item: DataSet): Pick<DisplayedArea, 'magnification' | 'isTrueSize' | 'isKnown'> => {
  const mode = item.code(tags.presentationSizeMode) ?? 'SCALE TO FIT';
  const ratio = mode === 'MAGNIFY' ? (item.number(tags.presentationMagnification, 'FL') ?? 0) : 0;
  const magnification = ratio > 0 && Number.isFinite(ratio) ? ratio : null;
  const isTrueSize = mode === 'TRUE SIZE';
  return { magnification, isTrueSize, isKnown: isTrueSize || mode === 'SCALE TO FIT' || magnification !== null };
};

/** Reads the displayed areas that are for an image (PS3.3 C.10.4). Their corners are pixels of the stored image, counted from 1. */
export const readAreas = (dataSet: DataSet, sopInstanceUid: string): DisplayedArea[] =>
  dataSet.sequence(tags.displayedAreaSelectionSequence).flatMap((item): DisplayedArea[] => {
    const place = partIsFor(item, sopInstanceUid);
    const [x1, y1] = item.numbers(tags.displayedAreaTopLeft, 'SL');
    const [x2, y2] = item.numbers(tags.displayedAreaBottomRight, 'SL');
    if (!place || x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) return [];
    if (!Number.isFinite(x1 + y1 + x2 + y2)) return [];
    return [
      {
        frames: place.frames,
        from: [Math.min(x1, x2) - 1, Math.min(y1, y2) - 1],
        to: [Math.max(x1, x2), Math.max(y1, y2)],
        ...sizeOf(item),
      },
    ];
  });

const sharesFrame = (one: Frames, other: Frames): boolean =>
  one === null || other === null || one.some((frame) => other.includes(frame));

/** Converts a position in the displayed area (0, 0 to 1, 1, as it stands on the screen) to image pixels. */
export const fromDisplay = (
  [u, v]: StatePoint,
  { rotation, flip }: SpatialTransform,
  { from, to }: Pick<DisplayedArea, 'from' | 'to'>,
): StatePoint => {
  const x = flip ? 1 - u : u;
  const upright: Record<SpatialTransform['rotation'], StatePoint> = {
    0: [x, v],
    90: [v, 1 - x],
    180: [1 - x, 1 - v],
    270: [1 - v, x],
  };
  const [s, t] = upright[rotation];
  return [from[0] + s * (to[0] - from[0]), from[1] + t * (to[1] - from[1])];
};

/** Returns the area that is displayed with a part for these frames; the whole image where none is given. */
export const areaFor = (
  areas: readonly DisplayedArea[],
  frames: Frames,
  { columns, rows }: ImageSize,
): Pick<DisplayedArea, 'from' | 'to'> =>
  areas.find((area) => sharesFrame(area.frames, frames)) ?? { from: [0, 0], to: [columns, rows] };

/** Returns whether an area is the whole image, as large as the screen allows. */
const isWhole = (
  { from, to, magnification, isTrueSize, isKnown }: DisplayedArea,
  { columns, rows }: ImageSize,
): boolean =>
  isKnown && magnification === null && !isTrueSize && from[0] <= 0 && from[1] <= 0 && to[0] >= columns && to[1] >= rows;

const holdsImage = ({ from, to }: DisplayedArea, { columns, rows }: ImageSize): boolean =>
  from[0] < columns && from[1] < rows && to[0] > 0 && to[1] > 0;

/** Returns the areas to show, none when they show the whole image. One that shows nothing of it is left out. */
export const shownAreas = (areas: readonly DisplayedArea[], image: ImageSize) => {
  const isShown = areas.some((area) => !isWhole(area, image));
  const shown = areas.filter((area) => isShown && holdsImage(area, image));
  return {
    areas: shown.map(({ isKnown, ...area }): StateArea => area),
    isComplete: areas.every((area) => area.isKnown && holdsImage(area, image)),
  };
};
