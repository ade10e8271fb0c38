import type { Point, Rectangle, Size } from './camera.ts';
import type { Board, BoardView, Place } from './scene.ts';

/** Where a board lies on a stage: device pixels from the corner of the stage, and device pixels per board unit. */
export interface BoardPose {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

/** How many times larger than whole a board can be looked at. */
export const largestZoom = 64;

const wholeScale = (board: Board, stage: Size): number => {
  const scale = Math.min(stage.width / board.width, stage.height / board.height);
  return scale > 0 && Number.isFinite(scale) ? scale : 1;
};

/** The middle of the stage along one side, so that the board leaves no gap that it could fill. */
const within = (centre: number, boardLength: number, seen: number): number =>
  seen >= boardLength ? boardLength / 2 : Math.min(boardLength - seen / 2, Math.max(seen / 2, centre));

/** The view with `centre` (board units) in the middle of the stage, as near as the edges of the board allow; 'fit' from zoom 1 down. */
export const boardLookingAt = (board: Board, stage: Size, centre: Point, zoom: number): BoardView => {
  if (!(zoom > 1 + 1e-9)) return 'fit';
  const bounded = Math.min(largestZoom, zoom);
  const scale = wholeScale(board, stage) * bounded;
  return {
    centreX: within(centre.x, board.width, stage.width / scale),
    centreY: within(centre.y, board.height, stage.height / scale),
    zoom: bounded,
  };
};

/** Where the board lies on a stage of `stage` device pixels; its corner on a whole pixel. */
export const poseOf = (board: Board, stage: Size): BoardPose => {
  const whole = wholeScale(board, stage);
  const view = board.view === 'fit' ? null : board.view;
  const scale = whole * (view?.zoom ?? 1);
  const kept = view ? boardLookingAt(board, stage, { x: view.centreX, y: view.centreY }, view.zoom) : 'fit';
  const centre = kept === 'fit' ? { x: board.width / 2, y: board.height / 2 } : { x: kept.centreX, y: kept.centreY };
  return {
    left: Math.round(stage.width / 2 - centre.x * scale),
    top: Math.round(stage.height / 2 - centre.y * scale),
    scale: kept === 'fit' ? whole : whole * kept.zoom,
  };
};

/** A place in board units as a rectangle of the stage, on whole device pixels. */
export const rectangleOnBoard = (place: Place, { left, top, scale }: BoardPose): Rectangle => {
  const x = Math.round(left + place.x * scale);
  const y = Math.round(top + place.y * scale);
  return {
    x,
    y,
    width: Math.round(left + (place.x + place.width) * scale) - x,
    height: Math.round(top + (place.y + place.height) * scale) - y,
  };
};

/** The board point (board units) under a point of the stage (device pixels). */
export const boardPointAt = ({ x, y }: Point, { left, top, scale }: BoardPose): Point => ({
  x: (x - left) / scale,
  y: (y - top) / scale,
});

const middleOf = (board: Board): Point =>
  board.view === 'fit' ? { x: board.width / 2, y: board.height / 2 } : { x: board.view.centreX, y: board.view.centreY };

const zoomOf = ({ view }: Board): number => (view === 'fit' ? 1 : view.zoom);

/** Scaled by `factor`; the board point under `point` (device pixels) stays under it as far as the edges allow. */
export const boardZoomedAbout = (board: Board, stage: Size, factor: number, point: Point): BoardView => {
  const zoom = Math.min(largestZoom, zoomOf(board) * factor);
  const under = boardPointAt(point, poseOf(board, stage));
  const scale = wholeScale(board, stage) * Math.max(1, zoom);
  const centre = {
    x: under.x - (point.x - stage.width / 2) / scale,
    y: under.y - (point.y - stage.height / 2) / scale,
  };
  return boardLookingAt(board, stage, centre, zoom);
};

/** The board follows the pointer: moved by `step` device pixels. */
export const boardPanned = (board: Board, stage: Size, step: Point): BoardView => {
  const { scale } = poseOf(board, stage);
  const middle = middleOf(board);
  return boardLookingAt(board, stage, { x: middle.x - step.x / scale, y: middle.y - step.y / scale }, zoomOf(board));
};

export const sameBoardView = (one: BoardView, other: BoardView): boolean =>
  one === other ||
  (one !== 'fit' &&
    other !== 'fit' &&
    one.centreX === other.centreX &&
    one.centreY === other.centreY &&
    one.zoom === other.zoom);
