import type { Point } from './curve.ts';
import { distanceFrom } from './distance.ts';

/** A filled outline on a field: how deep each sample lies inside it, mm; 0 outside. */
export type Region = Float32Array;

/** A closed curve through points, as a polygon (Catmull-Rom, eight pieces between neighbours). */
const closedCurve = (points: readonly Point[]): readonly Point[] => {
  const pieces = 8;
  const count = points.length;
  const at = (index: number): Point => points[((index % count) + count) % count] ?? [0, 0];
  return points.flatMap((_, index) => {
    const [a, b, c, d] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    return Array.from({ length: pieces }, (_piece, step): Point => {
      const t = step / pieces;
      const spline = (p: number, q: number, r: number, s: number) =>
        0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t + (3 * q - p - 3 * r + s) * t * t * t);
      return [spline(a[0], b[0], c[0], d[0]), spline(a[1], b[1], c[1], d[1])];
    });
  });
};

/** Fills a smooth closed outline given in millimetres (even-odd rule). */
export const regionOf = (
  grid: { readonly width: number; readonly height: number; readonly mmPerSample: number },
  outline: readonly Point[],
): Region => {
  const { width, height, mmPerSample } = grid;
  const polygon = closedCurve(outline);
  const outside = new Uint8Array(width * height).fill(1);
  for (let row = 0; row < height; row++) {
    const y = row * mmPerSample;
    const crossings: number[] = [];
    polygon.forEach((from, index) => {
      const to = polygon[(index + 1) % polygon.length] ?? from;
      if (from[1] > y === to[1] > y) return;
      crossings.push(from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]));
    });
    crossings.sort((one, other) => one - other);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      const first = Math.max(0, Math.ceil((crossings[pair] ?? 0) / mmPerSample));
      const last = Math.min(width - 1, Math.floor((crossings[pair + 1] ?? 0) / mmPerSample));
      if (last >= first) outside.fill(0, row * width + first, row * width + last + 1);
    }
  }
  const depth = distanceFrom(outside, width, height);
  for (let at = 0; at < depth.length; at++) depth[at] = (depth[at] ?? 0) * mmPerSample;
  return depth;
};

/** An outline and its mirror image about a vertical line, as one closed outline of a body that straddles it. */
export const mirrored = (half: readonly Point[], axis: number): readonly Point[] => [
  ...half.map(([x, y]): Point => [axis + x, y]),
  ...[...half].reverse().map(([x, y]): Point => [axis - x, y]),
];
