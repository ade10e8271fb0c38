import { valueAt } from '../decode/pixel-value.ts';
import { actualSize, type Point, panned, zoomedAbout } from '../scene/camera.ts';
import { type Drag, dragOf } from './drags.ts';
import { pinchBetween } from './pinch.ts';
import type { SketchBook } from './sketch.ts';
import { type GestureTarget, once, pixelAt, type Subject } from './target.ts';

type DragKind = 'window' | 'pan' | 'zoom';

interface Hold {
  readonly id: string;
  readonly gesture: DragKind;
  readonly start: Point;
  readonly drag: Drag;
  /** A press without a movement is no gesture. */
  begun: boolean;
}

const leftButton = 0;

/**
 * Mouse, pen and touch on the canvas: drags of the active tool, pan with the middle or right button or while space is
 * held, two fingers to enlarge and move, double click between whole picture and 1:1, and the value under the pointer.
 */
export const attachPointers = (
  canvas: HTMLCanvasElement,
  target: GestureTarget,
  _book: SketchBook,
  spaceHeld: () => boolean,
) => {
  const fingers = new Map<number, Point>();
  let hold: Hold | null = null;

  const pointOf = (event: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    const ratio = target.pixelRatio();
    return { x: (event.clientX - box.left) * ratio, y: (event.clientY - box.top) * ratio };
  };

  const release = () => {
    const held = hold;
    hold = null;
    if (held?.begun) target.settle(held.id, held.gesture);
  };

  const take = (subject: Subject, gesture: DragKind, start: Point) => {
    release();
    hold = { id: subject.id, gesture, start, drag: dragOf(gesture, subject, start, target.pixelRatio()), begun: false };
  };

  const pressed = (event: PointerEvent) => {
    const point = pointOf(event);
    const subject = target.subjectAt(point);
    canvas.focus({ preventScroll: true });
    if (!subject) return;
    // Only a pointer that is really there can be captured; one that a script sends is not.
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, point);
    if (subject.id !== target.active()?.id) target.emit({ type: 'image.chosen', id: subject.id });
    if (fingers.size > 2) return;
    const tool = target.tool();
    const pans = event.button !== leftButton || spaceHeld() || (tool !== 'window' && tool !== 'zoom');
    take(subject, fingers.size === 2 ? 'zoom' : pans ? 'pan' : tool, point);
  };

  const begin = (held: Hold) => {
    if (held.begun) return;
    held.begun = true;
    target.begin(held.id, held.gesture);
  };

  const pinched = (id: string, moved: number, point: Point) => {
    const other = [...fingers].find(([finger]) => finger !== moved)?.[1];
    const was = fingers.get(moved);
    const subject = target.subject(id);
    if (!other || !was || !subject) return;
    const { factor, middle, step } = pinchBetween([other, was], [other, point]);
    const moving = panned(subject.camera, step, subject.image, subject.orientation);
    target.change(id, { view: zoomedAbout(moving, factor, middle, subject.rectangle, subject.orientation) });
  };

  const hovered = (point: Point) => {
    const subject = target.subjectAt(point);
    const pixel = subject && pixelAt(subject, point);
    if (!subject || !pixel) {
      target.emit({ type: 'pointer.left' });
      return;
    }
    const { stored, modality } = valueAt(subject.image, pixel.x, pixel.y);
    target.emit({ type: 'pointer.value', id: subject.id, x: pixel.x, y: pixel.y, stored, modality });
  };

  const moved = (event: PointerEvent) => {
    const point = pointOf(event);
    if (!hold) hovered(point);
    else if (fingers.size === 2 && fingers.has(event.pointerId)) {
      begin(hold);
      pinched(hold.id, event.pointerId, point);
    } else if (fingers.size === 1 && (hold.begun || point.x !== hold.start.x || point.y !== hold.start.y)) {
      begin(hold);
      const change = hold.drag({ x: point.x - hold.start.x, y: point.y - hold.start.y });
      if (target.subject(hold.id)) target.change(hold.id, change);
    }
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, point);
  };

  const lifted = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return;
    // One finger left of two: the picture stays as the two have put it.
    release();
    if (fingers.size > 0) fingers.clear();
  };

  const doubled = (event: MouseEvent) => {
    const subject = target.subjectAt(pointOf(event));
    if (!subject) return;
    const isActual = subject.camera.scale === 1;
    const view = isActual ? 'fit' : { ...actualSize(subject.image), ...pixelCentre(subject, pointOf(event)) };
    once(target, subject.id, isActual ? 'fit' : 'actual-size', { view });
  };

  const left = () => target.emit({ type: 'pointer.left' });
  const noMenu = (event: Event) => event.preventDefault();

  canvas.addEventListener('pointerdown', pressed);
  canvas.addEventListener('pointermove', moved);
  canvas.addEventListener('pointerup', lifted);
  canvas.addEventListener('pointercancel', lifted);
  canvas.addEventListener('lostpointercapture', lifted);
  canvas.addEventListener('pointerleave', left);
  canvas.addEventListener('dblclick', doubled);
  canvas.addEventListener('contextmenu', noMenu);
  return {
    /** The image in the middle of a drag, null when nothing is held. */
    inHand: () => (hold?.begun ? hold.id : null),
    boardInHand: () => false,
  };
};

const pixelCentre = (subject: Subject, point: Point) => {
  const pixel = pixelAt(subject, point);
  return pixel ? { centreX: pixel.x + 0.5, centreY: pixel.y + 0.5 } : {};
};
