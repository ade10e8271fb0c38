import type { KeyCommand, Scene, Stage } from '../../../src/viewer/index.ts';
import { createIntents } from '../../../src/viewer/stage/intents.ts';

export interface HandMadeStage extends Stage {
  readonly scenes: Scene[];
  readonly acts: KeyCommand[];
  readonly emit: ReturnType<typeof createIntents>['emit'];
  disposed: boolean;
}

/** Every stage that was made, the newest last. */
export const stages: HandMadeStage[] = [];

/** A stage without pictures: it keeps what it is shown and asked for, and tells what the test says. */
export const createStage = (): HandMadeStage => {
  const intents = createIntents();
  const stage: HandMadeStage = {
    scenes: [],
    acts: [],
    emit: intents.emit,
    disposed: false,
    show: (scene) => void stage.scenes.push(scene),
    on: intents.on,
    act: (command) => {
      stage.acts.push(command);
      return command.type !== 'abandon';
    },
    snapshot: () => Promise.reject(new Error('no pictures here')),
    dispose: () => {
      stage.disposed = true;
      intents.clear();
    },
  };
  stages.push(stage);
  return stage;
};
