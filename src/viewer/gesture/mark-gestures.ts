import { newId } from '../../../contract/new-id.ts';
import { type MarkPoint, widthsBetween } from '../scene/measure.ts';
import type { Mark } from '../scene/scene.ts';
import { type MarkHit, markAt } from './mark-hit.ts';
import type { Draft, OverlayStore } from './overlay-store.ts';
import { exceedsDragThreshold, insideImage, type Press, type PressGesture } from './press-gesture.ts';
import { type GestureTarget, imagePointAt, type StageImage } from './target.ts';

/** Hit radius of handles in CSS pixels: larger for touch. */
const mouseHitRadius = 9;
const touchHitRadius = 22;
/** The limit of the contract for one image. */
const maxMarks = 200;

export type MarkTool = Draft['kind'];

const pointsOf: Readonly<Record<MarkTool, number>> = { length: 2, calibrate: 2, angle: 3 };

const withPoint = (mark: Mark, index: number, point: MarkPoint): Mark => {
  const at = (place: number, own: MarkPoint): MarkPoint => (place === index ? point : own);
  return mark.kind === 'length'
    ? { ...mark, points: [at(0, mark.points[0]), at(1, mark.points[1])] }
    : { ...mark, points: [at(0, mark.points[0]), at(1, mark.points[1]), at(2, mark.points[2])] };
};

const finish = (target: GestureTarget, overlay: OverlayStore, draft: Draft): void => {
  const stageImage = target.stageImage(draft.imageId);
  const [first, second, third] = draft.points;
  if (!stageImage || !first || !second) {
    overlay.update({ draft: null });
    return;
  }
  const { id, image, marks } = stageImage;
  if (draft.kind === 'calibrate') {
    overlay.update({ draft: { ...draft, done: true } });
    const lengthPixels = widthsBetween(first, second, image.pixelAspect);
    target.emit({ type: 'calibration.drawn', id, lengthPixels });
    return;
  }
  const { frame } = image;
  // Keys in the order of the contract, so that marks compared as JSON text equal those in the reply.
  const mark: Mark =
    draft.kind === 'angle' && third
      ? { id: newId(), kind: 'angle', frame, points: [first, second, third] }
      : { id: newId(), kind: 'length', frame, points: [first, second] };
  overlay.update({ draft: null, chosen: { imageId: id, markId: mark.id } });
  target.mark(id, [...marks, mark], true);
};

/** Moves the last point of the line being drawn to a point of the stage. */
export const followDraft = (target: GestureTarget, overlay: OverlayStore, point: { x: number; y: number }): void => {
  const { draft } = overlay.get();
  const stageImage = draft && !draft.done ? target.stageImage(draft.imageId) : null;
  if (!draft || !stageImage) return;
  const last = insideImage(imagePointAt(stageImage, point), stageImage.image);
  overlay.update({ draft: { ...draft, points: [...draft.points.slice(0, -1), last] } });
};

/** Whether the last two points are so close that they count as one click. */
const isBarelyMoved = ({ points }: Draft, stageImage: StageImage, ratio: number): boolean => {
  const [before, last] = points.slice(-2);
  if (!before || !last) return true;
  return Math.hypot(last[0] - before[0], last[1] - before[1]) * stageImage.camera.scale < 3 * ratio;
};

/** Places a point of a line, by click or by drag; between clicks the last point follows the pointer. */
const drawGesture = (press: Press, stageImage: StageImage, tool: MarkTool): PressGesture => {
  const { target, overlay, start } = press;
  const { draft } = overlay.get();
  const continues = draft && !draft.done && draft.imageId === stageImage.id && draft.kind === tool;
  if (continues) followDraft(target, overlay, start);
  else if (tool !== 'calibrate' && stageImage.marks.length >= maxMarks) return handleGesture(press, stageImage, null);
  else {
    const first = insideImage(imagePointAt(stageImage, start), stageImage.image);
    overlay.update({
      chosen: null,
      draft: { imageId: stageImage.id, kind: tool, points: [first, first], done: false },
    });
  }
  let dragged = false;
  const placed = () => {
    const now = overlay.get().draft;
    if (!now || now.done || (!continues && !dragged)) return;
    if (isBarelyMoved(now, target.stageImage(now.imageId) ?? stageImage, target.pixelRatio())) return;
    const last = now.points.at(-1);
    if (now.points.length >= pointsOf[tool]) finish(target, overlay, now);
    else if (last) overlay.update({ draft: { ...now, points: [...now.points, last] } });
  };
  return {
    image: () => null,
    mount: () => false,
    move: (point) => {
      dragged ||= exceedsDragThreshold(press, point);
      if (dragged) followDraft(target, overlay, point);
    },
    end: placed,
    // A second finger starts a pinch instead of a measurement.
    cancel: () => {
      if (!continues) overlay.update({ draft: null });
    },
  };
};

/** Selects a measurement and drags one of its handles. */
const handleGesture = (press: Press, stageImage: StageImage, hit: MarkHit | null): PressGesture => {
  const { target, overlay } = press;
  const { id } = stageImage;
  let started = false;
  overlay.update({ chosen: hit && { imageId: id, markId: hit.mark.id }, draft: null });
  const settle = () => {
    const now = target.stageImage(id);
    if (started && now) target.mark(id, now.marks, true);
    started = false;
  };
  return {
    image: () => (started ? id : null),
    mount: () => false,
    move: (point) => {
      const now = target.stageImage(id);
      const handle = hit?.handle ?? null;
      if (!hit || handle === null || !now || !(started || exceedsDragThreshold(press, point))) return;
      started = true;
      const to = insideImage(imagePointAt(now, point), now.image);
      const marks = now.marks.map((mark) => (mark.id === hit.mark.id ? withPoint(mark, handle, to) : mark));
      target.mark(id, marks, false);
    },
    end: settle,
    cancel: settle,
  };
};

/** Selects a line by click; a drag draws a new line instead. */
const lineGesture = (press: Press, stageImage: StageImage, tool: MarkTool, hit: MarkHit): PressGesture => {
  let gesture: PressGesture | null = null;
  return {
    image: () => gesture?.image() ?? null,
    mount: () => false,
    move: (point) => {
      if (!gesture && exceedsDragThreshold(press, point)) gesture = drawGesture(press, stageImage, tool);
      gesture?.move(point);
    },
    end: () => {
      if (gesture) gesture.end();
      else press.overlay.update({ chosen: { imageId: stageImage.id, markId: hit.mark.id } });
    },
    cancel: () => gesture?.cancel(),
  };
};

/** Returns the gesture that a press with a measuring tool starts. */
export const markGesture = (press: Press, stageImage: StageImage, tool: MarkTool): PressGesture => {
  const { draft } = press.overlay.get();
  const drawing = draft !== null && !draft.done && draft.imageId === stageImage.id;
  const hitRadius = (press.touch ? touchHitRadius : mouseHitRadius) * press.target.pixelRatio();
  const hit = drawing || press.target.marksHidden() ? null : markAt(stageImage, press.start, hitRadius);
  if (!hit) return drawGesture(press, stageImage, tool);
  return hit.handle === null ? lineGesture(press, stageImage, tool, hit) : handleGesture(press, stageImage, hit);
};
