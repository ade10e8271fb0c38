import type { Point } from './camera.ts';

/** Returns the distance of a point from a line segment. */
export const distanceToLine = (point: Point, from: Point, to: Point): number => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length > 0 ? ((point.x - from.x) * dx + (point.y - from.y) * dy) / length : 0;
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - from.x - part * dx, point.y - from.y - part * dy);
};
