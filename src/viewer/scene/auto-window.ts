import { codedPart } from '../decode/coded-part.ts';
import type { LoadedImage } from '../decode/loaded-image.ts';
import { modalityValue } from '../shaders/window/reference.ts';
import type { Rectangle } from './camera.ts';
import type { WindowChoice } from './scene.ts';

/** Approximate maximum sample size: more values do not change a percentile visibly. */
const maxValues = 250_000;

type Sampled = Pick<
  LoadedImage,
  'pixels' | 'pixelWidth' | 'pixelHeight' | 'reduction' | 'coded' | 'modality' | 'description' | 'width' | 'height'
>;

/** Returns the sorted modality values inside `region` (image pixels) without padding and empty parts; for colour, those of all three channels. */
const valuesInside = (image: Sampled, region: Rectangle): Float64Array => {
  const { pixels, pixelWidth, reduction, modality, description } = image;
  const { columns, rows } = codedPart(image);
  const left = Math.max(0, Math.floor(region.x / reduction));
  const top = Math.max(0, Math.floor(region.y / reduction));
  const right = Math.min(columns, Math.ceil((region.x + region.width) / reduction));
  const bottom = Math.min(rows, Math.ceil((region.y + region.height) / reduction));
  const stride = Math.max(1, Math.ceil(Math.sqrt(((right - left) * (bottom - top)) / maxValues)));
  const values: number[] = [];
  const { padding } = description;
  for (let y = top; y < bottom; y += stride) {
    for (let x = left; x < right; x += stride) {
      const at = y * pixelWidth + x;
      if (pixels.format === 'rgba8') {
        for (let channel = 0; channel < 3; channel++) values.push(pixels.values[at * 4 + channel] ?? 0);
        continue;
      }
      const stored = pixels.values[at] ?? 0;
      if (padding && stored >= padding.low && stored <= padding.high) continue;
      const value = modalityValue(stored, modality);
      if (Number.isFinite(value)) values.push(value);
    }
  }
  return Float64Array.from(values).sort();
};

/** Returns the value below which the fraction `part` (0 to 1) of the sorted values lies. */
const percentile = (sorted: Float64Array, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;

/**
 * Returns the window for the values inside `region` (image pixels): black at the 1st, white at the 99th percentile of its
 * modality values (DICOM PS3.3 C.11.2.1.2.1, LINEAR). null when the region has no values.
 */
export const regionWindow = (image: Sampled, region: Rectangle): WindowChoice | null => {
  const values = valuesInside(image, region);
  if (values.length === 0) return null;
  const low = percentile(values, 0.01);
  const high = percentile(values, 0.99);
  return { kind: 'window', centre: (low + high + 1) / 2, width: Math.max(1, high - low + 1), function: 'LINEAR' };
};

/** Returns the window for the values of the whole image. */
export const autoWindow = (image: Sampled): WindowChoice | null =>
  regionWindow(image, { x: 0, y: 0, width: image.width, height: image.height });
