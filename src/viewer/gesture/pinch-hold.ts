import { boardPanned, boardZoomedAbout } from '../scene/board.ts';
import { type Point, panned } from '../scene/camera.ts';
import { type Pinch, pinchBetween } from './pinch.ts';
import type { GestureTarget } from './target.ts';
import { zoomedImage } from './zoomed-image.ts';

/** Two fingers on an image, or on the board: they enlarge and move. */
export interface PinchHold {
  readonly image: () => string | null;
  readonly board: () => boolean;
  /** One of the two moved, from `was` to `point`, while the other stayed at `other`. */
  readonly moved: (other: Point, was: Point, point: Point) => void;
  readonly settle: () => void;
}

const pinchBoard = (target: GestureTarget, { factor, middle, step }: Pinch) => {
  const before = target.board();
  if (!before) return;
  target.turnBoard(boardPanned(before.board, before.stage, step));
  const moved = target.board();
  if (moved) target.turnBoard(boardZoomedAbout(moved.board, moved.stage, factor, middle));
};

const pinchImage = (target: GestureTarget, id: string, { factor, middle, step }: Pinch) => {
  const subject = target.subject(id);
  if (!subject) return;
  const camera = panned(subject.camera, step, subject.image, subject.orientation);
  target.change(id, { view: zoomedImage({ ...subject, camera }, factor, middle) });
};

/** `id`: the image under the first finger, null for the board. */
export const pinchHold = (target: GestureTarget, id: string | null): PinchHold => {
  let begun = false;
  return {
    image: () => (begun ? id : null),
    board: () => begun && id === null,
    moved: (other, was, point) => {
      if (!begun && id !== null) target.begin(id, 'zoom');
      begun = true;
      const pinch = pinchBetween([other, was], [other, point]);
      if (id === null) pinchBoard(target, pinch);
      else pinchImage(target, id, pinch);
    },
    settle: () => {
      if (!begun) return;
      begun = false;
      if (id === null) target.settleBoard();
      else target.settle(id, 'zoom');
    },
  };
};
