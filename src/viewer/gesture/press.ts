import { actualSize, type Point } from '../scene/camera.ts';
import { isMarkTool } from '../scene/scene.ts';
import { dragGesture } from './drag-gesture.ts';
import { endDraft } from './draw-marks.ts';
import { markGesture, openTextAt } from './mark-gestures.ts';
import { mountGesture } from './mount-gestures.ts';
import type { OverlayStore } from './overlay-store.ts';
import { noGesture, type Press, type PressGesture } from './press-gesture.ts';
import { regionGesture } from './region-gesture.ts';
import { type GestureTarget, once, pixelAt } from './target.ts';

export type Button = 'left' | 'middle' | 'right';

/** Moves the magnifier with the pointer; with touch it closes on release. */
const lensGesture = ({ target, overlay, start, touch }: Press): PressGesture => {
  const show = (point: Point) => overlay.update({ lens: target.idAt(point) === null ? null : point });
  const away = () => {
    if (touch) overlay.update({ lens: null });
  };
  show(start);
  return { image: () => null, mount: () => false, move: show, end: away, cancel: away };
};

/** Returns the gesture that a press starts: that of the mount, else that of the current tool; null beside all images. */
export const gestureOf = (press: Press, button: Button, spaceHeld: boolean): PressGesture | null => {
  const { target, start } = press;
  if (target.mount()) return mountGesture(press, button, spaceHeld);
  const id = target.idAt(start);
  if (id === null) return null;
  if (id !== target.active()?.id) target.emit({ type: 'image.chosen', id });
  const stageImage = target.stageImage(id);
  if (!stageImage) return noGesture();
  const tool = target.tool();
  if (button !== 'left' || spaceHeld) return dragGesture(press, 'pan', stageImage);
  switch (tool) {
    case 'window':
    case 'pan':
    case 'zoom':
      return dragGesture(press, tool, stageImage);
    case 'region':
      return regionGesture(press, stageImage);
    case 'magnifier':
      return lensGesture(press);
    default:
      return markGesture(press, stageImage, tool);
  }
};

/**
 * Handles a double click or tap: opens an image of a mount; with a drawing tool ends a line or opens a text; otherwise toggles between fit
 * and 1:1 at that point.
 */
export const doubleClick = (target: GestureTarget, overlay: OverlayStore, point: Point): void => {
  if (target.mount()) {
    const id = target.idAt(point);
    if (id !== null) target.emit({ type: 'image.opened', id });
    return;
  }
  const id = target.idAt(point);
  const stageImage = id === null ? null : target.stageImage(id);
  if (!stageImage) return;
  if (isMarkTool(target.tool())) {
    if (!endDraft(target, overlay)) openTextAt(target, overlay, stageImage, point);
    return;
  }
  const pixel = pixelAt(stageImage, point);
  const centre = pixel ? { centreX: pixel.x + 0.5, centreY: pixel.y + 0.5 } : {};
  const isActual = stageImage.camera.scale === 1;
  once(target, stageImage.id, isActual ? 'fit' : 'actual-size', {
    view: isActual ? 'fit' : { ...actualSize(stageImage.image), ...centre },
  });
};
