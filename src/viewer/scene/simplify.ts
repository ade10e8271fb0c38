import { distanceToLine } from './distance.ts';
import type { MarkPoint } from './measure.ts';

const at = ([x, y]: MarkPoint) => ({ x, y });

/** Ramer-Douglas-Peucker: the points that stay are at most `tolerance` from those that go. */
const reduced = (points: readonly MarkPoint[], tolerance: number): readonly MarkPoint[] => {
  const kept = new Set([0, points.length - 1]);
  const open: (readonly [number, number])[] = [[0, points.length - 1]];
  for (let part = open.pop(); part; part = open.pop()) {
    const [first, last] = part;
    const [from, to] = [points[first], points[last]];
    if (!from || !to) continue;
    let [farthest, distance] = [-1, tolerance];
    for (let index = first + 1; index < last; index += 1) {
      const off = distanceToLine(at(points[index] ?? from), at(from), at(to));
      if (off > distance) [farthest, distance] = [index, off];
    }
    if (farthest < 0) continue;
    kept.add(farthest);
    open.push([first, farthest], [farthest, last]);
  }
  return points.filter((_, index) => kept.has(index));
};

/** Returns a line with at most `most` points that differs by `tolerance` pixels, or as little above as `most` allows. */
export const simplified = (points: readonly MarkPoint[], tolerance: number, most: number): readonly MarkPoint[] => {
  let result = reduced(points, tolerance);
  for (let coarser = Math.max(tolerance, 0.01) * 1.5; result.length > most; coarser *= 1.5)
    result = reduced(points, coarser);
  return result;
};
