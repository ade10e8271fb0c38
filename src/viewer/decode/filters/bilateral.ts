import { type Plane, type RowFilter, rowStart } from './plane.ts';

/**
 * Estimates the standard deviation of the noise from second differences in both directions (J. Immerkaer,
 * "Fast Noise Variance Estimation", 1996). In units of the values; samples a grid of at most about 250,000 pixels.
 */
export const noiseOf = ({ values, stride, width, height }: Plane): number => {
  const step = Math.max(1, Math.floor(Math.sqrt((width * height) / 250_000)));
  let sum = 0;
  let count = 0;
  for (let row = 0; row < height; row += step) {
    const start = rowStart({ values, stride, width, height }, row);
    for (let at = start; at < start + width; at += step) {
      const v = (from: number) => values[from] ?? 0;
      const left = v(at - stride - 1) - 2 * v(at - 1) + v(at + stride - 1);
      const middle = v(at - stride) - 2 * v(at) + v(at + stride);
      const right = v(at - stride + 1) - 2 * v(at + 1) + v(at + stride + 1);
      sum += Math.abs(left - 2 * middle + right);
      count++;
    }
  }
  return (Math.sqrt(Math.PI / 2) / 6) * (sum / Math.max(1, count));
};

/** Weights by distance, a Gaussian of sigma 1.5 pixels, row by row. */
const spatial = Float32Array.from({ length: 25 }, (_, index) => {
  const across = (index % 5) - 2;
  const down = Math.floor(index / 5) - 2;
  return Math.exp(-(across * across + down * down) / (2 * 1.5 ** 2));
});

const bellSteps = 1024;
/** exp(-x) for x from 0 to 8; 0 beyond. */
const bell = Float32Array.from({ length: bellSteps + 1 }, (_, index) => Math.exp((-8 * index) / bellSteps));

/**
 * Bilateral filter over 5 x 5 pixels (Tomasi and Manduchi, 1998): weights by distance and by similarity, so that edges are preserved.
 * The range sigma grows with the strength, from 0 to four times the noise of the image.
 */
export const bilateralFilter = (strength: number, noise: number): RowFilter => {
  const sigma = 4 * strength * noise;
  if (!(sigma > 0)) {
    return (plane, row, out) => {
      const start = rowStart(plane, row);
      out.set(plane.values.subarray(start, start + plane.width));
    };
  }
  const scale = bellSteps / 8 / (2 * sigma * sigma);
  return ({ values, stride, width, height }, row, out) => {
    const start = rowStart({ values, stride, width, height }, row);
    for (let column = 0; column < width; column++) {
      const at = start + column;
      const own = values[at] ?? 0;
      let sum = 0;
      let total = 0;
      for (let i = 0; i < 25; i++) {
        const value = values[at + (((i / 5) | 0) - 2) * stride + (i % 5) - 2] ?? 0;
        const unlike = (value - own) * (value - own) * scale;
        if (unlike > bellSteps) continue;
        const weight = (spatial[i] ?? 0) * (bell[unlike | 0] ?? 0);
        sum += weight * value;
        total += weight;
      }
      out[column] = sum / total;
    }
  };
};
