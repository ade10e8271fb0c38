import { modalityValue } from '../shaders/window/reference.ts';
import type { LoadedImage } from './loaded-image.ts';

/**
 * Returns stored and modality value of each channel of the image pixel at column `x`, row `y` (from 0, inside the image); for a
 * reduced image the mean of the block that contains the pixel.
 */
export const valueAt = (
  { pixels, pixelWidth, reduction, modality }: Pick<LoadedImage, 'pixels' | 'pixelWidth' | 'reduction' | 'modality'>,
  x: number,
  y: number,
): { readonly stored: readonly number[]; readonly modality: readonly number[] } => {
  const pixel = Math.floor(y / reduction) * pixelWidth + Math.floor(x / reduction);
  if (pixels.format === 'rgba8') {
    const stored = [...pixels.values.subarray(pixel * 4, pixel * 4 + 3)];
    return { stored, modality: stored };
  }
  const stored = pixels.values[pixel] ?? 0;
  return { stored: [stored], modality: [modalityValue(stored, modality)] };
};

/** Returns whether the file has a value of this image pixel: not outside a codestream that is smaller than its header says. */
export const hasValue = (
  { coded }: Pick<LoadedImage, 'coded'>,
  { x, y }: { readonly x: number; readonly y: number },
): boolean => coded === null || (x < coded.columns && y < coded.rows);
