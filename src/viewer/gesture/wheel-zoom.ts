import { largestLensFactor, smallestLensFactor } from '../layers/lens.ts';
import { boardZoomedAbout } from '../scene/board.ts';
import type { Point } from '../scene/camera.ts';
import type { SketchBook } from './sketch.ts';
import type { GestureTarget, Subject } from './target.ts';
import { isPadPinch, pixelsPerFrame, wheelFactor, wheelPixels } from './wheel.ts';
import { zoomedImage } from './zoomed-image.ts';

/** A wheel does not say when it stops: after this long without a turn the gesture is settled. */
const restMs = 200;

/**
 * The wheel enlarges about the pointer: the image, the board, or what the magnifier does. With ctrl or alt it goes
 * through the frames of an image that has more than one.
 */
export const attachWheel = (canvas: HTMLCanvasElement, target: GestureTarget, book: SketchBook) => {
  /** `id` null: the board. */
  let turning: { readonly id: string | null; readonly rest: ReturnType<typeof setTimeout> } | null = null;
  let towardsFrame = 0;

  const release = () => {
    if (!turning) return;
    clearTimeout(turning.rest);
    const { id } = turning;
    turning = null;
    if (id === null) target.settleBoard();
    else target.settle(id, 'zoom');
  };

  const turn = (id: string | null) => {
    if (turning && turning.id !== id) release();
    if (turning) clearTimeout(turning.rest);
    else if (id !== null) target.begin(id, 'zoom');
    turning = { id, rest: setTimeout(release, restMs) };
  };

  const stepFrames = ({ id, image, frame: before }: Subject, event: WheelEvent) => {
    // A notch the other way counts at once.
    if (Math.sign(event.deltaY) !== Math.sign(towardsFrame)) towardsFrame = 0;
    towardsFrame += wheelPixels(event);
    const by = Math.trunc(towardsFrame / pixelsPerFrame);
    if (by === 0) return;
    towardsFrame -= by * pixelsPerFrame;
    const frame = Math.min(image.description.numberOfFrames, Math.max(1, before + by));
    if (frame !== before) target.emit({ type: 'frame.wanted', id, frame });
  };

  const turned = (event: WheelEvent) => {
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    const ratio = target.pixelRatio();
    const point: Point = { x: (event.clientX - box.left) * ratio, y: (event.clientY - box.top) * ratio };
    const board = target.board();
    const { lens, lensFactor } = book.now();
    if (lens && target.tool() === 'magnifier') {
      const factor = lensFactor * wheelFactor(event);
      book.draw({ lensFactor: Math.min(largestLensFactor, Math.max(smallestLensFactor, factor)) });
      return;
    }
    if (board) {
      turn(null);
      target.turnBoard(boardZoomedAbout(board.board, board.stage, wheelFactor(event), point));
      return;
    }
    const subject = target.subjectAt(point);
    if (!subject) return;
    const wantsFrame = event.altKey || (event.ctrlKey && !isPadPinch(event));
    if (wantsFrame && subject.image.description.numberOfFrames > 1) return stepFrames(subject, event);
    turn(subject.id);
    target.change(subject.id, { view: zoomedImage(subject, wheelFactor(event), point) });
  };

  canvas.addEventListener('wheel', turned, { passive: false });
  return { inHand: () => turning?.id ?? null, boardInHand: () => turning !== null && turning.id === null, release };
};
