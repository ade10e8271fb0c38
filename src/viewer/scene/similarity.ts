import { type Affine, applied, type Point } from './camera.ts';

/** The same spot in two images, each in pixels of its own. */
export interface PointPair {
  readonly from: Point;
  readonly to: Point;
}

/** Turning, scaling and shifting, without mirroring. */
export interface Similarity {
  /** Maps points of the first image to the second. */
  readonly matrix: Affine;
  /** Largest distance between a mapped point and its partner, in pixels of the second image. */
  readonly residual: number;
}

const meanOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});

/**
 * Returns the similarity that maps the points best in the sense of least squares (Umeyama, IEEE PAMI 13, 1991, without reflection). null when
 * the points of one image all lie on one spot.
 */
export const similarityOf = (pairs: readonly PointPair[]): Similarity | null => {
  const [start, end] = [meanOf(pairs.map(({ from }) => from)), meanOf(pairs.map(({ to }) => to))];
  let [along, across, spread] = [0, 0, 0];
  for (const { from, to } of pairs) {
    const [x, y, u, v] = [from.x - start.x, from.y - start.y, to.x - end.x, to.y - end.y];
    along += x * u + y * v;
    across += x * v - y * u;
    spread += x * x + y * y;
  }
  if (spread === 0 || (along === 0 && across === 0)) return null;
  const [a, b] = [along / spread, across / spread];
  const matrix = { a, b, c: -b, d: a, tx: end.x - a * start.x + b * start.y, ty: end.y - b * start.x - a * start.y };
  const distances = pairs.map(({ from, to }) => {
    const mapped = applied(matrix, from);
    return Math.hypot(mapped.x - to.x, mapped.y - to.y);
  });
  return { matrix, residual: Math.max(...distances) };
};
