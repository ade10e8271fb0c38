import type { ComponentPlane } from './scan.ts';

interface FrameSize {
  readonly rows: number;
  readonly columns: number;
  /** Largest sampling factors of all components. */
  readonly maxHorizontal: number;
  readonly maxVertical: number;
}

/** For each output position the two samples to mix, and the weight of the second; samples are centred (JFIF, T.871). */
const interpolationOf = (length: number, factor: number, available: number) => {
  const first = new Int32Array(length);
  const weight = new Float32Array(length);
  for (let index = 0; index < length; index++) {
    const position = Math.max(0, (index + 0.5) / factor - 0.5);
    first[index] = Math.min(Math.floor(position), available - 1);
    weight[index] = first[index] === available - 1 ? 0 : position - (first[index] ?? 0);
  }
  return { first, weight };
};

/** Writes one component into the interleaved picture at full resolution, with linear interpolation where it is coarser. */
export const upsample = (
  samples: Uint16Array,
  plane: ComponentPlane,
  size: FrameSize,
  out: Uint8Array | Uint16Array,
  component: number,
  components: number,
): void => {
  const stride = plane.storedWide * 8;
  const horizontalFactor = size.maxHorizontal / plane.horizontal;
  const verticalFactor = size.maxVertical / plane.vertical;
  if (horizontalFactor === 1 && verticalFactor === 1) {
    for (let row = 0, target = component; row < size.rows; row++) {
      for (let column = 0; column < size.columns; column++, target += components) {
        out[target] = samples[row * stride + column] ?? 0;
      }
    }
    return;
  }
  const columnMix = interpolationOf(size.columns, horizontalFactor, Math.ceil(size.columns / horizontalFactor));
  const rowMix = interpolationOf(size.rows, verticalFactor, Math.ceil(size.rows / verticalFactor));
  for (let row = 0, target = component; row < size.rows; row++) {
    const top = (rowMix.first[row] ?? 0) * stride;
    const lowerWeight = rowMix.weight[row] ?? 0;
    const bottom = lowerWeight > 0 ? top + stride : top;
    for (let column = 0; column < size.columns; column++, target += components) {
      const left = columnMix.first[column] ?? 0;
      const rightWeight = columnMix.weight[column] ?? 0;
      const right = rightWeight > 0 ? left + 1 : left;
      const upper = (samples[top + left] ?? 0) * (1 - rightWeight) + (samples[top + right] ?? 0) * rightWeight;
      const lower = (samples[bottom + left] ?? 0) * (1 - rightWeight) + (samples[bottom + right] ?? 0) * rightWeight;
      out[target] = Math.round(upper * (1 - lowerWeight) + lower * lowerWeight);
    }
  }
};
