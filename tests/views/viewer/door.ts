/** The door of the viewer without its engine, which needs a graphics card: the same words and pure functions. */
export { percentile } from '../../../src/viewer/decode/histogram.ts';
export { commandOf } from '../../../src/viewer/gesture/keys.ts';
export * from '../../../src/viewer/scene/display.ts';
export { measured, measuredText, yardstickOf } from '../../../src/viewer/scene/measure.ts';
export * from '../../../src/viewer/scene/scene.ts';
export { createStage } from './hand-made-stage.ts';
