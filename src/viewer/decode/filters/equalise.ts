import { type Plane, rowStart } from './plane.ts';

const bins = 512;
const tilesAcross = 8;
/** Clip limit of a bin, as a multiple of the mean; the excess is redistributed over all bins. */
const clipLimit = 4;

interface Spread {
  readonly low: number;
  readonly high: number;
}

/** Returns the 0.5th and 99.5th percentile of the values. */
const spreadOf = (plane: Plane): Spread | null => {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const each = (visit: (value: number) => void) => {
    for (let row = 0; row < plane.height; row++) {
      const start = rowStart(plane, row);
      for (let at = start; at < start + plane.width; at++) visit(plane.values[at] ?? 0);
    }
  };
  each((value) => {
    if (value < low) low = value;
    if (value > high) high = value;
  });
  if (!(high > low)) return null;
  const fine = new Uint32Array(4096);
  const scale = 4095 / (high - low);
  each((value) => {
    const bin = Math.floor((value - low) * scale);
    fine[bin] = (fine[bin] ?? 0) + 1;
  });
  const few = 0.005 * plane.width * plane.height;
  const edge = (from: number, by: 1 | -1) => {
    let sum = 0;
    let bin = from;
    for (; bin >= 0 && bin < fine.length; bin += by) {
      sum += fine[bin] ?? 0;
      if (sum > few) break;
    }
    return bin;
  };
  const bottom = low + edge(0, 1) / scale;
  const top = low + (edge(4095, -1) + 1) / scale;
  return top > bottom ? { low: bottom, high: top } : null;
};

/** Maps bins to 0..1 by the clipped histogram of a tile; 0 and 1 are fixed. */
const mappingOf = (histogram: Float64Array): Float32Array => {
  const count = histogram.reduce((sum, value) => sum + value, 0);
  const limit = Math.max(1, (clipLimit * count) / bins);
  let excess = 0;
  for (let bin = 0; bin < bins; bin++) {
    const over = (histogram[bin] ?? 0) - limit;
    if (over <= 0) continue;
    excess += over;
    histogram[bin] = limit;
  }
  const mapping = new Float32Array(bins + 1);
  let sum = 0;
  const total = Math.max(1, count);
  for (let bin = 0; bin < bins; bin++) {
    sum += (histogram[bin] ?? 0) + excess / bins;
    mapping[bin + 1] = Math.min(1, sum / total);
  }
  if (count === 0) for (let bin = 0; bin <= bins; bin++) mapping[bin] = bin / bins;
  mapping[bins] = 1;
  return mapping;
};

/**
 * Contrast limited adaptive histogram equalisation (Zuiderveld 1994): 8 tiles across, bilinear interpolation between the mappings of
 * the four nearest tiles. Values outside the 0.5th to 99.5th percentile are unchanged. `strength` 0 is off, 1 the full effect.
 */
export const equalised = (plane: Plane, strength: number): Plane => {
  const spread = spreadOf(plane);
  if (!spread || strength <= 0) return plane;
  const { width, height, values } = plane;
  const across = Math.min(tilesAcross, width);
  const down = Math.max(1, Math.min(height, Math.round((tilesAcross * height) / width)));
  const toBin = bins / (spread.high - spread.low);
  const histograms = Array.from({ length: across * down }, () => new Float64Array(bins));
  for (let row = 0; row < height; row++) {
    const start = rowStart(plane, row);
    const tileRow = Math.min(down - 1, Math.floor((row * down) / height)) * across;
    for (let column = 0; column < width; column++) {
      const bin = Math.floor(((values[start + column] ?? 0) - spread.low) * toBin);
      if (bin < 0 || bin >= bins) continue;
      const histogram = histograms[tileRow + Math.min(across - 1, Math.floor((column * across) / width))];
      if (histogram) histogram[bin] = (histogram[bin] ?? 0) + 1;
    }
  }
  const mappings = histograms.map(mappingOf);
  const nothing = new Float32Array(bins + 1);
  const mapped = (tile: number, at: number) => {
    const mapping = mappings[tile] ?? nothing;
    const below = Math.floor(at);
    const one = mapping[below] ?? 0;
    return one + (at - below) * ((mapping[below + 1] ?? one) - one);
  };
  const result = new Float32Array(values);
  for (let row = 0; row < height; row++) {
    const start = rowStart(plane, row);
    const y = ((row + 0.5) * down) / height - 0.5;
    const top = Math.max(0, Math.floor(y));
    const bottom = Math.min(down - 1, top + 1);
    const partDown = Math.min(1, Math.max(0, y - top));
    for (let column = 0; column < width; column++) {
      const own = values[start + column] ?? 0;
      const at = (own - spread.low) * toBin;
      if (at < 0 || at >= bins) continue;
      const x = ((column + 0.5) * across) / width - 0.5;
      const left = Math.max(0, Math.floor(x));
      const right = Math.min(across - 1, left + 1);
      const part = Math.min(1, Math.max(0, x - left));
      const above = mapped(top * across + left, at) * (1 - part) + mapped(top * across + right, at) * part;
      const below = mapped(bottom * across + left, at) * (1 - part) + mapped(bottom * across + right, at) * part;
      const grey = above * (1 - partDown) + below * partDown;
      result[start + column] = own + strength * (spread.low + grey * (spread.high - spread.low) - own);
    }
  }
  return { ...plane, values: result };
};
