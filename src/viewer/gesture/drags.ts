import { type Point, panned, zoomedAbout } from '../scene/camera.ts';
import type { Display, View } from '../scene/scene.ts';
import { type Subject, windowMeant } from './target.ts';
import { draggedWindow, gripOf } from './window-drag.ts';

type Change = { readonly display?: Display; readonly view?: View };

/** A drag under way: the step from where it began (device pixels) to what it makes of the image. */
export type Drag = (step: Point) => Change;

const panDrag =
  ({ camera, image, orientation }: Subject): Drag =>
  (step) => ({ view: panned(camera, step, image, orientation) });

/** Up enlarges, down makes smaller, about the point where the drag began; 200 CSS pixels are a factor of e. */
const zoomDrag =
  ({ camera, rectangle, orientation }: Subject, start: Point, pixelRatio: number): Drag =>
  ({ y }) => ({ view: zoomedAbout(camera, Math.exp(-y / pixelRatio / 200), start, rectangle, orientation) });

const windowDrag = (subject: Subject, pixelRatio: number): Drag => {
  const { image, display } = subject;
  const greys = { window: windowMeant(subject), range: image.range, shownInverse: image.shownInverse };
  const grip = gripOf(display, greys);
  return ({ x, y }) => ({ display: { ...display, voi: draggedWindow(grip, x / pixelRatio, y / pixelRatio) } });
};

export const dragOf = (gesture: 'window' | 'pan' | 'zoom', subject: Subject, start: Point, pixelRatio: number): Drag =>
  gesture === 'pan'
    ? panDrag(subject)
    : gesture === 'zoom'
      ? zoomDrag(subject, start, pixelRatio)
      : windowDrag(subject, pixelRatio);
