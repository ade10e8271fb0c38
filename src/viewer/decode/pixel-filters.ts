import type { Display, NoiseFilter } from '../scene/scene.ts';
import type { ImagePixels } from './loaded-image.ts';

export type PixelFilters = Pick<Display, 'noise' | 'sharpness'>;

export const noFilters: PixelFilters = { noise: 'none', sharpness: 0 };

export const sameFilters = (one: PixelFilters, other: PixelFilters): boolean =>
  one.noise === other.noise && one.sharpness === other.sharpness;

type Values = ImagePixels['values'];

/** Values of one channel around a point, clamped to the picture: `size` x `size`, row by row. */
const neighbourhood = (width: number, height: number, channels: number, radius: number) => {
  const taken = new Float64Array((2 * radius + 1) ** 2);
  return (values: Values, column: number, row: number, channel: number) => {
    let count = 0;
    for (let y = row - radius; y <= row + radius; y++) {
      const line = Math.min(height - 1, Math.max(0, y)) * width;
      for (let x = column - radius; x <= column + radius; x++) {
        const at = (line + Math.min(width - 1, Math.max(0, x))) * channels + channel;
        taken[count++] = values[at] ?? 0;
      }
    }
    return taken;
  };
};

/** The middle of an odd number of values; sorts them in place. */
const median = (values: Float64Array): number => {
  for (let i = 1; i < values.length; i++) {
    const value = values[i] ?? 0;
    let at = i - 1;
    while (at >= 0 && (values[at] ?? 0) > value) {
      values[at + 1] = values[at] ?? 0;
      at--;
    }
    values[at + 1] = value;
  }
  return values[values.length >> 1] ?? 0;
};

const bell = [1, 2, 1, 2, 4, 2, 1, 2, 1];

const gauss = (values: Float64Array): number => {
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += (bell[i] ?? 0) * (values[i] ?? 0);
  return sum / 16;
};

const limits = {
  u8: [0, 255],
  u16: [0, 65535],
  s16: [-32768, 32767],
  f32: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  rgba8: [0, 255],
} as const;

const emptyLike = (pixels: ImagePixels): ImagePixels => {
  const { length } = pixels.values;
  if (pixels.format === 'u16') return { format: 'u16', values: new Uint16Array(length) };
  if (pixels.format === 's16') return { format: 's16', values: new Int16Array(length) };
  if (pixels.format === 'f32') return { format: 'f32', values: new Float32Array(length) };
  return { format: pixels.format, values: new Uint8Array(length) };
};

/** Every value replaced by `kernel` of its neighbourhood; integers are rounded; the alpha channel is kept. */
const convolved = (
  pixels: ImagePixels,
  width: number,
  height: number,
  radius: number,
  kernel: (around: Float64Array, own: number) => number,
): ImagePixels => {
  const channels = pixels.format === 'rgba8' ? 4 : 1;
  const colours = Math.min(3, channels);
  const result = emptyLike(pixels);
  const around = neighbourhood(width, height, channels, radius);
  const [low, high] = limits[pixels.format];
  const whole = pixels.format !== 'f32';
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = (row * width + column) * channels;
      for (let channel = 0; channel < colours; channel++) {
        const value = kernel(around(pixels.values, column, row, channel), pixels.values[at + channel] ?? 0);
        const bounded = Math.min(high, Math.max(low, value));
        result.values[at + channel] = whole ? Math.round(bounded) : bounded;
      }
      if (channels === 4) result.values[at + 3] = pixels.values[at + 3] ?? 255;
    }
  }
  return result;
};

const withoutNoise = (pixels: ImagePixels, width: number, height: number, noise: NoiseFilter): ImagePixels => {
  if (noise === 'median-3') return convolved(pixels, width, height, 1, median);
  if (noise === 'median-5') return convolved(pixels, width, height, 2, median);
  if (noise === 'gauss-3') return convolved(pixels, width, height, 1, gauss);
  return pixels;
};

/**
 * Stored values after the noise filter, then unsharp masking (own + 2 x sharpness x (own - Gauss over 3 x 3)).
 * Gives the same object back when both are off. `width` and `height` in pixels.
 */
export const filteredPixels = (
  pixels: ImagePixels,
  width: number,
  height: number,
  { noise, sharpness }: PixelFilters,
): ImagePixels => {
  const calm = withoutNoise(pixels, width, height, noise);
  if (sharpness <= 0) return calm;
  return convolved(calm, width, height, 1, (around, own) => own + 2 * sharpness * (own - gauss(around)));
};
