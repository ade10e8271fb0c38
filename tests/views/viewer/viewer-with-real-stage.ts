import type { IntentOf, Scene, Stage } from '../../../src/viewer/index.ts';
import { createStage as createRealStage } from '../../../src/viewer/stage/create-stage.ts';

export { percentile } from '../../../src/viewer/decode/histogram.ts';
export { profileAlong } from '../../../src/viewer/decode/profile.ts';
export { arrows, commandOf, repeats } from '../../../src/viewer/gesture/keys.ts';
export { actualSize, rotatedSize, sameView } from '../../../src/viewer/scene/camera.ts';
export * from '../../../src/viewer/scene/display.ts';
export { linkedImages } from '../../../src/viewer/scene/link.ts';
export { markText, measured, measuredText, measurementScaleOf } from '../../../src/viewer/scene/measure.ts';
export * from '../../../src/viewer/scene/presented-image.ts';
export * from '../../../src/viewer/scene/scene.ts';
/** The viewer's index with the real stage. The test mocks what draws on the GPU: `renderer.ts`, `painter.ts` and `snapshot.ts`. */
export { createPictureRenderer } from '../../../src/viewer/stage/render-picture.ts';

export interface WatchedStage {
  readonly stage: Stage;
  readonly scenes: Scene[];
  /** What is drawn of each image. */
  readonly drawn: Map<string, IntentOf<'view.drawn'>>;
}

/** All created stages, the newest last, with the scenes they were shown. */
export const stages: WatchedStage[] = [];

export const createStage: typeof createRealStage = (...options) => {
  const stage = createRealStage(...options);
  const scenes: Scene[] = [];
  const drawn: WatchedStage['drawn'] = new Map();
  stage.on('view.drawn', (intent) => drawn.set(intent.id, intent));
  stages.push({ stage, scenes, drawn });
  return {
    ...stage,
    show: (scene) => {
      scenes.push(scene);
      stage.show(scene);
    },
  };
};
