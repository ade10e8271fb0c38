import type { MarkPoint } from '../scene/measure.ts';
import type { LoadedImage } from './loaded-image.ts';
import { valueAt } from './pixel-value.ts';

/**
 * Returns the modality values of the pixels along a line, one for each pixel of its length and at least two; null for colour and for a
 * reduced image, which has means instead of values.
 */
export const profileAlong = (
  image: Pick<LoadedImage, 'pixels' | 'pixelWidth' | 'reduction' | 'modality' | 'level' | 'width' | 'height'>,
  [from, to]: readonly MarkPoint[],
): readonly number[] | null => {
  if (!from || !to || image.level === 'reduced' || image.pixels.format === 'rgba8') return null;
  const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1])));
  const within = (value: number, size: number) => Math.min(size - 1, Math.max(0, Math.floor(value)));
  return Array.from({ length: steps + 1 }, (_, step) => {
    const x = from[0] + ((to[0] - from[0]) * step) / steps;
    const y = from[1] + ((to[1] - from[1]) * step) / steps;
    return valueAt(image, within(x, image.width), within(y, image.height)).modality[0] ?? 0;
  });
};
