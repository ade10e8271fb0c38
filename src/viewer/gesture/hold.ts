import type { Point } from '../scene/camera.ts';
import type { MarkPoint } from '../scene/measure.ts';
import type { SketchBook } from './sketch.ts';
import type { GestureTarget } from './target.ts';

/** What a press becomes, until it is lifted. Points are device pixels of the stage. */
export interface Hold {
  /** The image in the middle of a gesture, null before it has begun. */
  readonly image: () => string | null;
  readonly board: () => boolean;
  readonly moved: (point: Point) => void;
  /** Lifted where it was last; what it did is settled. */
  readonly lifted: () => void;
  /** Taken away: by a second finger, by the browser. What it did so far is settled, and it was no click. */
  readonly dropped: () => void;
}

/** A press, and what it may do. */
export interface Press {
  readonly target: GestureTarget;
  readonly book: SketchBook;
  readonly start: Point;
  readonly pointerId: number;
  readonly touch: boolean;
  readonly client: Point;
  /** Gives the pointer up: whoever was told follows it. */
  readonly letGo: () => void;
}

/** CSS pixels that a hand trembles by. */
export const tremble = 6;

export const strayed = ({ target, start }: Pick<Press, 'target' | 'start'>, point: Point): boolean =>
  Math.hypot(point.x - start.x, point.y - start.y) > tremble * target.pixelRatio();

/** The image point, kept inside the picture. */
export const insideImage = ({ x, y }: Point, { width, height }: { width: number; height: number }): MarkPoint => [
  Math.min(width, Math.max(0, x)),
  Math.min(height, Math.max(0, y)),
];

/** A press that does nothing but wait to be lifted. */
export const idleHold = (clicked: () => void = () => undefined): Hold => ({
  image: () => null,
  board: () => false,
  moved: () => undefined,
  lifted: clicked,
  dropped: () => undefined,
});
