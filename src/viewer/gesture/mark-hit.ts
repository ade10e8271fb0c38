import { applied, imageToStage, type Point } from '../scene/camera.ts';
import type { Mark } from '../scene/scene.ts';
import type { StageImage } from './target.ts';

/** The measurement under a point. */
export interface MarkHit {
  readonly mark: Mark;
  /** Index of the point, null for the line between points. */
  readonly handle: number | null;
}

/** Returns the distance of a point from a line segment. */
export const distanceToLine = (point: Point, from: Point, to: Point): number => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length > 0 ? ((point.x - from.x) * dx + (point.y - from.y) * dy) / length : 0;
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - from.x - part * dx, point.y - from.y - part * dy);
};

/**
 * Returns the measurement of the shown frame under a point of the stage: the nearest handle within `hitRadius` device pixels,
 * else a line within half of it.
 */
export const markAt = (stageImage: StageImage, point: Point, hitRadius: number): MarkHit | null => {
  const toStage = imageToStage(stageImage.camera, stageImage.rectangle, stageImage.orientation);
  let best: (MarkHit & { readonly distance: number }) | null = null;
  for (const mark of stageImage.marks) {
    if (mark.frame !== stageImage.image.frame) continue;
    const points = mark.points.map(([x, y]) => applied(toStage, { x, y }));
    points.forEach((at, handle) => {
      const distance = Math.hypot(point.x - at.x, point.y - at.y);
      if (distance <= hitRadius && !(best && best.handle !== null && best.distance <= distance))
        best = { mark, handle, distance };
    });
    points.slice(1).forEach((to, index) => {
      const from = points[index];
      const distance = from ? distanceToLine(point, from, to) : Number.POSITIVE_INFINITY;
      if (distance <= hitRadius / 2 && (!best || (best.handle === null && best.distance > distance)))
        best = { mark, handle: null, distance };
    });
  }
  return best;
};
