import { type Point, type Similarity, type Size, similarityOf } from '../../../viewer/index.ts';

/** Points that are set in each image. */
export const pointCount = 4;
/** Points nearer to each other than this part of the longer side say little about the turn. */
const leastSpread = 0.1;

/** The images of a comparison as the stage shows them. */
export type Side = 'left' | 'right';
export const sides: readonly Side[] = ['left', 'right'];
export const otherSide = (side: Side): Side => (side === 'left' ? 'right' : 'left');

/** Points in pixels of each picture, in the order in which they were set; those with the same index are one spot. */
export type BlinkPoints = Readonly<Record<Side, readonly Point[]>>;

export const noPoints: BlinkPoints = { left: [], right: [] };

/** The image that the next point is set in; null when all are set. */
export const nextSide = ({ left, right }: BlinkPoints): Side | null => {
  if (right.length === pointCount) return null;
  return left.length > right.length ? 'right' : 'left';
};

/** Adds a point, or moves the last one of an image that waits for the other; the first one is set in the left image. */
export const withPoint = (points: BlinkPoints, side: Side, point: Point): BlinkPoints => {
  if (nextSide(points) === side) return { ...points, [side]: [...points[side], point] };
  return points[side].length === 0 ? points : { ...points, [side]: [...points[side].slice(0, -1), point] };
};

/** Removes the point that was set last. */
export const withoutLast = (points: BlinkPoints): BlinkPoints => {
  const side = points.left.length > points.right.length ? 'left' : 'right';
  return { ...points, [side]: points[side].slice(0, -1) };
};

const spreadOf = (points: readonly Point[]): number => {
  const distances = points.flatMap((one) => points.map((other) => Math.hypot(one.x - other.x, one.y - other.y)));
  return Math.max(...distances);
};

/** Maps the left picture to the right one, or says why four points do not suffice. */
export const alignmentOf = (points: BlinkPoints, sizes: Readonly<Record<Side, Size>>): Similarity | 'too-close' => {
  const tooClose = sides.some(
    (side) => spreadOf(points[side]) < leastSpread * Math.max(sizes[side].width, sizes[side].height),
  );
  const pairs = points.left.flatMap((from, index) => {
    const to = points.right[index];
    return to ? [{ from, to }] : [];
  });
  return (tooClose ? null : similarityOf(pairs)) ?? 'too-close';
};
