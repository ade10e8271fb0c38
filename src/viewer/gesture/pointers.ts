import type { Point } from '../scene/camera.ts';
import { attachHover } from './hover.ts';
import type { OverlayStore } from './overlay-store.ts';
import { type PinchGesture, pinchGesture } from './pinch-gesture.ts';
import { type Button, doubleClick, gestureOf } from './press.ts';
import type { PressGesture } from './press-gesture.ts';
import type { GestureTarget } from './target.ts';

/** Limits of a double tap: time, and distance in CSS pixels. */
const doubleTapMs = 350;
const doubleTapRadius = 30;

const buttonOf = ({ button }: PointerEvent): Button => (button === 1 ? 'middle' : button === 2 ? 'right' : 'left');

/**
 * Handles mouse, pen and touch on the canvas. `press.ts` chooses the gesture on pointer down; a second finger replaces it
 * by a pinch. A pen is treated as a mouse.
 */
export const attachPointers = (
  canvas: HTMLCanvasElement,
  target: GestureTarget,
  overlay: OverlayStore,
  spaceHeld: () => boolean,
) => {
  const fingers = new Map<number, Point>();
  let gesture: PressGesture | null = null;
  let pinch: PinchGesture | null = null;
  let lastTap: { readonly at: number; readonly point: Point } | null = null;
  let lastWasTouch = false;

  const pointOf = (event: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    const ratio = target.pixelRatio();
    return { x: (event.clientX - box.left) * ratio, y: (event.clientY - box.top) * ratio };
  };

  const drop = () => {
    gesture?.cancel();
    gesture = null;
    pinch?.settle();
    pinch = null;
  };

  const releasePointer = (pointerId: number) => {
    fingers.delete(pointerId);
    gesture = null;
    lastTap = null;
    if (canvas.hasPointerCapture(pointerId)) canvas.releasePointerCapture(pointerId);
  };

  const pressed = (event: PointerEvent) => {
    const start = pointOf(event);
    lastWasTouch = event.pointerType === 'touch';
    canvas.focus({ preventScroll: true });
    // Pointers of synthetic events cannot be captured.
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, start);
    if (fingers.size > 2) return;
    drop();
    const [first = start] = fingers.values();
    if (fingers.size === 2) {
      lastTap = null;
      const id = target.mount() ? null : target.idAt(first);
      if (target.mount() || (id !== null && target.stageImage(id))) pinch = pinchGesture(target, id);
      return;
    }
    const { pointerId, clientX, clientY } = event;
    const press = {
      target,
      overlay,
      start,
      pointerId,
      touch: lastWasTouch,
      client: { x: clientX, y: clientY },
      release: () => releasePointer(pointerId),
    };
    gesture = gestureOf(press, buttonOf(event), spaceHeld());
  };

  const hover = attachHover(canvas, target, overlay, pointOf);

  const moved = (event: PointerEvent) => {
    const point = pointOf(event);
    const was = fingers.get(event.pointerId);
    if (!was) return hover.move(point);
    fingers.set(event.pointerId, point);
    if (pinch) {
      const other = [...fingers].find(([finger]) => finger !== event.pointerId)?.[1];
      if (other && fingers.size === 2) pinch.move(other, was, point);
    } else gesture?.move(point);
  };

  const tapped = (event: PointerEvent) => {
    const point = pointOf(event);
    const before = lastTap;
    lastTap = { at: event.timeStamp, point };
    if (!before || event.timeStamp - before.at > doubleTapMs) return;
    if (Math.hypot(point.x - before.point.x, point.y - before.point.y) > doubleTapRadius * target.pixelRatio()) return;
    lastTap = null;
    doubleClick(target, overlay, point);
  };

  const lifted = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return;
    const ended = gesture;
    gesture = null;
    const wasGesture = ended?.image() != null || ended?.mount() || pinch !== null;
    if (event.type === 'pointerup') ended?.end();
    else ended?.cancel();
    pinch?.settle();
    pinch = null;
    // After a pinch the remaining finger has no effect.
    fingers.clear();
    if (wasGesture) lastTap = null;
    else if (ended && lastWasTouch && event.type === 'pointerup') tapped(event);
  };

  canvas.addEventListener('pointerdown', pressed);
  canvas.addEventListener('pointermove', moved);
  canvas.addEventListener('pointerup', lifted);
  canvas.addEventListener('pointercancel', lifted);
  canvas.addEventListener('lostpointercapture', lifted);
  canvas.addEventListener('dblclick', (event) => {
    // Double taps are detected in `tapped`: not every browser sends dblclick for touch.
    if (!lastWasTouch) doubleClick(target, overlay, pointOf(event));
  });
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  // Prevents autoscroll by the middle button.
  canvas.addEventListener('mousedown', (event) => {
    if (event.button === 1) event.preventDefault();
  });
  return {
    /** The image that the current gesture changes, or null. */
    activeImage: () => gesture?.image() ?? pinch?.image() ?? null,
    isMountActive: () => gesture?.mount() || pinch?.mount() || false,
    /** Ends the current gesture and settles its change. */
    release: drop,
  };
};
