import { rendersSame, type ShownImage } from '../layers/image-layer.ts';
import { overlap, type Rectangle, type Size, sameRectangle } from '../scene/camera.ts';

/** Something drawn, and the rectangle that it covers, in device pixels of the stage. */
export interface Drawing {
  readonly shown: ShownImage;
  readonly covers: Rectangle;
}

export type Drawings = ReadonlyMap<string, Drawing>;

export const area = ({ width, height }: Size): number => width * height;

/** Above this fraction of changed area the whole stage is redrawn: one pass costs less than many. */
const nearlyAll = 0.6;

const isSame = (one: Drawing, other: Drawing) =>
  sameRectangle(one.covers, other.covers) && rendersSame(one.shown, other.shown);

const boundingBox = (one: Rectangle, other: Rectangle): Rectangle => {
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
};

/** Merges overlapping rectangles into their bounding box. */
const mergeOverlapping = (parts: readonly Rectangle[]): readonly Rectangle[] => {
  const merged: Rectangle[] = [];
  for (const part of parts) {
    let grown = part;
    for (;;) {
      const touched = merged.findIndex((other) => area(overlap(other, grown)) > 0);
      const [other] = touched < 0 ? [] : merged.splice(touched, 1);
      if (!other) break;
      grown = boundingBox(grown, other);
    }
    merged.push(grown);
  }
  return merged;
};

const sameOrder = (before: Drawings, after: Drawings) => {
  const stayed = [...before.keys()].filter((id) => after.has(id));
  const still = [...after.keys()].filter((id) => before.has(id));
  return stayed.every((id, index) => still[index] === id);
};

/** Returns the rectangles of the stage that must be redrawn between two states; they do not overlap. */
export const changedParts = (before: Drawings, after: Drawings, stage: Size): readonly Rectangle[] => {
  const whole = { x: 0, y: 0, ...stage };
  if (!sameOrder(before, after)) return [whole];
  const changed: Rectangle[] = [];
  for (const [id, drawing] of after) {
    const was = before.get(id);
    if (was && isSame(was, drawing)) continue;
    changed.push(drawing.covers);
    if (was) changed.push(was.covers);
  }
  for (const [id, { covers }] of before) if (!after.has(id)) changed.push(covers);
  const parts = mergeOverlapping(changed.map((part) => overlap(part, whole)).filter((part) => area(part) > 0));
  return parts.reduce((sum, part) => sum + area(part), 0) >= area(stage) * nearlyAll ? [whole] : parts;
};
