import { maxMarks } from '../../../contract/displays.ts';
import { applied, imageToStage, type Point } from '../scene/camera.ts';
import { isMarkTool, type Tool } from '../scene/scene.ts';
import { endDraft, followDraft, placePoint } from './draw-marks.ts';
import type { OverlayStore } from './overlay-store.ts';
import { insideImage } from './press-gesture.ts';
import { type GestureTarget, imagePointAt } from './target.ts';

/** CSS pixels of one press of an arrow key, and of each repeat while it is held. */
const step = { pressed: 1, held: 10 };

/** Shows a point in the middle of the active image, which arrow keys move. A freehand line has no points to place. */
export const beginByKeys = (target: GestureTarget, overlay: OverlayStore, tool: Tool): void => {
  const stageImage = target.active();
  if (!isMarkTool(tool) || tool === 'freehand' || !stageImage || target.mount()) return;
  if (tool !== 'calibrate' && stageImage.marks.length >= maxMarks) return;
  const { id, rectangle, image } = stageImage;
  const middle = { x: rectangle.x + rectangle.width / 2, y: rectangle.y + rectangle.height / 2 };
  const point = insideImage(imagePointAt(stageImage, middle), image);
  overlay.update({ chosen: null, draft: { imageId: id, kind: tool, points: [point], done: false, byKeys: true } });
};

/** Moves the point that arrow keys place. Returns false when there is none. */
export const movePoint = (target: GestureTarget, overlay: OverlayStore, direction: Point, isHeld: boolean): boolean => {
  const { draft } = overlay.get();
  const stageImage = draft?.byKeys && !draft.done ? target.stageImage(draft.imageId) : null;
  const last = draft?.points.at(-1);
  if (!stageImage || !last) return false;
  const { rectangle, camera, orientation } = stageImage;
  const { x, y } = applied(imageToStage(camera, rectangle, orientation), { x: last[0], y: last[1] });
  const by = (isHeld ? step.held : step.pressed) * target.pixelRatio();
  const within = (value: number, from: number, size: number) => Math.min(from + size, Math.max(from, value));
  followDraft(target, overlay, {
    x: within(x + direction.x * by, rectangle.x, rectangle.width),
    y: within(y + direction.y * by, rectangle.y, rectangle.height),
  });
  return true;
};

/** Fixes the point that arrow keys placed; fixing the same place again ends a line of any length. Returns false when there is none. */
export const fixPoint = (target: GestureTarget, overlay: OverlayStore): boolean => {
  const { draft } = overlay.get();
  if (!draft?.byKeys || draft.done) return false;
  if (draft.kind === 'text') overlay.update({ draft: { ...draft, done: true } });
  else if (!placePoint(target, overlay)) endDraft(target, overlay);
  return true;
};

/** Lets the pointer draw: a line without a fixed point goes, of another one the last point follows. */
export const takeOver = (overlay: OverlayStore): void => {
  const { draft } = overlay.get();
  if (!draft?.byKeys || draft.done) return;
  overlay.update({ draft: draft.points.length > 1 ? { ...draft, byKeys: false } : null });
};
