/** The one door of the viewer. */
export type { Histogram } from './decode/histogram.ts';
export { histogramOf, percentile } from './decode/histogram.ts';
export { createImages, type Images, type ImagesOptions, type WantedPicture } from './decode/images.ts';
export type { ImagePixels, LoadedImage } from './decode/loaded-image.ts';
export { valueAt } from './decode/pixel-value.ts';
export type { WorkOptions } from './decode/shared-work.ts';
export { commandOf, type KeyCommand, type KeyPress } from './gesture/keys.ts';
export { autoWindow } from './scene/auto-window.ts';
export { actualSize, sameView } from './scene/camera.ts';
export {
  flippedHorizontally,
  flippedVertically,
  inverted,
  noiseToggled,
  rotated,
  sameDisplay,
  sharpenToggled,
  withGamma,
  withPlainGreys,
  withWindow,
} from './scene/display.ts';
export {
  type Honesty,
  type Measured,
  measured,
  measuredText,
  type StageWords,
  type Yardstick,
  yardstickOf,
} from './scene/measure.ts';
export {
  type Board,
  type BoardView,
  type Calibration,
  type Camera,
  type Display,
  type DrawnDisplay,
  emptyScene,
  type LutChoice,
  type Mark,
  type Place,
  type Scene,
  type SceneImage,
  sceneOf,
  type Tool,
  type View,
  type WindowChoice,
  wholeStage,
  withImage,
} from './scene/scene.ts';
export { createStage, type Stage, type StageOptions } from './stage/create-stage.ts';
export type { Gesture, Intent, IntentOf, IntentType } from './stage/intents.ts';
export type { Snapshot } from './stage/snapshot.ts';
