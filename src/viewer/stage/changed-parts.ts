import { looksSame, type ShownImage } from '../layers/image-layer.ts';
import { overlap, type Rectangle, type Size, sameRectangle } from '../scene/camera.ts';

/** Something drawn, and what it covers of the stage in device pixels. */
export interface Drawing {
  readonly shown: ShownImage;
  readonly covers: Rectangle;
}

export type Drawings = ReadonlyMap<string, Drawing>;

export const area = ({ width, height }: Size): number => width * height;

/** From this share of the stage on it is drawn whole: one part costs less than many. */
const nearlyAll = 0.6;

const isSame = (one: Drawing, other: Drawing) =>
  sameRectangle(one.covers, other.covers) && looksSame(one.shown, other.shown);

const around = (one: Rectangle, other: Rectangle): Rectangle => {
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
};

/** Rectangles that share a pixel become the one around both. */
const apart = (parts: readonly Rectangle[]): readonly Rectangle[] => {
  const kept: Rectangle[] = [];
  for (const part of parts) {
    let grown = part;
    for (;;) {
      const touched = kept.findIndex((other) => area(overlap(other, grown)) > 0);
      const [other] = touched < 0 ? [] : kept.splice(touched, 1);
      if (!other) break;
      grown = around(grown, other);
    }
    kept.push(grown);
  }
  return kept;
};

const sameOrder = (before: Drawings, after: Drawings) => {
  const stayed = [...before.keys()].filter((id) => after.has(id));
  const still = [...after.keys()].filter((id) => before.has(id));
  return stayed.every((id, index) => still[index] === id);
};

/** The parts of a stage that must be drawn again to get from one state to another; they do not overlap. */
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
  const parts = apart(changed.map((part) => overlap(part, whole)).filter((part) => area(part) > 0));
  return parts.reduce((sum, part) => sum + area(part), 0) >= area(stage) * nearlyAll ? [whole] : parts;
};
