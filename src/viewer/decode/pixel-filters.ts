import type { Display } from '../scene/scene.ts';
import { bilateralFilter, noiseOf } from './filters/bilateral.ts';
import { detailFilter } from './filters/detail.ts';
import { equalised } from './filters/equalise.ts';
import { medianFilter } from './filters/median.ts';
import { channelsOf, filteredPlane, type Plane, pixelsOf, planeOf } from './filters/plane.ts';
import type { ImagePixels } from './loaded-image.ts';

export type PixelFilters = Pick<Display, 'noise' | 'sharpness' | 'equalisation'>;

export const noFilters: PixelFilters = { noise: { kind: 'none', strength: 0 }, sharpness: 0, equalisation: 0 };

const filtersNoise = ({ noise }: PixelFilters) => noise.kind !== 'none' && noise.strength > 0;

/** Whether no filter is on. */
export const areOff = (filters: PixelFilters): boolean =>
  !filtersNoise(filters) && filters.sharpness === 0 && filters.equalisation <= 0;

export const sameFilters = (one: PixelFilters, other: PixelFilters): boolean =>
  (areOff(one) && areOff(other)) ||
  (one.noise.kind === other.noise.kind &&
    one.noise.strength === other.noise.strength &&
    one.sharpness === other.sharpness &&
    one.equalisation === other.equalisation);

const denoised = (plane: Plane, filters: PixelFilters): Plane => {
  if (!filtersNoise(filters)) return plane;
  const { kind, strength } = filters.noise;
  return filteredPlane(plane, kind === 'median' ? medianFilter(strength) : bilateralFilter(strength, noiseOf(plane)));
};

/** Equalises the mean of the channels and scales the channels alike, so that the hue stays. */
const equalisedColours = (planes: readonly Plane[], strength: number): readonly Plane[] => {
  const [first] = planes;
  if (!first) return planes;
  const grey = first.values.map(
    (_, at) => planes.reduce((sum, { values }) => sum + (values[at] ?? 0), 0) / planes.length,
  );
  const bright = equalised({ ...first, values: grey }, strength).values;
  return planes.map((plane) => ({
    ...plane,
    values: plane.values.map((value, at) =>
      (grey[at] ?? 0) > 0 ? (value * (bright[at] ?? 0)) / (grey[at] ?? 1) : value,
    ),
  }));
};

/**
 * Applies noise filter, sharpness and equalisation to stored values, in this order, with one rounding at the end.
 * Returns the same object when all are off. `width` and `height` in pixels.
 */
export const filteredPixels = (
  pixels: ImagePixels,
  width: number,
  height: number,
  filters: PixelFilters,
): ImagePixels => {
  if (areOff(filters)) return pixels;
  const planes = Array.from({ length: Math.min(3, channelsOf(pixels)) }, (_, channel) => {
    const denoisedPlane = denoised(planeOf(pixels, width, height, channel), filters);
    return filters.sharpness === 0 ? denoisedPlane : filteredPlane(denoisedPlane, detailFilter(filters.sharpness));
  });
  if (filters.equalisation <= 0) return pixelsOf(planes, pixels);
  const [grey] = planes;
  const even =
    planes.length === 1 && grey
      ? [equalised(grey, filters.equalisation)]
      : equalisedColours(planes, filters.equalisation);
  return pixelsOf(even, pixels);
};
