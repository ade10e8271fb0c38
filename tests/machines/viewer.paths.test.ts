import { expect, it } from 'vitest';
import {
  selectCanUndo,
  selectSettings,
  type ViewerActor,
  viewerMachine,
} from '../../src/machines/viewer/viewer.machine.ts';
import type { DisplaySettings } from '../../src/machines/viewer/viewer.rules.ts';
import type { Model } from '../paths.ts';
import { walkAll } from '../replay.ts';

type Snapshot = ReturnType<ViewerActor['getSnapshot']>;

const display: DisplaySettings = {
  voi: { kind: 'window', centre: 2048, width: 4096, function: 'LINEAR' },
  inverted: true,
  gamma: 1,
  rotation: 90,
  horizontalFlip: false,
  noise: 'none',
  sharpness: 0,
};

const model: Model = {
  machine: viewerMachine,
  events: [
    { type: 'image.opened', imageUid: 'one' },
    { type: 'image.opened', imageUid: 'two' },
    { type: 'image.loaded', imageUid: 'one', frames: 2 },
    { type: 'image.loaded', imageUid: 'two', frames: 1 },
    { type: 'image.failed', imageUid: 'one' },
    { type: 'load.retried' },
    { type: 'viewer.closed' },
    { type: 'tool.chosen', tool: 'pan' },
    { type: 'gesture.begun' },
    { type: 'display.settled', imageUid: 'one', display, view: { centreX: 1, centreY: 2, scale: 3 } },
    { type: 'frame.chosen', frame: 2 },
    { type: 'frame.chosen', frame: 3 },
    { type: 'image.reset' },
    { type: 'change.undone' },
  ],
  facts: ({ context }) => ({
    imageUid: context.imageUid,
    tool: context.tool,
    settings: context.settings,
    history: Math.min(context.history.length, 2),
    again: context.attempt > 0,
  }),
  stopWhen: ({ context }) => context.history.length > 2 || context.attempt > 1,
  invariants: (raw, path) => {
    const snapshot = raw as Snapshot;
    const way = path.steps.map(({ event }) => event.type).join(' -> ');
    expect(snapshot.matches('empty'), way).toBe(snapshot.context.imageUid === null);
    // A frame is one that the image has.
    if (snapshot.matches('ready'))
      expect(selectSettings(snapshot).frame, way).toBeLessThanOrEqual(snapshot.context.frames);
    // What a person did to one image is never done to another.
    expect(snapshot.context.settings.two?.display ?? null, way).toBeNull();
    // Buttons wait while the hand moves.
    if (snapshot.matches({ ready: 'moving' })) expect(selectCanUndo(snapshot), way).toBe(false);
    if (!snapshot.matches('ready')) expect(snapshot.can({ type: 'image.reset' }), way).toBe(false);
  },
};

it('walks every transition of the viewer', () => walkAll([model]));
