import type { Point } from '../scene/camera.ts';

/** Change between two positions of two fingers: the zoom factor, their middle, and how far the middle moved. */
export interface Pinch {
  readonly factor: number;
  readonly middle: Point;
  readonly step: Point;
}

const middleOf = (one: Point, other: Point): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
const distance = (one: Point, other: Point) => Math.hypot(one.x - other.x, one.y - other.y);

export const pinchBetween = (before: readonly [Point, Point], after: readonly [Point, Point]): Pinch => {
  const was = middleOf(...before);
  const middle = middleOf(...after);
  const spread = distance(...before);
  return {
    factor: spread > 0 ? distance(...after) / spread : 1,
    middle,
    step: { x: middle.x - was.x, y: middle.y - was.y },
  };
};
