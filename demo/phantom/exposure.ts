import type { Field } from './field.ts';
import { noiseTile, TILE } from './noise.ts';
import type { Random } from './random.ts';

export interface Exposure {
  readonly columns: number;
  readonly rows: number;
  /** Largest value that the receptor gives. */
  readonly maximum: number;
  /** Latitude of the receptor: the absorption at which about 56 % of the scale is used. */
  readonly latitude: number;
  /** Amplitude of the noise as a share of the scale; it grows with the brightness. */
  readonly noise: number;
}

const CURVE_STEPS = 4096;
const CURVE_END = 64;

/** Returns the response curve, from absorption to a share of the scale. Dense material is bright, metal saturates. */
const responseOf = (latitude: number): Float32Array =>
  Float32Array.from({ length: CURVE_STEPS + 2 }, (_, index) => {
    const absorption = (index / CURVE_STEPS) * CURVE_END;
    return 0.015 + 0.965 * (1 - Math.exp(-absorption / latitude)) ** 1.25;
  });

/**
 * What the receptor reads behind the field: interpolated to its pixels, through its response, with quantum noise.
 * Row by row from the top left, 0 to `maximum`, bright where much was absorbed.
 */
export const expose = (field: Field, exposure: Exposure, random: Random): Uint16Array => {
  const { columns, rows, maximum } = exposure;
  const { width, height, absorption } = field;
  const response = responseOf(exposure.latitude);
  const tile = noiseTile();
  const shift = Math.floor(random.next() * TILE * TILE);
  const pixels = new Uint16Array(columns * rows);
  const stepX = (width - 1) / columns;
  const stepY = (height - 1) / rows;
  const toCurve = CURVE_STEPS / CURVE_END;
  for (let row = 0; row < rows; row++) {
    const y = row * stepY;
    const above = Math.floor(y);
    const weightY = y - above;
    const upper = above * width;
    const lower = Math.min(above + 1, height - 1) * width;
    const noiseRow = ((row + (shift >> 9)) & (TILE - 1)) * TILE;
    // A second, differently spaced reading of the tile hides its repetition.
    const otherRow = ((row * 3 + 91) & (TILE - 1)) * TILE;
    for (let column = 0; column < columns; column++) {
      const x = column * stepX;
      const left = Math.floor(x);
      const weightX = x - left;
      const high = (absorption[upper + left] ?? 0) * (1 - weightX) + (absorption[upper + left + 1] ?? 0) * weightX;
      const low = (absorption[lower + left] ?? 0) * (1 - weightX) + (absorption[lower + left + 1] ?? 0) * weightX;
      const position = Math.min(CURVE_STEPS, Math.max(0, (high + (low - high) * weightY) * toCurve));
      const base = Math.floor(position);
      const from = response[base] ?? 0;
      const signal = from + ((response[base + 1] ?? from) - from) * (position - base);
      const noiseSample =
        (tile[noiseRow + ((column + shift) & (TILE - 1))] ?? 0) +
        0.6 * (tile[otherRow + ((column * 5 + shift) & (TILE - 1))] ?? 0);
      const value =
        signal + noiseSample * exposure.noise * (0.5 + 0.9 * signal) * (signal > 0.93 ? (1 - signal) * 14 : 1);
      pixels[row * columns + column] = value <= 0 ? 0 : value >= 1 ? maximum : Math.round(value * maximum);
    }
  }
  return pixels;
};
