import { expect, it } from 'vitest';
import { unsavedOf } from '../../src/machines/viewer/saving.rules.ts';
import {
  selectCanRedo,
  selectCanReset,
  selectCanUndo,
  selectFrames,
  selectImageState,
  selectInHand,
  selectIsSaving,
  selectSettingsOf,
  type ViewerActor,
} from '../../src/machines/viewer/viewer.machine.ts';
import { offline, type Path } from '../paths.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { displays, hand, measures, raised } from './models/viewer.ts';

type Snapshot = ReturnType<ViewerActor['getSnapshot']>;

const unsaved = ({ context }: Snapshot) => unsavedOf(context.room);

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const way = path.steps.map(({ event }) => event.type).join(' -> ');
  const { room } = snapshot.context;
  expect(selectImageState(snapshot) === 'empty', way).toBe(selectInHand(snapshot) === null);
  // A frame is one that the image has.
  if (selectImageState(snapshot) === 'ready')
    expect(selectSettingsOf(selectInHand(snapshot))(snapshot).frame, way).toBeLessThanOrEqual(selectFrames(snapshot));
  // What a person did to one image is never done to another.
  const other = Object.values(room.entries).find(({ imageUid }) => imageUid === 'two');
  if (other) expect([other.display.value, other.settings.marks, other.past], way).toEqual([null, [], []]);
  // Turned as the slot asks as long as nobody has turned it otherwise.
  if (room.places.length > 0) expect(selectSettingsOf('two')(snapshot).display.rotation, way).toBe(90);
  // Buttons wait while the hand moves.
  const isAtRest = snapshot.matches({ hand: { ready: 'settled' } });
  for (const can of [selectCanReset, selectCanUndo, selectCanRedo])
    if (!isAtRest) expect(can(snapshot), way).toBe(false);
  // What the archive does not have yet is on its way, or about to be.
  expect(selectIsSaving(snapshot) || unsaved(snapshot).length === 0, way).toBe(true);
  expect('saveChanges' in snapshot.children, way).toBe(snapshot.matches({ keeping: 'saving' }));
};

/** Nothing that was unsaved is forgotten but by the archive's word. */
const forgetsNothing = ({ steps }: Path) => {
  const way = steps.map(({ event }) => event.type).join(' -> ');
  for (const [index, { event, state }] of steps.entries()) {
    const before = steps[index - 1]?.state as Snapshot | undefined;
    if (!before || event.type === 'xstate.done.actor.saveChanges') continue;
    const after = unsaved(state as Snapshot);
    for (const { kind, imageUid, version } of unsaved(before))
      expect(after, way).toContainEqual(expect.objectContaining({ kind, imageUid, version }));
  }
};

it(
  'walks every transition of the viewer, and tells of every change that it takes back',
  () =>
    walkAll(
      [hand, displays, measures].map((model) => ({ ...model, invariants })),
      {
        raised,
        check: ({ told }, path) => {
          forgetsNothing(path);
          const way = path.steps.map(({ event }) => event.type).join(' -> ');
          const refusals = path.steps.flatMap(({ event }): readonly unknown[] =>
            event.type === 'xstate.done.actor.saveChanges'
              ? event.output.filter((outcome: object) => 'failure' in outcome && outcome.failure !== offline)
              : [],
          );
          expect(told.filter(({ type }) => type === 'save.refused').length, way).toBe(refusals.length);
        },
      },
    ),
  180_000,
);
