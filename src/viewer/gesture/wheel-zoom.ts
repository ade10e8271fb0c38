import { type Point, zoomedAbout } from '../scene/camera.ts';
import type { SketchBook } from './sketch.ts';
import type { GestureTarget } from './target.ts';
import { wheelFactor } from './wheel.ts';

/** A wheel does not say when it stops: after this long without a turn the gesture is settled. */
const restMs = 200;

/** The wheel enlarges about the pointer. */
export const attachWheel = (canvas: HTMLCanvasElement, target: GestureTarget, _book: SketchBook) => {
  let turning: { readonly id: string; readonly rest: ReturnType<typeof setTimeout> } | null = null;

  const release = () => {
    if (!turning) return;
    clearTimeout(turning.rest);
    const { id } = turning;
    turning = null;
    target.settle(id, 'zoom');
  };

  const turned = (event: WheelEvent) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    const ratio = target.pixelRatio();
    const point: Point = { x: (event.clientX - box.left) * ratio, y: (event.clientY - box.top) * ratio };
    const subject = target.subjectAt(point);
    if (!subject) return;
    if (turning && turning.id !== subject.id) release();
    if (turning) clearTimeout(turning.rest);
    else target.begin(subject.id, 'zoom');
    turning = { id: subject.id, rest: setTimeout(release, restMs) };
    const { camera, rectangle, orientation } = subject;
    target.change(subject.id, { view: zoomedAbout(camera, wheelFactor(event), point, rectangle, orientation) });
  };

  canvas.addEventListener('wheel', turned, { passive: false });
  return { inHand: () => turning?.id ?? null, boardInHand: () => false };
};
