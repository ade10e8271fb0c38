import type { Display } from '../scene/scene.ts';
import type { ImagePixels } from './loaded-image.ts';

export type PixelFilters = Pick<Display, 'noise' | 'sharpness' | 'equalisation'>;

export const noFilters: PixelFilters = { noise: { kind: 'none', strength: 0 }, sharpness: 0, equalisation: 0 };

export const sameFilters = (one: PixelFilters, other: PixelFilters): boolean =>
  one.noise.kind === other.noise.kind &&
  one.noise.strength === other.noise.strength &&
  one.sharpness === other.sharpness &&
  one.equalisation === other.equalisation;

/** One channel with its edge repeated `border` pixels outwards, so that every pixel has all its neighbours. */
interface Plane {
  readonly values: Float32Array;
  readonly stride: number;
}

const border = 2;

const planeOf = ({ format, values }: ImagePixels, width: number, height: number, channel: number): Plane => {
  const channels = format === 'rgba8' ? 4 : 1;
  const stride = width + 2 * border;
  const plane = new Float32Array(stride * (height + 2 * border));
  for (let y = 0; y < height + 2 * border; y++) {
    const row = Math.min(height - 1, Math.max(0, y - border)) * width;
    for (let x = 0; x < stride; x++) {
      const column = Math.min(width - 1, Math.max(0, x - border));
      plane[y * stride + x] = values[(row + column) * channels + channel] ?? 0;
    }
  }
  return { values: plane, stride };
};

/** The new value of the pixel at `at`. */
type Kernel = (plane: Plane, at: number) => number;

/** The new values of a row of the picture, `row` counted from 0, into `out`. */
type RowFilter = (plane: Plane, row: number, out: Float32Array) => void;

const byPixel =
  (kernel: Kernel): RowFilter =>
  (plane, row, out) => {
    const from = (row + border) * plane.stride + border;
    for (let column = 0; column < out.length; column++) out[column] = kernel(plane, from + column);
  };

/** The values of each column of `2 * radius + 1` pixels about a row, sorted, one column after another. */
const sortedColumns = ({ values, stride }: Plane, row: number, radius: number): Float32Array => {
  const size = 2 * radius + 1;
  const sorted = new Float32Array(stride * size);
  const top = (row + border - radius) * stride;
  for (let column = 0; column < stride; column++) {
    const base = column * size;
    for (let taken = 0; taken < size; taken++) {
      const value = values[top + taken * stride + column] ?? 0;
      let place = base + taken;
      while (place > base && (sorted[place - 1] ?? 0) > value) {
        sorted[place] = sorted[place - 1] ?? 0;
        place--;
      }
      sorted[place] = value;
    }
  }
  return sorted;
};

/** Median of `2 * radius + 1` pixels squared. Columns are sorted once a row; of each pixel's they are merged half-way. */
const medianOf = (radius: 1 | 2): RowFilter => {
  const size = 2 * radius + 1;
  const middle = (size * size + 1) / 2;
  const heads = new Int32Array(size);
  return (plane, row, out) => {
    const sorted = sortedColumns(plane, row, radius);
    for (let column = 0; column < out.length; column++) {
      const first = (column + border - radius) * size;
      for (let i = 0; i < size; i++) heads[i] = first + i * size;
      let value = 0;
      for (let taken = 0; taken < middle; taken++) {
        let lowest = 0;
        value = Number.POSITIVE_INFINITY;
        for (let i = 0; i < size; i++) {
          const head = heads[i] ?? 0;
          const here = head < first + (i + 1) * size ? (sorted[head] ?? 0) : Number.POSITIVE_INFINITY;
          if (here < value) {
            value = here;
            lowest = i;
          }
        }
        heads[lowest] = (heads[lowest] ?? 0) + 1;
      }
      out[column] = value;
    }
  };
};

const gauss: Kernel = ({ values, stride }, at) => {
  const line = (from: number) => (values[from - 1] ?? 0) + 2 * (values[from] ?? 0) + (values[from + 1] ?? 0);
  return (line(at - stride) + 2 * line(at) + line(at + stride)) / 16;
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

/** Every row replaced by what `filter` makes of it; integers are rounded; the alpha channel is kept. */
const filteredRows = (pixels: ImagePixels, width: number, height: number, filter: RowFilter): ImagePixels => {
  const channels = pixels.format === 'rgba8' ? 4 : 1;
  const result = emptyLike(pixels);
  const [low, high] = limits[pixels.format];
  const whole = pixels.format !== 'f32';
  const out = new Float32Array(width);
  if (channels === 4) result.values.set(pixels.values);
  for (let channel = 0; channel < Math.min(3, channels); channel++) {
    const plane = planeOf(pixels, width, height, channel);
    for (let row = 0; row < height; row++) {
      filter(plane, row, out);
      for (let column = 0; column < width; column++) {
        const bounded = Math.min(high, Math.max(low, out[column] ?? 0));
        result.values[(row * width + column) * channels + channel] = whole ? Math.round(bounded) : bounded;
      }
    }
  }
  return result;
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
  const calm =
    noise.kind === 'none' ? pixels : filteredRows(pixels, width, height, medianOf(noise.strength > 0.5 ? 2 : 1));
  if (sharpness <= 0) return calm;
  const sharpened: Kernel = (plane, at) => {
    const own = plane.values[at] ?? 0;
    return own + 2 * sharpness * (own - gauss(plane, at));
  };
  return filteredRows(calm, width, height, byPixel(sharpened));
};
