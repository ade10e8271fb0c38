import type { Point } from '../scene/camera.ts';
import type { Hold } from './hold.ts';
import { attachHover } from './hover.ts';
import { type PinchHold, pinchHold } from './pinch-hold.ts';
import { type Button, doubled, holdOf } from './press.ts';
import type { SketchBook } from './sketch.ts';
import type { GestureTarget } from './target.ts';

/** Two taps within this time and this many CSS pixels are a double tap. */
const doubleTapMs = 350;
const doubleTapReach = 30;

const buttonOf = ({ button }: PointerEvent): Button => (button === 1 ? 'middle' : button === 2 ? 'right' : 'left');

/**
 * Mouse, pen and touch on the canvas. What a press does is chosen when it begins (`press.ts`); a second finger turns it
 * into a pinch. A pen is a mouse.
 */
export const attachPointers = (
  canvas: HTMLCanvasElement,
  target: GestureTarget,
  book: SketchBook,
  spaceHeld: () => boolean,
) => {
  const fingers = new Map<number, Point>();
  let hold: Hold | null = null;
  let pinch: PinchHold | null = null;
  let lastTap: { readonly at: number; readonly point: Point } | null = null;
  let lastWasTouch = false;

  const pointOf = (event: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    const ratio = target.pixelRatio();
    return { x: (event.clientX - box.left) * ratio, y: (event.clientY - box.top) * ratio };
  };

  const drop = () => {
    hold?.dropped();
    hold = null;
    pinch?.settle();
    pinch = null;
  };

  const letGo = (pointerId: number) => {
    fingers.delete(pointerId);
    hold = null;
    lastTap = null;
    if (canvas.hasPointerCapture(pointerId)) canvas.releasePointerCapture(pointerId);
  };

  const pressed = (event: PointerEvent) => {
    const start = pointOf(event);
    lastWasTouch = event.pointerType === 'touch';
    canvas.focus({ preventScroll: true });
    // Only a pointer that is really there can be captured; one that a script sends is not.
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, start);
    if (fingers.size > 2) return;
    drop();
    const [first = start] = fingers.values();
    if (fingers.size === 2) {
      lastTap = null;
      const id = target.board() ? null : target.idAt(first);
      if (target.board() || (id !== null && target.subject(id))) pinch = pinchHold(target, id);
      return;
    }
    const { pointerId, clientX, clientY } = event;
    const press = {
      target,
      book,
      start,
      pointerId,
      touch: lastWasTouch,
      client: { x: clientX, y: clientY },
      letGo: () => letGo(pointerId),
    };
    hold = holdOf(press, buttonOf(event), spaceHeld());
  };

  const hover = attachHover(canvas, target, book, pointOf);

  const moved = (event: PointerEvent) => {
    const point = pointOf(event);
    const was = fingers.get(event.pointerId);
    if (!was) return hover.moved(point);
    fingers.set(event.pointerId, point);
    if (pinch) {
      const other = [...fingers].find(([finger]) => finger !== event.pointerId)?.[1];
      if (other && fingers.size === 2) pinch.moved(other, was, point);
    } else hold?.moved(point);
  };

  const tapped = (event: PointerEvent) => {
    const point = pointOf(event);
    const before = lastTap;
    lastTap = { at: event.timeStamp, point };
    if (!before || event.timeStamp - before.at > doubleTapMs) return;
    if (Math.hypot(point.x - before.point.x, point.y - before.point.y) > doubleTapReach * target.pixelRatio()) return;
    lastTap = null;
    doubled(target, point);
  };

  const lifted = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return;
    const held = hold;
    hold = null;
    const wasGesture = held?.image() != null || held?.board() || pinch !== null;
    if (event.type === 'pointerup') held?.lifted();
    else held?.dropped();
    pinch?.settle();
    pinch = null;
    // One finger left of two: the picture stays as the two have put it.
    fingers.clear();
    if (wasGesture) lastTap = null;
    else if (held && lastWasTouch && event.type === 'pointerup') tapped(event);
  };

  canvas.addEventListener('pointerdown', pressed);
  canvas.addEventListener('pointermove', moved);
  canvas.addEventListener('pointerup', lifted);
  canvas.addEventListener('pointercancel', lifted);
  canvas.addEventListener('lostpointercapture', lifted);
  canvas.addEventListener('dblclick', (event) => {
    // Of fingers we count ourselves: not every browser does.
    if (!lastWasTouch) doubled(target, pointOf(event));
  });
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  // The middle button would scroll the page.
  canvas.addEventListener('mousedown', (event) => {
    if (event.button === 1) event.preventDefault();
  });
  return {
    /** The image in the middle of a gesture, null when none is. */
    inHand: () => hold?.image() ?? pinch?.image() ?? null,
    boardInHand: () => hold?.board() || pinch?.board() || false,
    /** What is under way is settled. */
    release: drop,
  };
};
