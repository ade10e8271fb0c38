import { describe, expect, it } from 'vitest';
import {
  boardLookingAt,
  boardPanned,
  boardPointAt,
  boardZoomedAbout,
  largestZoom,
  poseOf,
  rectangleOnBoard,
  sameBoardView,
} from '../../src/viewer/scene/board.ts';
import type { Board, BoardView } from '../../src/viewer/scene/scene.ts';
import { emptyScene } from '../../src/viewer/scene/scene.ts';
import { createLiveBoard } from '../../src/viewer/stage/live-board.ts';

const stage = { width: 800, height: 600 };
const boardOf = (view: BoardView = 'fit'): Board => ({ width: 400, height: 200, view });

describe('a board on a stage', () => {
  it('fits whole, in the middle', () => {
    expect(poseOf(boardOf(), stage)).toEqual({ left: 0, top: 100, scale: 2 });
    expect(rectangleOnBoard({ x: 10, y: 20, width: 30, height: 40 }, poseOf(boardOf(), stage))).toEqual({
      x: 20,
      y: 140,
      width: 60,
      height: 80,
    });
  });

  it('lays neighbours edge to edge, whatever the scale', () => {
    const pose = poseOf(boardOf({ centreX: 123.4, centreY: 77.7, zoom: 1.37 }), { width: 801, height: 599 });
    const left = rectangleOnBoard({ x: 0, y: 0, width: 33.3, height: 10 }, pose);
    const right = rectangleOnBoard({ x: 33.3, y: 0, width: 20, height: 10 }, pose);
    expect(left.x + left.width).toBe(right.x);
  });

  it('keeps the point under the pointer when enlarging', () => {
    const board = boardOf({ centreX: 200, centreY: 100, zoom: 4 });
    const pointer = { x: 310, y: 222 };
    const before = boardPointAt(pointer, poseOf(board, stage));
    const after = boardPointAt(
      pointer,
      poseOf({ ...board, view: boardZoomedAbout(board, stage, 1.5, pointer) }, stage),
    );
    // The corner lies on a whole pixel: half a pixel at 8 and at 12 device pixels a unit.
    expect(Math.abs(after.x - before.x)).toBeLessThan(0.11);
    expect(Math.abs(after.y - before.y)).toBeLessThan(0.11);
  });

  it('follows the pointer, and never leaves a gap that it could fill', () => {
    const board = boardOf({ centreX: 200, centreY: 100, zoom: 4 });
    expect(boardPanned(board, stage, { x: 80, y: -16 })).toEqual({ centreX: 190, centreY: 102, zoom: 4 });
    const far = boardPanned(board, stage, { x: 1e6, y: -1e6 });
    expect(poseOf({ ...board, view: far }, stage)).toEqual({ left: 0, top: -1000, scale: 8 });
    // Enlarged by less than would fill the height: it stays in the middle of it.
    const low = boardPanned(boardOf({ centreX: 200, centreY: 100, zoom: 1.2 }), stage, { x: 0, y: 50 });
    expect(low).toMatchObject({ centreY: 100 });
  });

  it('is whole again from zoom 1 down, and bounded above', () => {
    expect(boardZoomedAbout(boardOf({ centreX: 50, centreY: 50, zoom: 1.2 }), stage, 0.5, { x: 0, y: 0 })).toBe('fit');
    expect(boardPanned(boardOf(), stage, { x: 50, y: 50 })).toBe('fit');
    expect(boardZoomedAbout(boardOf(), stage, 1e9, { x: 400, y: 300 })).toMatchObject({ zoom: largestZoom });
    expect(boardLookingAt(boardOf(), stage, { x: 0, y: 0 }, Number.NaN)).toBe('fit');
  });

  it('is compared by what it says', () => {
    const view = { centreX: 1, centreY: 2, zoom: 3 };
    expect(sameBoardView(view, { ...view })).toBe(true);
    expect(sameBoardView(view, { ...view, zoom: 4 })).toBe(false);
    expect(sameBoardView('fit', view)).toBe(false);
  });
});

describe('what a hand has made of a board', () => {
  const turned = { centreX: 100, centreY: 100, zoom: 3 };
  const sceneWith = (board: Board | null) => ({ ...emptyScene, board });
  const shown = () => {
    const live = createLiveBoard();
    live.take(emptyScene, sceneWith(boardOf()), false);
    live.turn(turned);
    return live;
  };

  it('stays when the same is shown again, and gives way to what is said otherwise', () => {
    const live = shown();
    live.take(sceneWith(boardOf()), sceneWith(boardOf()), false);
    expect(live.now()?.view).toEqual(turned);
    live.take(sceneWith(boardOf()), sceneWith(boardOf({ ...turned, zoom: 9 })), true);
    expect(live.now()?.view).toEqual(turned);
    live.take(sceneWith(boardOf()), sceneWith(boardOf({ ...turned, zoom: 9 })), false);
    expect(live.now()?.view).toMatchObject({ zoom: 9 });
  });

  it('is of this board only', () => {
    const live = shown();
    live.take(sceneWith(boardOf()), sceneWith({ ...boardOf(), width: 500 }), true);
    expect(live.now()?.view).toBe('fit');
    live.take(sceneWith(boardOf()), emptyScene, true);
    expect(live.now()).toBeNull();
  });
});
