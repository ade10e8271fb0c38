import type { LoadedImage } from '../decode/loaded-image.ts';
import {
  applied,
  imageToStage,
  inverse,
  type Orientation,
  type Point,
  type Rectangle,
  type Size,
} from '../scene/camera.ts';
import type { MountTransform } from '../scene/mount.ts';
import type {
  Camera,
  Display,
  KnownCalibration,
  Mark,
  Mount,
  MountViewport,
  ResolvedDisplay,
  Tool,
  View,
} from '../scene/scene.ts';
import type { Gesture, Intent } from '../stage/intents.ts';

/** An image on the stage as gestures see it. Points and rectangles are device pixels of the stage. */
export interface StageImage {
  readonly id: string;
  readonly image: LoadedImage;
  readonly isSlice: boolean;
  /** The requested frame; `image` may still be the previous one. */
  readonly frame: number;
  readonly rectangle: Rectangle;
  /** The display as stored: `voi` null is the default of the file. */
  readonly display: Display;
  /** The display as drawn, with `voi` resolved. */
  readonly drawn: ResolvedDisplay;
  /** Rotation, flip and pixel aspect. */
  readonly orientation: Orientation;
  readonly camera: Camera;
  readonly marks: readonly Mark[];
  /** Author and time of marks by id. */
  readonly authorTexts: Readonly<Record<string, string>>;
  readonly calibration: KnownCalibration;
  /** The display after a reset. */
  readonly plain: Display;
}

export interface Change {
  readonly display?: Display;
  readonly view?: View;
}

/** The mount with its live viewport. */
export interface LiveMountState {
  readonly mount: Mount;
  readonly stage: Size;
  readonly pose: MountTransform;
}

/** The interface of the stage for gestures. */
export interface GestureTarget {
  /** The image whose rectangle is under a point, also while it loads. */
  readonly idAt: (point: Point) => string | null;
  readonly stageImageAt: (point: Point) => StageImage | null;
  readonly stageImage: (id: string) => StageImage | null;
  readonly active: () => StageImage | null;
  readonly tool: () => Tool;
  readonly marksHidden: () => boolean;
  readonly begin: (id: string, gesture: Gesture) => void;
  readonly change: (id: string, change: Change) => void;
  readonly settle: (id: string, gesture: Gesture) => void;
  /** Replaces all measurements of an image; emits `marks.settled` when `settled`. */
  readonly mark: (id: string, marks: readonly Mark[], settled: boolean) => void;
  /** null when the scene has no mount. */
  readonly mount: () => LiveMountState | null;
  readonly setMountViewport: (view: MountViewport) => void;
  readonly settleMount: () => void;
  readonly emit: (intent: Intent) => void;
  /** Device pixels per CSS pixel of the stage. */
  readonly pixelRatio: () => number;
}

/** Returns the image point (image pixels) under a point of the stage; it may be outside the image. */
export const imagePointAt = ({ camera, rectangle, orientation }: StageImage, point: Point): Point =>
  applied(inverse(imageToStage(camera, rectangle, orientation)), point);

/** Returns column and row of the pixel under a point, null outside the image. */
export const pixelAt = (stageImage: StageImage, point: Point): Point | null => {
  const { x, y } = imagePointAt(stageImage, point);
  const column = Math.floor(x);
  const row = Math.floor(y);
  const { width, height } = stageImage.image;
  return column >= 0 && row >= 0 && column < width && row < height ? { x: column, y: row } : null;
};

/** Applies a change as a gesture that starts and settles at once. */
export const once = (target: GestureTarget, id: string, gesture: Gesture, change: Change): void => {
  target.begin(id, gesture);
  target.change(id, change);
  target.settle(id, gesture);
};
