/** The public interface of the viewer. */
export type { Histogram } from './decode/histogram.ts';
export { histogramOf, percentile } from './decode/histogram.ts';
export { createImages, type ImageRequest, type Images, type ImagesOptions } from './decode/images.ts';
export type { ImagePixels, LoadedImage } from './decode/loaded-image.ts';
export { valueAt } from './decode/pixel-value.ts';
export { profileAlong } from './decode/profile.ts';
export type { WorkOptions } from './decode/shared-work.ts';
export { arrows, commandOf, type KeyCommand, type KeyPress, repeats } from './gesture/keys.ts';
export { autoWindow } from './scene/auto-window.ts';
export { actualSize, type Point, rotatedSize, type Size, sameView } from './scene/camera.ts';
export {
  flippedHorizontally,
  flippedVertically,
  inverted,
  isSameDisplay,
  noiseToggled,
  rotated,
  sharpenToggled,
  withDefaultsExceptOrientation,
  withGamma,
  withWindow,
} from './scene/display.ts';
export { linkedImages } from './scene/link.ts';
export {
  type Measured,
  type MeasurementScale,
  markText,
  measured,
  measuredText,
  measurementScaleOf,
  type SpacingSource,
  type StageTexts,
} from './scene/measure.ts';
export { areaOf, isForFrame, lacksGreyValues, presentedImage } from './scene/presented-image.ts';
export {
  type Calibration,
  type Camera,
  type Display,
  emptyScene,
  isMarkTool,
  type KnownCalibration,
  type LutChoice,
  type Mark,
  type MarkTool,
  type Mount,
  type MountViewport,
  type Placement,
  type PresentationState,
  type ResolvedDisplay,
  type Scene,
  type SceneImage,
  sceneOf,
  type Tool,
  type View,
  type WindowChoice,
  wholeStage,
  withImage,
} from './scene/scene.ts';
export { type Similarity, similarityOf } from './scene/similarity.ts';
export { createStage, type Stage, type StageOptions } from './stage/create-stage.ts';
export type { Gesture, Intent, IntentOf, IntentType } from './stage/intents.ts';
export {
  createPictureRenderer,
  type Picture,
  type PictureOptions,
  type PictureRenderer,
  type PictureType,
} from './stage/render-picture.ts';
export type { Snapshot } from './stage/snapshot.ts';
