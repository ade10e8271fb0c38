/** Replaces the viewer's index without its engine, which needs a GPU: same labels and pure functions. */

export { percentile } from '../../../src/viewer/decode/histogram.ts';
export { profileAlong } from '../../../src/viewer/decode/profile.ts';
export { arrows, commandOf, repeats } from '../../../src/viewer/gesture/keys.ts';
export { rotatedSize } from '../../../src/viewer/scene/camera.ts';
export * from '../../../src/viewer/scene/display.ts';
export { linkedImages } from '../../../src/viewer/scene/link.ts';
export { markText, measured, measuredText, measurementScaleOf } from '../../../src/viewer/scene/measure.ts';
export * from '../../../src/viewer/scene/presented-image.ts';
export * from '../../../src/viewer/scene/scene.ts';
export { similarityOf } from '../../../src/viewer/scene/similarity.ts';
export { createStage } from './fake-stage.ts';
