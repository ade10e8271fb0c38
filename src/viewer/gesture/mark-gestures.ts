import { maxMarks } from '../../../contract/displays.ts';
import type { Point } from '../scene/camera.ts';
import { movedBy, withHandle } from '../scene/mark-shapes.ts';
import type { Mark, MarkTool } from '../scene/scene.ts';
import { takeOver } from './draw-by-keys.ts';
import { endFreehand, followDraft, imagePixels, openText, placePoint } from './draw-marks.ts';
import { type MarkHit, markAt } from './mark-hit.ts';
import type { Draft, OverlayStore } from './overlay-store.ts';
import { exceedsDragThreshold, insideImage, noGesture, type Press, type PressGesture } from './press-gesture.ts';
import { type GestureTarget, imagePointAt, type StageImage } from './target.ts';

/** Hit radius of handles in CSS pixels: larger for touch. */
const mouseHitRadius = 9;
const touchHitRadius = 22;
/** Distance of the points of a freehand line, in CSS pixels. */
const freehandStep = 2;

/** Returns the mark under a point; null while marks are hidden. */
export const shownMarkAt = (target: GestureTarget, stageImage: StageImage, point: Point, touch: boolean) => {
  const ratio = target.pixelRatio();
  const hitRadius = (touch ? touchHitRadius : mouseHitRadius) * ratio;
  return target.marksHidden() ? null : markAt(stageImage, point, hitRadius, ratio);
};

const isSecondLineStart = ({ kind, points }: Draft): boolean => kind === 'lineAngle' && points.length === 3;

/** Places a point of a line, by click or by drag; between clicks the last point follows the pointer. */
const drawGesture = (press: Press, stageImage: StageImage, tool: MarkTool): PressGesture => {
  const { target, overlay, start } = press;
  const { draft } = overlay.get();
  const continues = draft && !draft.done && draft.imageId === stageImage.id && draft.kind === tool;
  if (continues) followDraft(target, overlay, start);
  else {
    const first = insideImage(imagePointAt(stageImage, start), stageImage.image);
    overlay.update({
      chosen: null,
      draft: { imageId: stageImage.id, kind: tool, points: [first, first], done: false },
    });
  }
  let dragged = false;
  return {
    image: () => null,
    mount: () => false,
    move: (point) => {
      const starts = !dragged && exceedsDragThreshold(press, point);
      // The second of two lines is dragged like the first: from where the pointer was pressed.
      if (starts && continues && isSecondLineStart(draft)) placePoint(target, overlay);
      dragged ||= starts;
      if (dragged) followDraft(target, overlay, point);
    },
    end: () => {
      if (continues || dragged) placePoint(target, overlay);
    },
    // A second finger starts a pinch instead of a measurement.
    cancel: () => {
      if (!continues) overlay.update({ draft: null });
    },
  };
};

/** Draws a line that follows the pointer. */
const freehandGesture = (press: Press, stageImage: StageImage): PressGesture => {
  const { target, overlay, start } = press;
  const { id } = stageImage;
  const first = insideImage(imagePointAt(stageImage, start), stageImage.image);
  overlay.update({ chosen: null, draft: { imageId: id, kind: 'freehand', points: [first], done: false } });
  return {
    image: () => null,
    mount: () => false,
    move: (point) => {
      const { draft } = overlay.get();
      const now = target.stageImage(id);
      const last = draft?.points.at(-1);
      // Cancelled by Escape.
      if (!draft || !last || !now) return;
      const next = insideImage(imagePointAt(now, point), now.image);
      const step = imagePixels(now, freehandStep, target.pixelRatio());
      if (Math.hypot(next[0] - last[0], next[1] - last[1]) >= step)
        overlay.update({ draft: { ...draft, points: [...draft.points, next] } });
    },
    end: () => endFreehand(target, overlay),
    cancel: () => overlay.update({ draft: null }),
  };
};

/** Opens the field for a text; a click while a text is selected only deselects it, such as the click that ends its typing. */
const textGesture = ({ target, overlay, start }: Press, { id, marks }: StageImage): PressGesture => {
  const { chosen } = overlay.get();
  const wasChosen = marks.some((mark) => mark.kind === 'text' && mark.id === chosen?.markId);
  overlay.update({ chosen: null });
  return noGesture(() => {
    const now = target.stageImage(id);
    if (wasChosen || !now) return;
    const place = insideImage(imagePointAt(now, start), now.image);
    overlay.update({ draft: { imageId: id, kind: 'text', points: [place], done: true } });
  });
};

/** Selects a mark, and changes it by a drag: `changed` returns it for a point of the stage. */
const changeGesture = (
  press: Press,
  { id }: StageImage,
  { mark }: MarkHit,
  changed: (now: StageImage, point: Point) => Mark,
): PressGesture => {
  const { target, overlay } = press;
  let started = false;
  overlay.update({ chosen: { imageId: id, markId: mark.id }, draft: null });
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
      if (!now || !(started || exceedsDragThreshold(press, point))) return;
      started = true;
      const marks = now.marks.map((one) => (one.id === mark.id ? changed(now, point) : one));
      target.mark(id, marks, false);
    },
    end: settle,
    cancel: settle,
  };
};

const handleGesture = (press: Press, stageImage: StageImage, hit: MarkHit, handle: number): PressGesture =>
  changeGesture(press, stageImage, hit, (now, point) =>
    withHandle(hit.mark, handle, insideImage(imagePointAt(now, point), now.image)),
  );

const moveGesture = (press: Press, stageImage: StageImage, hit: MarkHit): PressGesture => {
  const from = imagePointAt(stageImage, press.start);
  return changeGesture(press, stageImage, hit, (now, point) => {
    const to = imagePointAt(now, point);
    return movedBy(hit.mark, { x: to.x - from.x, y: to.y - from.y }, now.image);
  });
};

const startGesture = (press: Press, stageImage: StageImage, tool: MarkTool): PressGesture => {
  const { draft } = press.overlay.get();
  const isFull = tool !== 'calibrate' && stageImage.marks.length >= maxMarks && !draft;
  if (isFull) {
    press.overlay.update({ chosen: null });
    return noGesture();
  }
  if (tool === 'freehand') return freehandGesture(press, stageImage);
  return tool === 'text' ? textGesture(press, stageImage) : drawGesture(press, stageImage, tool);
};

/** Selects a line by click; a drag draws a new line instead, because lines often cross. */
const lineGesture = (press: Press, stageImage: StageImage, tool: MarkTool, hit: MarkHit): PressGesture => {
  let gesture: PressGesture | null = null;
  return {
    image: () => gesture?.image() ?? null,
    mount: () => false,
    move: (point) => {
      if (!gesture && exceedsDragThreshold(press, point)) gesture = startGesture(press, stageImage, tool);
      gesture?.move(point);
    },
    end: () => {
      if (gesture) gesture.end();
      else press.overlay.update({ chosen: { imageId: stageImage.id, markId: hit.mark.id } });
    },
    cancel: () => gesture?.cancel(),
  };
};

/** Returns the gesture that a press with a drawing tool starts. A selected mark is moved by a drag of its line. */
export const markGesture = (press: Press, stageImage: StageImage, tool: MarkTool): PressGesture => {
  takeOver(press.overlay);
  const { draft, chosen } = press.overlay.get();
  const drawing = draft !== null && !draft.done && draft.imageId === stageImage.id;
  const hit = drawing ? null : shownMarkAt(press.target, stageImage, press.start, press.touch);
  if (!hit) return startGesture(press, stageImage, tool);
  if (hit.handle !== null) return handleGesture(press, stageImage, hit, hit.handle);
  if (hit.mark.kind === 'text' || chosen?.markId === hit.mark.id) return moveGesture(press, stageImage, hit);
  return lineGesture(press, stageImage, tool, hit);
};

/** Opens the text under a point for typing; returns false when there is none. */
export const openTextAt = (
  target: GestureTarget,
  overlay: OverlayStore,
  stageImage: StageImage,
  point: Point,
): boolean => {
  const hit = shownMarkAt(target, stageImage, point, false);
  if (hit?.mark.kind !== 'text') return false;
  openText(overlay, stageImage.id, hit.mark);
  return true;
};
