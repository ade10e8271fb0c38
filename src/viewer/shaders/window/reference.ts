import type { DisplayWindow, LookupTable } from '../../../../dicom/image-model.ts';
import type { WindowUniforms } from './uniforms.ts';
import { lutUnit } from './uniforms.ts';
import type { Sampling } from './variants.ts';

/** One channel of an image, read by column and row. */
export interface Channel {
  readonly width: number;
  readonly height: number;
  readonly stored: (column: number, row: number) => number;
}

/** Image pixels under one device pixel, across and down. */
export interface Footprint {
  readonly x: number;
  readonly y: number;
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
const mix = (one: number, other: number, part: number) => one * (1 - part) + other * part;

const read = (channel: Channel, column: number, row: number) =>
  channel.stored(clamp(column, 0, channel.width - 1), clamp(row, 0, channel.height - 1));

const linear = (channel: Channel, x: number, y: number) => {
  const column = Math.floor(x - 0.5);
  const row = Math.floor(y - 0.5);
  const across = x - 0.5 - column;
  const above = mix(read(channel, column, row), read(channel, column + 1, row), across);
  const below = mix(read(channel, column, row + 1), read(channel, column + 1, row + 1), across);
  return mix(above, below, y - 0.5 - row);
};

/** Catmull-Rom weights of the four neighbours of a point `f` (0 to 1) past the second of them. */
const cubicWeights = (f: number) => [
  f * (-0.5 + f * (1 - 0.5 * f)),
  1 + f * f * (-2.5 + 1.5 * f),
  f * (0.5 + f * (2 - 1.5 * f)),
  f * f * (-0.5 + 0.5 * f),
];

const cubic = (channel: Channel, x: number, y: number) => {
  const column = Math.floor(x - 0.5);
  const row = Math.floor(y - 0.5);
  const across = cubicWeights(x - 0.5 - column);
  const lineAt = (line: number) =>
    across.reduce((sum, weight, i) => sum + weight * read(channel, column + i - 1, line), 0);
  return cubicWeights(y - 0.5 - row).reduce((sum, weight, j) => sum + weight * lineAt(row + j - 1), 0);
};

const area = (channel: Channel, x: number, y: number, footprint: Footprint) => {
  const low = { x: clamp(x - footprint.x / 2, 0, channel.width), y: clamp(y - footprint.y / 2, 0, channel.height) };
  const high = { x: clamp(x + footprint.x / 2, 0, channel.width), y: clamp(y + footprint.y / 2, 0, channel.height) };
  const stride = { x: Math.ceil(footprint.x / 16), y: Math.ceil(footprint.y / 16) };
  let sum = 0;
  let total = 0;
  for (let row = Math.floor(low.y); row < Math.ceil(high.y); row += stride.y) {
    const down = Math.min(row + 1, high.y) - Math.max(row, low.y);
    for (let column = Math.floor(low.x); column < Math.ceil(high.x); column += stride.x) {
      const weight = down * (Math.min(column + 1, high.x) - Math.max(column, low.x));
      sum += weight * read(channel, column, row);
      total += weight;
    }
  }
  return total > 0 ? sum / total : read(channel, Math.floor(x), Math.floor(y));
};

/** Returns the stored value at an image point (image pixels, 0 is the left or top edge); `footprint`: image pixels per device pixel. */
export const sampledValue = (
  channel: Channel,
  x: number,
  y: number,
  sampling: Sampling,
  footprint: Footprint,
): number => {
  if (sampling === 'LINEAR') return linear(channel, x, y);
  if (sampling === 'CUBIC') return cubic(channel, x, y);
  if (sampling === 'AREA') return area(channel, x, y, footprint);
  return read(channel, Math.floor(x), Math.floor(y));
};

const lookedUp = (lut: LookupTable, value: number) => {
  const index = clamp(value - lut.firstInput, 0, lut.values.length - 1);
  const below = Math.floor(index);
  const one = lut.values[below] ?? 0;
  return mix(one, lut.values[below + 1] ?? one, index - below);
};

export const modalityValue = (stored: number, modality: WindowUniforms['modality']): number =>
  modality.kind === 'lut' ? lookedUp(modality.lut, stored) : stored * modality.slope + modality.intercept;

const windowed = (value: number, { centre, width, function: shape }: DisplayWindow) => {
  if (shape === 'SIGMOID') return 1 / (1 + Math.exp((-4 * (value - centre)) / width));
  if (shape === 'LINEAR_EXACT') return clamp((value - centre) / width + 0.5, 0, 1);
  if (width <= 1) return value > centre - 0.5 ? 1 : 0;
  return clamp((value - (centre - 0.5)) / (width - 1) + 0.5, 0, 1);
};

/** Returns the display value, 0 (black) to 1 (white): stored value -> modality -> VOI -> presentation. The fragment shader in TypeScript. */
export const shownGrey = (stored: number, uniforms: WindowUniforms): number => {
  const value = modalityValue(stored, uniforms.modality);
  const grey =
    uniforms.voi.kind === 'lut'
      ? lookedUp(uniforms.voi.lut, value) * lutUnit(uniforms.voi.lut)
      : windowed(value, uniforms.voi);
  const shown = uniforms.inverted ? 1 - grey : grey;
  return uniforms.inverseGamma === 1 ? shown : clamp(shown, 0, 1) ** uniforms.inverseGamma;
};
