import { applied, imageToStage, type Point } from '../scene/camera.ts';
import type { Mark } from '../scene/scene.ts';
import type { Subject } from './target.ts';

/** What of a measurement lies under a point. */
export interface MarkHit {
  readonly mark: Mark;
  /** Which of its points, null for the line between them. */
  readonly handle: number | null;
}

/** Distance of a point from the stretch between two others. */
export const distanceToLine = (point: Point, from: Point, to: Point): number => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx * dx + dy * dy;
  const along = length > 0 ? ((point.x - from.x) * dx + (point.y - from.y) * dy) / length : 0;
  const part = Math.min(1, Math.max(0, along));
  return Math.hypot(point.x - from.x - part * dx, point.y - from.y - part * dy);
};

/**
 * The measurement of the shown frame under a point of the stage: a handle within `reach` device pixels, the nearest
 * first, else a line within half of it.
 */
export const markAt = (subject: Subject, point: Point, reach: number): MarkHit | null => {
  const toStage = imageToStage(subject.camera, subject.rectangle, subject.orientation);
  let best: (MarkHit & { readonly distance: number }) | null = null;
  for (const mark of subject.marks) {
    if (mark.frame !== subject.image.frame) continue;
    const points = mark.points.map(([x, y]) => applied(toStage, { x, y }));
    points.forEach((at, handle) => {
      const distance = Math.hypot(point.x - at.x, point.y - at.y);
      if (distance <= reach && !(best && best.handle !== null && best.distance <= distance))
        best = { mark, handle, distance };
    });
    points.slice(1).forEach((to, index) => {
      const from = points[index];
      const distance = from ? distanceToLine(point, from, to) : Number.POSITIVE_INFINITY;
      if (distance <= reach / 2 && (!best || (best.handle === null && best.distance > distance)))
        best = { mark, handle: null, distance };
    });
  }
  return best;
};
