import { applied, imageToStage, type Point } from '../scene/camera.ts';
import { distanceToLine } from '../scene/distance.ts';
import { handlesOf, outlineOf } from '../scene/mark-shapes.ts';
import { lineHeight, linesOf, textCorner, widthOf } from '../scene/mark-text.ts';
import type { MarkPoint } from '../scene/measure.ts';
import type { Mark } from '../scene/scene.ts';
import type { StageImage } from './target.ts';

/** The mark under a point. */
export interface MarkHit {
  readonly mark: Mark;
  /** Index of the handle, null for the line between points and for a text. */
  readonly handle: number | null;
}

interface Hit extends MarkHit {
  readonly distance: number;
}

/** Returns the distance of a point from the text of a text mark, 0 on it. All in device pixels; `ratio` is device pixels per CSS pixel. */
const distanceToText = (text: string, place: Point, point: Point, { rectangle }: StageImage, ratio: number): number => {
  const lines = linesOf(text);
  const box = { width: rectangle.width / ratio, height: rectangle.height / ratio };
  const corner = textCorner({ x: (place.x - rectangle.x) / ratio, y: (place.y - rectangle.y) / ratio }, lines, box);
  const [x, y] = [(point.x - rectangle.x) / ratio - corner.x, (point.y - rectangle.y) / ratio - corner.y];
  const beside = Math.max(0, -x, x - widthOf(lines));
  const above = Math.max(0, -y, y - lines.length * lineHeight);
  return Math.hypot(beside, above) * ratio;
};

const nearestHandle = (mark: Mark, point: Point, onStage: (point: MarkPoint) => Point): Hit | null =>
  handlesOf(mark)
    .map((handle, index) => {
      const { x, y } = onStage(handle);
      return { mark, handle: index, distance: Math.hypot(point.x - x, point.y - y) };
    })
    .reduce<Hit | null>((best, hit) => (best && best.distance <= hit.distance ? best : hit), null);

const distanceToOutline = (mark: Mark, point: Point, onStage: (point: MarkPoint) => Point): number => {
  const { lines, closed } = outlineOf(mark);
  const distances = lines.flatMap((line) => {
    const places = line.map(onStage);
    const [first] = places;
    const closing = closed && first ? [...places, first] : places;
    return closing.slice(1).map((to, index) => distanceToLine(point, closing[index] ?? to, to));
  });
  return Math.min(...distances);
};

/**
 * Returns the mark of the shown frame under a point of the stage: the nearest handle within `hitRadius` device pixels, else a line or text
 * within half of it. `ratio` is device pixels per CSS pixel.
 */
export const markAt = (stageImage: StageImage, point: Point, hitRadius: number, ratio: number): MarkHit | null => {
  const toStage = imageToStage(stageImage.camera, stageImage.rectangle, stageImage.orientation);
  const onStage = ([x, y]: MarkPoint) => applied(toStage, { x, y });
  let handle: Hit | null = null;
  let line: Hit | null = null;
  for (const mark of stageImage.marks) {
    if (mark.frame !== stageImage.image.frame) continue;
    const isText = mark.kind === 'text';
    const distance = isText
      ? distanceToText(mark.text, onStage(mark.points[0]), point, stageImage, ratio)
      : distanceToOutline(mark, point, onStage);
    if (distance <= hitRadius / 2 && !(line && line.distance <= distance)) line = { mark, handle: null, distance };
    const near = isText ? null : nearestHandle(mark, point, onStage);
    if (near && near.distance <= hitRadius && !(handle && handle.distance <= near.distance)) handle = near;
  }
  return handle ?? line;
};
