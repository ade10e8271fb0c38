import { type Point, panned } from '../scene/camera.ts';
import type { Hold, Press } from './hold.ts';
import { type Change, type Subject, windowMeant } from './target.ts';
import { draggedWindow, gripOf } from './window-drag.ts';
import { zoomedImage } from './zoomed-image.ts';

/** A drag under way: the step from where it began (device pixels) to what it makes of the image. */
type Drag = (step: Point) => Change;

export type DragGesture = 'window' | 'pan' | 'zoom';

const panDrag =
  ({ camera, image, orientation }: Subject): Drag =>
  (step) => ({ view: panned(camera, step, image, orientation) });

/** Up enlarges, down makes smaller, about the point where the drag began; 200 CSS pixels are a factor of e. */
const zoomDrag =
  (subject: Subject, start: Point, pixelRatio: number): Drag =>
  ({ y }) => ({ view: zoomedImage(subject, Math.exp(-y / pixelRatio / 200), start) });

const windowDrag = (subject: Subject, pixelRatio: number): Drag => {
  const { image, display } = subject;
  const greys = { window: windowMeant(subject), range: image.range, shownInverse: image.shownInverse };
  const grip = gripOf(display, greys);
  return ({ x, y }) => ({ display: { ...display, voi: draggedWindow(grip, x / pixelRatio, y / pixelRatio) } });
};

const dragOf = (gesture: DragGesture, subject: Subject, start: Point, pixelRatio: number): Drag =>
  gesture === 'pan'
    ? panDrag(subject)
    : gesture === 'zoom'
      ? zoomDrag(subject, start, pixelRatio)
      : windowDrag(subject, pixelRatio);

/** Brightness and contrast, place or size of one image, from the first movement on; a press without one is `clicked`. */
export const dragHold = (
  { target, start }: Press,
  gesture: DragGesture,
  subject: Subject,
  clicked: () => void = () => undefined,
): Hold => {
  const { id } = subject;
  const drag = dragOf(gesture, subject, start, target.pixelRatio());
  let begun = false;
  const settle = () => {
    if (begun) target.settle(id, gesture);
    begun = false;
  };
  return {
    image: () => (begun ? id : null),
    board: () => false,
    moved: (point) => {
      if (!begun && point.x === start.x && point.y === start.y) return;
      if (!begun) target.begin(id, gesture);
      begun = true;
      if (target.subject(id)) target.change(id, drag({ x: point.x - start.x, y: point.y - start.y }));
    },
    lifted: () => {
      if (begun) settle();
      else clicked();
    },
    dropped: settle,
  };
};
