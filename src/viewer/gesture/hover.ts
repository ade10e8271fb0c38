import { valueAt } from '../decode/pixel-value.ts';
import type { Point } from '../scene/camera.ts';
import { followDraft } from './mark-holds.ts';
import type { SketchBook } from './sketch.ts';
import { type GestureTarget, pixelAt } from './target.ts';

/** A pointer that moves over the canvas and presses nothing: the value under it, the magnifier, the line being drawn. */
export const attachHover = (
  canvas: HTMLCanvasElement,
  target: GestureTarget,
  book: SketchBook,
  pointOf: (event: MouseEvent) => Point,
) => {
  let isOver = false;

  const gone = () => {
    if (isOver) target.emit({ type: 'pointer.left' });
    isOver = false;
  };

  const tellValue = (point: Point) => {
    const subject = target.subjectAt(point);
    const pixel = subject && pixelAt(subject, point);
    if (!subject || !pixel) return gone();
    isOver = true;
    const { stored, modality } = valueAt(subject.image, pixel.x, pixel.y);
    target.emit({ type: 'pointer.value', id: subject.id, x: pixel.x, y: pixel.y, stored, modality });
  };

  canvas.addEventListener('pointerleave', (event) => {
    gone();
    if (event.pointerType !== 'touch') book.draw({ lens: null });
  });
  canvas.addEventListener('pointerenter', (event) => {
    if (event.pointerType !== 'touch' && target.tool() === 'magnifier') book.draw({ lens: pointOf(event) });
  });

  return {
    moved: (point: Point) => {
      tellValue(point);
      followDraft(target, book, point);
      if (target.tool() === 'magnifier') book.draw({ lens: target.idAt(point) === null ? null : point });
    },
  };
};
