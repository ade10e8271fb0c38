import type { KeyCommand, Scene, Stage } from '../../../src/viewer/index.ts';
import { createIntents } from '../../../src/viewer/stage/intents.ts';

export interface FakeStage extends Stage {
  readonly scenes: Scene[];
  readonly acts: KeyCommand[];
  readonly emit: ReturnType<typeof createIntents>['emit'];
  disposed: boolean;
}

/** All created stages, the newest last. */
export const stages: FakeStage[] = [];

/** A stage that records its calls and emits events on request. */
export const createStage = (): FakeStage => {
  const intents = createIntents();
  const stage: FakeStage = {
    scenes: [],
    acts: [],
    emit: intents.emit,
    disposed: false,
    show: (scene) => void stage.scenes.push(scene),
    on: intents.on,
    act: (command) => {
      stage.acts.push(command);
      return !['abandon', 'finish', 'remove-point'].includes(command.type);
    },
    settle: () => undefined,
    snapshot: () => Promise.reject(new Error('no pictures here')),
    dispose: () => {
      stage.disposed = true;
      intents.clear();
    },
  };
  stages.push(stage);
  return stage;
};
