import { sameBoardView } from '../scene/board.ts';
import type { Board, BoardView, Scene } from '../scene/scene.ts';

/** The board as one looks at it at this moment: as the scene says, or as a hand has turned it since. */
export interface LiveBoard {
  readonly now: () => Board | null;
  readonly turn: (view: BoardView) => void;
  /** Takes over what differs between two scenes; a board in the middle of a gesture keeps what the hand does. */
  readonly take: (previous: Scene, next: Scene, inHand: boolean) => void;
}

export const createLiveBoard = (): LiveBoard => {
  let board: Board | null = null;
  return {
    now: () => board,
    turn: (view) => {
      if (board) board = { ...board, view };
    },
    take: (previous, next, inHand) => {
      const before = previous.board;
      const after = next.board;
      const keeps =
        board &&
        before &&
        after &&
        before.width === after.width &&
        before.height === after.height &&
        (inHand || sameBoardView(before.view, after.view));
      board = after && { ...after, view: keeps && board ? board.view : after.view };
    },
  };
};
