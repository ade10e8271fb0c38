import type { ImagePixels } from '../loaded-image.ts';

/** Number of neighbours that a filter may read on each side of a pixel. */
export const margin = 2;

/** One channel padded by `margin` repeated edge pixels, so that every pixel has all its neighbours. */
export interface Plane {
  readonly values: Float32Array;
  /** Values of a padded row. */
  readonly stride: number;
  /** Of the image, in pixels, without the padding. */
  readonly width: number;
  readonly height: number;
}

/** Returns the number of values of a pixel: 4 with alpha, otherwise 1. */
export const channelsOf = ({ format }: ImagePixels): 1 | 4 => (format === 'rgba8' ? 4 : 1);

/** Returns the index of the first pixel of a row (from 0) in the plane. */
export const rowStart = ({ stride }: Plane, row: number): number => (row + margin) * stride + margin;

const repeatEdges = ({ values, stride, width, height }: Plane): void => {
  for (let row = 0; row < height; row++) {
    const start = (row + margin) * stride;
    values.fill(values[start + margin] ?? 0, start, start + margin);
    values.fill(values[start + margin + width - 1] ?? 0, start + margin + width, start + stride);
  }
  for (let row = 0; row < margin; row++) {
    values.copyWithin(row * stride, margin * stride, (margin + 1) * stride);
    values.copyWithin((height + margin + row) * stride, (height + margin - 1) * stride, (height + margin) * stride);
  }
};

/** Returns one channel (from 0) of the pixels as a padded plane. */
export const planeOf = (pixels: ImagePixels, width: number, height: number, channel: number): Plane => {
  const channels = channelsOf(pixels);
  const stride = width + 2 * margin;
  const plane: Plane = { values: new Float32Array(stride * (height + 2 * margin)), stride, width, height };
  const { values } = pixels;
  for (let row = 0; row < height; row++) {
    let to = rowStart(plane, row);
    for (let from = row * width * channels + channel; from < (row + 1) * width * channels; from += channels)
      plane.values[to++] = values[from] ?? 0;
  }
  repeatEdges(plane);
  return plane;
};

/** Writes the new values of a row of the image into `out`. */
export type RowFilter = (plane: Plane, row: number, out: Float32Array) => void;

/** Applies `filter` to every row and pads the edges again. Values are not rounded until the end. */
export const filteredPlane = (plane: Plane, filter: RowFilter): Plane => {
  const result: Plane = { ...plane, values: new Float32Array(plane.values.length) };
  const out = new Float32Array(plane.width);
  for (let row = 0; row < plane.height; row++) {
    filter(plane, row, out);
    result.values.set(out, rowStart(plane, row));
  }
  repeatEdges(result);
  return result;
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

/** Converts planes to pixels of the format of `like`: integers are rounded and clamped, alpha is copied. */
export const pixelsOf = (planes: readonly Plane[], like: ImagePixels): ImagePixels => {
  const channels = channelsOf(like);
  const result = emptyLike(like);
  const [low, high] = limits[like.format];
  const whole = like.format !== 'f32';
  if (channels === 4) result.values.set(like.values);
  planes.forEach((plane, channel) => {
    for (let row = 0; row < plane.height; row++) {
      let to = row * plane.width * channels + channel;
      const start = rowStart(plane, row);
      for (let at = start; at < start + plane.width; at++) {
        const bounded = Math.min(high, Math.max(low, plane.values[at] ?? 0));
        result.values[to] = whole ? Math.round(bounded) : bounded;
        to += channels;
      }
    }
  });
  return result;
};
