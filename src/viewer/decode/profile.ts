import type { MarkPoint } from '../scene/measure.ts';
import type { LoadedImage } from './loaded-image.ts';
import { hasValue, valueAt } from './pixel-value.ts';

/**
 * Returns the modality values of the pixels along a line, one for each pixel of its length and at least two; null for colour, for a
 * reduced image, which has means instead of values, and for a line that leaves the part of the image that the file has.
 */
export const profileAlong = (
  image: Pick<LoadedImage, 'pixels' | 'pixelWidth' | 'reduction' | 'modality' | 'level' | 'width' | 'height' | 'coded'>,
  [from, to]: readonly MarkPoint[],
): readonly number[] | null => {
  if (!from || !to || image.level === 'reduced' || image.pixels.format === 'rgba8') return null;
  const within = (value: number, size: number) => Math.min(size - 1, Math.max(0, Math.floor(value)));
  const ends = [from, to].map(([x, y]) => ({ x: within(x, image.width), y: within(y, image.height) }));
  if (!ends.every((end) => hasValue(image, end))) return null;
  const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1])));
  return Array.from({ length: steps + 1 }, (_, step) => {
    const x = from[0] + ((to[0] - from[0]) * step) / steps;
    const y = from[1] + ((to[1] - from[1]) * step) / steps;
    return valueAt(image, within(x, image.width), within(y, image.height)).modality[0] ?? 0;
  });
};
