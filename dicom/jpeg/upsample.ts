import type { ComponentPlane } from './scan.ts';

interface PictureSize {
  readonly rows: number;
  readonly columns: number;
  /** Largest sampling factors of the picture. */
  readonly widest: number;
  readonly highest: number;
}

/** For each output position the two samples to mix, and the weight of the second; samples are centred (JFIF, T.871). */
const mixes = (length: number, factor: number, available: number) => {
  const first = new Int32Array(length);
  const weight = new Float32Array(length);
  for (let index = 0; index < length; index++) {
    const place = Math.max(0, (index + 0.5) / factor - 0.5);
    first[index] = Math.min(Math.floor(place), available - 1);
    weight[index] = first[index] === available - 1 ? 0 : place - (first[index] ?? 0);
  }
  return { first, weight };
};

/** Writes one component into the interleaved picture at full resolution, with linear interpolation where it is coarser. */
export const upsample = (
  samples: Uint16Array,
  plane: ComponentPlane,
  size: PictureSize,
  out: Uint8Array | Uint16Array,
  component: number,
  components: number,
): void => {
  const stride = plane.storedWide * 8;
  const across = size.widest / plane.horizontal;
  const down = size.highest / plane.vertical;
  if (across === 1 && down === 1) {
    for (let row = 0, target = component; row < size.rows; row++) {
      for (let column = 0; column < size.columns; column++, target += components) {
        out[target] = samples[row * stride + column] ?? 0;
      }
    }
    return;
  }
  const x = mixes(size.columns, across, Math.ceil(size.columns / across));
  const y = mixes(size.rows, down, Math.ceil(size.rows / down));
  for (let row = 0, target = component; row < size.rows; row++) {
    const top = (y.first[row] ?? 0) * stride;
    const fraction = y.weight[row] ?? 0;
    const bottom = fraction > 0 ? top + stride : top;
    for (let column = 0; column < size.columns; column++, target += components) {
      const left = x.first[column] ?? 0;
      const share = x.weight[column] ?? 0;
      const right = share > 0 ? left + 1 : left;
      const above = (samples[top + left] ?? 0) * (1 - share) + (samples[top + right] ?? 0) * share;
      const below = (samples[bottom + left] ?? 0) * (1 - share) + (samples[bottom + right] ?? 0) * share;
      out[target] = Math.round(above * (1 - fraction) + below * fraction);
    }
  }
};
