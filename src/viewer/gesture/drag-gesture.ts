import { type Point, panned } from '../scene/camera.ts';
import { effectiveWindow } from '../scene/effective-window.ts';
import type { Press, PressGesture } from './press-gesture.ts';
import type { Change, StageImage } from './target.ts';
import { draggedWindow, windowDragStart } from './window-drag.ts';
import { zoomedImage } from './zoomed-image.ts';

/** Maps the distance from the start of a drag (device pixels) to a change of the image. */
type Drag = (step: Point) => Change;

export type DragGesture = 'window' | 'pan' | 'zoom';

const panDrag =
  ({ camera, image, orientation }: StageImage): Drag =>
  (step) => ({ view: panned(camera, step, image, orientation) });

/** Zooms in upwards and out downwards, about the start of the drag; 200 CSS pixels are a factor of e. */
const zoomDrag =
  (stageImage: StageImage, start: Point, pixelRatio: number): Drag =>
  ({ y }) => ({ view: zoomedImage(stageImage, Math.exp(-y / pixelRatio / 200), start) });

const windowDrag = (stageImage: StageImage, pixelRatio: number): Drag => {
  const { image, display } = stageImage;
  const windowInputs = { window: effectiveWindow(stageImage), range: image.range, shownInverse: image.shownInverse };
  const dragStart = windowDragStart(display, windowInputs);
  return ({ x, y }) => ({ display: { ...display, voi: draggedWindow(dragStart, x / pixelRatio, y / pixelRatio) } });
};

const dragOf = (gesture: DragGesture, stageImage: StageImage, start: Point, pixelRatio: number): Drag =>
  gesture === 'pan'
    ? panDrag(stageImage)
    : gesture === 'zoom'
      ? zoomDrag(stageImage, start, pixelRatio)
      : windowDrag(stageImage, pixelRatio);

/** Drags window, pan or zoom of one image from the first movement on; a press without movement calls `clicked`. */
export const dragGesture = (
  { target, start }: Press,
  gesture: DragGesture,
  stageImage: StageImage,
  clicked: () => void = () => undefined,
): PressGesture => {
  const { id } = stageImage;
  const drag = dragOf(gesture, stageImage, start, target.pixelRatio());
  let started = false;
  const settle = () => {
    if (started) target.settle(id, gesture);
    started = false;
  };
  return {
    image: () => (started ? id : null),
    mount: () => false,
    move: (point) => {
      if (!started && point.x === start.x && point.y === start.y) return;
      if (!started) target.begin(id, gesture);
      started = true;
      if (target.stageImage(id)) target.change(id, drag({ x: point.x - start.x, y: point.y - start.y }));
    },
    end: () => {
      if (started) settle();
      else clicked();
    },
    cancel: settle,
  };
};
