import { boardPanned, boardPointAt } from '../scene/board.ts';
import { type DragGesture, dragHold } from './drags.ts';
import { type Hold, idleHold, type Press, strayed } from './hold.ts';

/** A finger that rests this long on an image picks it up. */
const pickUpMs = 350;

/** The board follows the pointer; a press that stays where it is is `clicked`. */
const boardPanHold = (press: Press, clicked: () => void): Hold => {
  const { target, start } = press;
  const from = target.board()?.board;
  let begun = false;
  const settle = () => {
    if (begun) target.settleBoard();
    begun = false;
  };
  return {
    image: () => null,
    board: () => begun,
    moved: (point) => {
      const now = target.board();
      if (!from || !now || !(begun || strayed(press, point))) return;
      begun = true;
      target.turnBoard(boardPanned(from, now.stage, { x: point.x - start.x, y: point.y - start.y }));
    },
    lifted: () => {
      if (begun) settle();
      else clicked();
    },
    dropped: settle,
  };
};

/** Picked up: by a movement of mouse or pen, by a finger that rests. A finger that moves at once moves the board. */
const carryHold = (press: Press, id: string): Hold => {
  const { target, touch } = press;
  let hold = boardPanHold(press, () => target.emit({ type: 'image.chosen', id }));
  const carry = () => {
    hold = idleHold();
    press.letGo();
    press.book.draw({ lens: null });
    const { x, y } = press.client;
    target.emit({ type: 'image.carried', id, pointerId: press.pointerId, clientX: x, clientY: y });
  };
  const rest = touch ? setTimeout(carry, pickUpMs) : undefined;
  return {
    image: () => null,
    board: () => hold.board(),
    moved: (point) => {
      if (!touch) {
        if (strayed(press, point)) carry();
        return;
      }
      if (strayed(press, point)) clearTimeout(rest);
      hold.moved(point);
    },
    lifted: () => {
      clearTimeout(rest);
      hold.lifted();
    },
    dropped: () => {
      clearTimeout(rest);
      hold.dropped();
    },
  };
};

/** The window of an image of the board, which is chosen by it. */
const windowHold = (press: Press, id: string): Hold => {
  const { target } = press;
  const subject = target.subject(id);
  const gesture: DragGesture = 'window';
  const chosen = () => target.emit({ type: 'image.chosen', id });
  if (!subject) return idleHold(chosen);
  chosen();
  return dragHold(press, gesture, subject);
};

/** What a press on a board becomes. */
export const boardHold = (press: Press, button: 'left' | 'middle' | 'right', spaceHeld: boolean): Hold => {
  const { target, start } = press;
  const id = target.idAt(start);
  if (button === 'middle' || spaceHeld) return boardPanHold(press, () => undefined);
  if (id !== null) return button === 'right' ? windowHold(press, id) : carryHold(press, id);
  return boardPanHold(press, () => {
    const now = target.board();
    if (now && button === 'left') target.emit({ type: 'board.pressed', ...boardPointAt(start, now.pose) });
  });
};
