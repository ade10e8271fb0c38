import { maxMarkPoints, maxMarkText } from '../../../contract/displays.ts';
import { newId } from '../../../contract/new-id.ts';
import type { Point } from '../scene/camera.ts';
import { withPoints } from '../scene/mark-shapes.ts';
import { type MarkPoint, widthsBetween } from '../scene/measure.ts';
import type { Mark, MarkTool } from '../scene/scene.ts';
import { simplified } from '../scene/simplify.ts';
import type { Draft, OverlayStore } from './overlay-store.ts';
import { insideImage } from './press-gesture.ts';
import { type GestureTarget, imagePointAt, type StageImage } from './target.ts';

/** Least and most points of a mark. */
const counts: Readonly<Record<MarkTool, readonly [number, number]>> = {
  length: [2, 2],
  calibrate: [2, 2],
  angle: [3, 3],
  arrow: [2, 2],
  rectangle: [2, 2],
  ellipse: [2, 2],
  text: [1, 1],
  freehand: [2, maxMarkPoints],
  polyline: [2, maxMarkPoints],
  area: [3, maxMarkPoints],
  lineAngle: [4, 4],
  ratio: [3, 3],
  profile: [2, 2],
};

/** Two points as close as this, in CSS pixels, count as one. */
const barely = 3;
/** Largest distance of a simplified line from the drawn one, in CSS pixels. */
const tolerance = 0.75;

/** Image pixels of a distance on the screen. */
export const imagePixels = ({ camera }: StageImage, cssPixels: number, ratio: number): number =>
  (cssPixels * ratio) / camera.scale;

/** Whether a line ends at the user's request instead of at its last point. */
export const isOpenEnded = (kind: MarkTool): boolean => kind === 'polyline' || kind === 'area';

/** Replaces a mark, or adds it as the last one, and selects it. */
const keep = (target: GestureTarget, overlay: OverlayStore, { id, marks }: StageImage, mark: Mark): void => {
  const isKnown = marks.some((one) => one.id === mark.id);
  overlay.update({ draft: null, chosen: { imageId: id, markId: mark.id } });
  target.mark(id, isKnown ? marks.map((one) => (one.id === mark.id ? mark : one)) : [...marks, mark], true);
};

/** Makes a mark of these points, or asks for the length of a calibration line. */
const finish = (target: GestureTarget, overlay: OverlayStore, draft: Draft, points: readonly MarkPoint[]): void => {
  const stageImage = target.stageImage(draft.imageId);
  const [first, second] = points;
  if (!stageImage || !first || !second) {
    overlay.update({ draft: null });
    return;
  }
  const { id, image } = stageImage;
  const { kind } = draft;
  if (kind === 'calibrate') {
    overlay.update({ draft: { ...draft, done: true } });
    target.emit({ type: 'calibration.drawn', id, lengthPixels: widthsBetween(first, second, image.pixelAspect) });
  } else if (kind !== 'text') {
    // Keys in the order of the contract, so that marks compared as JSON text equal those in the reply.
    const mark = { id: newId(), kind, frame: image.frame, points: [first, second] } as Mark;
    keep(target, overlay, stageImage, withPoints(mark, points));
  }
};

/** Moves the last point of the line being drawn to a point of the stage. */
export const followDraft = (target: GestureTarget, overlay: OverlayStore, point: Point): void => {
  const { draft } = overlay.get();
  const stageImage = draft && !draft.done ? target.stageImage(draft.imageId) : null;
  if (!draft || !stageImage) return;
  const last = insideImage(imagePointAt(stageImage, point), stageImage.image);
  overlay.update({ draft: { ...draft, points: [...draft.points.slice(0, -1), last] } });
};

const isBarelyMoved = ({ points }: Draft, stageImage: StageImage, ratio: number): boolean => {
  const [before, last] = points.slice(-2);
  if (!before || !last) return true;
  return Math.hypot(last[0] - before[0], last[1] - before[1]) < imagePixels(stageImage, barely, ratio);
};

/** Fixes the last point; the next one follows, or the mark is complete. Returns false when it is where the one before is. */
export const placePoint = (target: GestureTarget, overlay: OverlayStore): boolean => {
  const { draft } = overlay.get();
  const stageImage = draft && target.stageImage(draft.imageId);
  if (!draft || draft.done || !stageImage) return false;
  if (draft.points.length > 1 && isBarelyMoved(draft, stageImage, target.pixelRatio())) return false;
  const last = draft.points.at(-1);
  if (draft.points.length >= counts[draft.kind][1]) finish(target, overlay, draft, draft.points);
  else if (last) overlay.update({ draft: { ...draft, points: [...draft.points, last] } });
  return true;
};

/** Ends a polyline or area at its last fixed point. Returns false when none is being drawn. */
export const endDraft = (target: GestureTarget, overlay: OverlayStore): boolean => {
  const { draft } = overlay.get();
  if (!draft || draft.done || !isOpenEnded(draft.kind)) return false;
  const placed = draft.points.slice(0, -1);
  if (placed.length >= counts[draft.kind][0]) finish(target, overlay, draft, placed);
  return true;
};

/** Removes the last fixed point of a polyline or area, with the first one all of it. Returns false when none is being drawn. */
export const removePoint = (overlay: OverlayStore): boolean => {
  const { draft } = overlay.get();
  if (!draft || draft.done || !isOpenEnded(draft.kind)) return false;
  const placed = draft.points.slice(0, -2);
  const last = draft.points.at(-1);
  overlay.update({ draft: placed.length > 0 && last ? { ...draft, points: [...placed, last] } : null });
  return true;
};

/** Makes a mark of a line drawn by hand. */
export const endFreehand = (target: GestureTarget, overlay: OverlayStore): void => {
  const { draft } = overlay.get();
  const stageImage = draft && target.stageImage(draft.imageId);
  if (!draft || !stageImage) return;
  const off = imagePixels(stageImage, tolerance, target.pixelRatio());
  finish(target, overlay, draft, simplified(draft.points, off, counts.freehand[1]));
};

/** Opens a text mark for typing. */
export const openText = (overlay: OverlayStore, imageId: string, mark: Extract<Mark, { kind: 'text' }>): void => {
  const changed = { markId: mark.id, text: mark.text };
  overlay.update({ chosen: null, draft: { imageId, kind: 'text', points: mark.points, done: true, changed } });
};

const cleanText = (typed: string): string =>
  typed
    .replaceAll(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the contract rejects them
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f]/g, ' ')
    .trim()
    .slice(0, maxMarkText);

/** Ends the typing of a text; null abandons it. An empty new text makes no mark, an emptied one is deleted. */
export const endText = (target: GestureTarget, overlay: OverlayStore, typed: string | null): void => {
  const { draft } = overlay.get();
  if (draft?.kind !== 'text') return;
  const stageImage = target.stageImage(draft.imageId);
  const [place] = draft.points;
  const text = cleanText(typed ?? '');
  overlay.update({ draft: null });
  if (typed === null || !stageImage || !place) return;
  const { id, image, marks } = stageImage;
  const before = marks.find((mark) => mark.id === draft.changed?.markId);
  if (text === '') {
    if (before)
      target.mark(
        id,
        marks.filter((mark) => mark !== before),
        true,
      );
  } else if (!draft.changed)
    keep(target, overlay, stageImage, { id: newId(), kind: 'text', frame: image.frame, points: [place], text });
  // Another user may have deleted it meanwhile.
  else if (before?.kind === 'text' && before.text !== text) keep(target, overlay, stageImage, { ...before, text });
};
