import type { LoadedImage } from '../decode/loaded-image.ts';
import { applied, imageToStage, inverse, type Orientation, type Point, type Rectangle } from '../scene/camera.ts';
import type { Camera, Display, DrawnDisplay, Tool, View, WindowChoice } from '../scene/scene.ts';
import type { Gesture, Intent } from '../stage/intents.ts';

/** An image on the stage as hands meet it. Points and rectangles are device pixels of the stage. */
export interface Subject {
  readonly id: string;
  readonly image: LoadedImage;
  readonly rectangle: Rectangle;
  readonly display: DrawnDisplay;
  /** How the display and the shape of the pixels lay the picture. */
  readonly orientation: Orientation;
  readonly camera: Camera;
}

/** What gestures may ask of the stage. */
export interface GestureTarget {
  readonly subjectAt: (point: Point) => Subject | null;
  readonly subject: (id: string) => Subject | null;
  readonly active: () => Subject | null;
  readonly tool: () => Tool;
  readonly begin: (id: string, gesture: Gesture) => void;
  readonly change: (id: string, change: { readonly display?: Display; readonly view?: View }) => void;
  readonly settle: (id: string, gesture: Gesture) => void;
  readonly emit: (intent: Intent) => void;
  /** Device pixels per CSS pixel of the stage. */
  readonly pixelRatio: () => number;
}

/** The window that a display means; where a LUT of the file is chosen, the values that the LUT speaks of. */
export const windowMeant = ({ image, display }: Pick<Subject, 'image' | 'display'>): WindowChoice => {
  if (display.voi.kind === 'window') return display.voi;
  const lut = image.voiLuts[display.voi.index]?.lut;
  const first = lut?.firstInput ?? image.range.low;
  const length = lut?.values.length ?? image.range.high - image.range.low + 1;
  return { kind: 'window', centre: first + length / 2, width: Math.max(1, length), function: 'LINEAR' };
};

/** Column and row of the pixel under a point, null beside the picture. */
export const pixelAt = ({ image, camera, rectangle, orientation }: Subject, point: Point): Point | null => {
  const { x, y } = applied(inverse(imageToStage(camera, rectangle, orientation)), point);
  const column = Math.floor(x);
  const row = Math.floor(y);
  return column >= 0 && row >= 0 && column < image.width && row < image.height ? { x: column, y: row } : null;
};

/** One step that is begun and settled at once. */
export const once = (
  target: GestureTarget,
  id: string,
  gesture: Gesture,
  change: { readonly display?: Display; readonly view?: View },
): void => {
  target.begin(id, gesture);
  target.change(id, change);
  target.settle(id, gesture);
};
