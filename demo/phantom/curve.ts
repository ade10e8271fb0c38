export type Point = readonly [x: number, y: number];

export const clamp = (value: number, low: number, high: number): number =>
  value < low ? low : value > high ? high : value;

export const mix = (from: number, to: number, share: number): number => from + (to - from) * share;

/** 0 below `low`, 1 above `high`, smooth between. */
export const smoothStep = (low: number, high: number, value: number): number => {
  const share = clamp((value - low) / (high - low), 0, 1);
  return share * share * (3 - 2 * share);
};

/**
 * A smooth curve y(x) through points of rising x, flat beyond the ends. Slopes are limited so that it never overshoots
 * (Fritsch-Carlson, monotone cubic).
 */
export const curveThrough = (points: readonly Point[]): ((x: number) => number) => {
  const slopes = points.map((point, index) => {
    const before = points[index - 1];
    const after = points[index + 1];
    if (before === undefined || after === undefined) return 0;
    const rise = (point[1] - before[1]) / (point[0] - before[0]);
    const next = (after[1] - point[1]) / (after[0] - point[0]);
    return rise * next <= 0 ? 0 : (2 * rise * next) / (rise + next);
  });
  return (x) => {
    const end = points.findIndex((point) => point[0] > x);
    const last = points[points.length - 1];
    if (end <= 0) return (end === 0 ? points[0] : last)?.[1] ?? 0;
    const from = points[end - 1];
    const to = points[end];
    if (from === undefined || to === undefined) return 0;
    const span = to[0] - from[0];
    const t = (x - from[0]) / span;
    const enter = (slopes[end - 1] ?? 0) * span;
    const leave = (slopes[end] ?? 0) * span;
    const rest = 1 - t;
    return (
      rest * rest * (1 + 2 * t) * from[1] + t * rest * rest * enter + t * t * (3 - 2 * t) * to[1] - t * t * rest * leave
    );
  };
};

/** A curve read once at equal steps: `table[round((x - from) / step)]`. */
export const tableOf = (curve: (x: number) => number, from: number, step: number, count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, index) => curve(from + index * step));
