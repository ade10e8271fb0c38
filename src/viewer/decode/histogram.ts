import type { Modality } from '../../../dicom/image-model.ts';
import { codedPart } from './coded-part.ts';
import type { LoadedImage } from './loaded-image.ts';

/** A histogram: `counts[i]` pixels are between low + i * step and low + (i + 1) * step, step = (high - low) / counts.length. */
export interface Histogram {
  /** Modality values; 0 and 255 for colour. */
  readonly low: number;
  readonly high: number;
  readonly counts: Float64Array;
}

const lookedUp = (modality: Extract<Modality, { kind: 'lut' }>, stored: number) => {
  const { firstInput, values } = modality.lut;
  return values[Math.min(values.length - 1, Math.max(0, stored - firstInput))] ?? 0;
};

/** The properties of an image that are needed to count its values. */
export type Counted = Pick<
  LoadedImage,
  'pixels' | 'pixelWidth' | 'pixelHeight' | 'reduction' | 'coded' | 'modality' | 'range'
> & {
  readonly description: Pick<LoadedImage['description'], 'padding'>;
};

/** Approximate maximum number of sampled pixels: more do not change the shape of the curve. */
const maxPixels = 1_000_000;

/**
 * Returns the histogram of an image in modality values without padding and empty parts, over the range of the image; for colour, of the mean of the channels.
 * `bins` at least 1.
 */
export const histogramOf = (image: Counted, bins: number): Histogram => {
  const { pixels, modality, range } = image;
  const { padding } = image.description;
  const counts = new Float64Array(bins);
  const low = Math.min(range.low, range.high);
  const high = Math.max(range.low, range.high);
  const scale = high > low ? bins / (high - low) : 0;
  const count = (value: number) => {
    const bin = Math.min(bins - 1, Math.max(0, Math.floor((value - low) * scale)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  };
  const { values, format } = pixels;
  const { columns, rows } = codedPart(image);
  const isEmpty = image.coded
    ? (pixel: number) => pixel % image.pixelWidth >= columns || pixel >= rows * image.pixelWidth
    : () => false;
  if (format === 'rgba8') {
    const step = 4 * Math.max(1, Math.floor(values.length / 4 / maxPixels));
    for (let at = 0; at < values.length; at += step)
      if (!isEmpty(at / 4)) count(((values[at] ?? 0) + (values[at + 1] ?? 0) + (values[at + 2] ?? 0)) / 3);
    return { low, high, counts };
  }
  const step = Math.max(1, Math.floor(values.length / maxPixels));
  for (let at = 0; at < values.length; at += step) {
    const stored = values[at] ?? 0;
    if (isEmpty(at)) continue;
    if (padding && stored >= padding.low && stored <= padding.high) continue;
    count(modality.kind === 'lut' ? lookedUp(modality, stored) : stored * modality.slope + modality.intercept);
  }
  return { low, high, counts };
};

/** Returns the value below which a fraction (0 to 1) of all counted pixels lies. */
export const percentile = ({ low, high, counts }: Histogram, part: number): number => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const step = (high - low) / counts.length;
  let sum = 0;
  for (let bin = 0; bin < counts.length; bin++) {
    const here = counts[bin] ?? 0;
    if (sum + here >= part * total) return low + (bin + (here > 0 ? (part * total - sum) / here : 0)) * step;
    sum += here;
  }
  return high;
};
