import type { LoadedImage } from '../decode/loaded-image.ts';
import type { BoardPose } from '../scene/board.ts';
import {
  applied,
  imageToStage,
  inverse,
  type Orientation,
  type Point,
  type Rectangle,
  type Size,
} from '../scene/camera.ts';
import type {
  Board,
  BoardView,
  Calibration,
  Camera,
  Display,
  DrawnDisplay,
  Mark,
  Tool,
  View,
  WindowChoice,
} from '../scene/scene.ts';
import type { Gesture, Intent } from '../stage/intents.ts';

/** An image on the stage as hands meet it. Points and rectangles are device pixels of the stage. */
export interface Subject {
  readonly id: string;
  readonly image: LoadedImage;
  /** The frame that is asked for; `image` may still be the one before. */
  readonly frame: number;
  readonly rectangle: Rectangle;
  /** As it is kept: `voi` null as the file asks. */
  readonly display: Display;
  /** As it is drawn. */
  readonly drawn: DrawnDisplay;
  /** How the display and the shape of the pixels lay the picture. */
  readonly orientation: Orientation;
  readonly camera: Camera;
  readonly marks: readonly Mark[];
  readonly calibration: Calibration | null;
  /** What a reset goes back to. */
  readonly plain: Display;
}

export interface Change {
  readonly display?: Display;
  readonly view?: View;
}

/** A board under a hand: the view is live. */
export interface BoardInHand {
  readonly board: Board;
  readonly stage: Size;
  readonly pose: BoardPose;
}

/** What gestures may ask of the stage. */
export interface GestureTarget {
  /** The image of the place under a point, also while it loads. */
  readonly idAt: (point: Point) => string | null;
  readonly subjectAt: (point: Point) => Subject | null;
  readonly subject: (id: string) => Subject | null;
  readonly active: () => Subject | null;
  readonly tool: () => Tool;
  readonly begin: (id: string, gesture: Gesture) => void;
  readonly change: (id: string, change: Change) => void;
  readonly settle: (id: string, gesture: Gesture) => void;
  /** All measurements of an image; told when they are settled. */
  readonly mark: (id: string, marks: readonly Mark[], settled: boolean) => void;
  /** null off a board. */
  readonly board: () => BoardInHand | null;
  readonly turnBoard: (view: BoardView) => void;
  readonly settleBoard: () => void;
  readonly emit: (intent: Intent) => void;
  /** Device pixels per CSS pixel of the stage. */
  readonly pixelRatio: () => number;
}

/** The window that a display means; where a LUT of the file is chosen, the values that the LUT speaks of. */
export const windowMeant = ({ image, drawn }: Pick<Subject, 'image' | 'drawn'>): WindowChoice => {
  if (drawn.voi.kind === 'window') return drawn.voi;
  const lut = image.voiLuts[drawn.voi.index]?.lut;
  const first = lut?.firstInput ?? image.range.low;
  const length = lut?.values.length ?? image.range.high - image.range.low + 1;
  return { kind: 'window', centre: first + length / 2, width: Math.max(1, length), function: 'LINEAR' };
};

/** The image point (image pixels) under a point of the stage, be it inside the picture or not. */
export const imagePointAt = ({ camera, rectangle, orientation }: Subject, point: Point): Point =>
  applied(inverse(imageToStage(camera, rectangle, orientation)), point);

/** Column and row of the pixel under a point, null beside the picture. */
export const pixelAt = (subject: Subject, point: Point): Point | null => {
  const { x, y } = imagePointAt(subject, point);
  const column = Math.floor(x);
  const row = Math.floor(y);
  const { width, height } = subject.image;
  return column >= 0 && row >= 0 && column < width && row < height ? { x: column, y: row } : null;
};

/** One step that is begun and settled at once. */
export const once = (target: GestureTarget, id: string, gesture: Gesture, change: Change): void => {
  target.begin(id, gesture);
  target.change(id, change);
  target.settle(id, gesture);
};
