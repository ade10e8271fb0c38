import { mountPanned, mountPointAt } from '../scene/mount.ts';
import { type DragGesture, dragGesture } from './drag-gesture.ts';
import { exceedsDragThreshold, noGesture, type Press, type PressGesture } from './press-gesture.ts';

/** Duration of the long press that starts dragging an image by touch. */
const pickUpMs = 350;

/** Pans the mount; a press without movement calls `clicked`. */
const panMountGesture = (press: Press, clicked: () => void): PressGesture => {
  const { target, start } = press;
  const from = target.mount()?.mount;
  let started = false;
  const settle = () => {
    if (started) target.settleMount();
    started = false;
  };
  return {
    image: () => null,
    mount: () => started,
    move: (point) => {
      const now = target.mount();
      if (!from || !now || !(started || exceedsDragThreshold(press, point))) return;
      started = true;
      target.setMountViewport(mountPanned(from, now.stage, { x: point.x - start.x, y: point.y - start.y }));
    },
    end: () => {
      if (started) settle();
      else clicked();
    },
    cancel: settle,
  };
};

/** Starts dragging an image: by a movement of mouse or pen, or a long press by touch. A touch that moves earlier pans the mount. */
const dragImageGesture = (press: Press, id: string): PressGesture => {
  const { target, touch } = press;
  let gesture = panMountGesture(press, () => target.emit({ type: 'image.chosen', id }));
  const startDrag = () => {
    gesture = noGesture();
    press.release();
    press.overlay.update({ lens: null });
    const { x, y } = press.client;
    target.emit({ type: 'image.dragged', id, pointerId: press.pointerId, clientX: x, clientY: y });
  };
  const longPress = touch ? setTimeout(startDrag, pickUpMs) : undefined;
  return {
    image: () => null,
    mount: () => gesture.mount(),
    move: (point) => {
      if (!touch) {
        if (exceedsDragThreshold(press, point)) startDrag();
        return;
      }
      if (exceedsDragThreshold(press, point)) clearTimeout(longPress);
      gesture.move(point);
    },
    end: () => {
      clearTimeout(longPress);
      gesture.end();
    },
    cancel: () => {
      clearTimeout(longPress);
      gesture.cancel();
    },
  };
};

/** Selects an image of the mount and drags its window. */
const windowGesture = (press: Press, id: string): PressGesture => {
  const { target } = press;
  const stageImage = target.stageImage(id);
  const gesture: DragGesture = 'window';
  const chosen = () => target.emit({ type: 'image.chosen', id });
  if (!stageImage) return noGesture(chosen);
  chosen();
  return dragGesture(press, gesture, stageImage);
};

/** Returns the gesture that a press on a mount starts. */
export const mountGesture = (press: Press, button: 'left' | 'middle' | 'right', spaceHeld: boolean): PressGesture => {
  const { target, start } = press;
  const id = target.idAt(start);
  if (button === 'middle' || spaceHeld) return panMountGesture(press, () => undefined);
  if (id !== null && button === 'right') return windowGesture(press, id);
  if (id !== null && target.mount()?.mount.isFixed)
    return panMountGesture(press, () => target.emit({ type: 'image.chosen', id }));
  if (id !== null) return dragImageGesture(press, id);
  return panMountGesture(press, () => {
    const now = target.mount();
    if (now && button === 'left') target.emit({ type: 'mount.pressed', ...mountPointAt(start, now.pose) });
  });
};
