import type { Point } from '../scene/camera.ts';
import type { MarkPoint } from '../scene/measure.ts';
import type { OverlayStore } from './overlay-store.ts';
import type { GestureTarget } from './target.ts';

/** A gesture from pointer down to pointer up. Points are device pixels of the stage. */
export interface PressGesture {
  /** The image that the gesture changes; null before it has started. */
  readonly image: () => string | null;
  readonly mount: () => boolean;
  readonly move: (point: Point) => void;
  /** The pointer went up: the change is settled. */
  readonly end: () => void;
  /** Cancelled by a second finger or the browser: the change so far is settled, and no click follows. */
  readonly cancel: () => void;
}

/** A pointer press with what gestures need. */
export interface Press {
  readonly target: GestureTarget;
  readonly overlay: OverlayStore;
  readonly start: Point;
  readonly pointerId: number;
  readonly touch: boolean;
  readonly client: Point;
  /** Releases the pointer capture, so that the listener of the intent can follow the pointer. */
  readonly release: () => void;
}

/** CSS pixels of movement below which a press is a click. */
export const dragThreshold = 6;

export const exceedsDragThreshold = ({ target, start }: Pick<Press, 'target' | 'start'>, point: Point): boolean =>
  Math.hypot(point.x - start.x, point.y - start.y) > dragThreshold * target.pixelRatio();

/** Clamps an image point to the image. */
export const insideImage = ({ x, y }: Point, { width, height }: { width: number; height: number }): MarkPoint => [
  Math.min(width, Math.max(0, x)),
  Math.min(height, Math.max(0, y)),
];

/** A gesture that does nothing; a click is reported. */
export const noGesture = (clicked: () => void = () => undefined): PressGesture => ({
  image: () => null,
  mount: () => false,
  move: () => undefined,
  end: clicked,
  cancel: () => undefined,
});
