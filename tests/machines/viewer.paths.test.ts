import { expect, it } from 'vitest';
import { linkedUnsavedOf } from '../../src/machines/viewer/linked.rules.ts';
import { type Outcome, unsavedOf } from '../../src/machines/viewer/saving.rules.ts';
import {
  selectActiveImage,
  selectCanRedo,
  selectCanReset,
  selectCanUndo,
  selectFrames,
  selectImageState,
  selectIsSaving,
  selectSettingsOf,
  type ViewerActor,
} from '../../src/machines/viewer/viewer.machine.ts';
import type { StageImage } from '../../src/machines/viewer/viewer.rules.ts';
import { hasProblemCode } from '../../src/services/failure.ts';
import { offline, type Path } from '../paths.ts';
import { type Invariants, walkAll } from '../replay.ts';
import { activeImage, displays, followed, hiding, measures, raised } from './models/viewer.ts';

type Snapshot = ReturnType<ViewerActor['getSnapshot']>;

const unsaved = ({ context }: Snapshot) => unsavedOf(context.workspace);

const invariants: Invariants = (raw, path) => {
  const snapshot = raw as Snapshot;
  const label = path.steps.map(({ event }) => event.type).join(' -> ');
  const { workspace } = snapshot.context;
  expect(selectImageState(snapshot) === 'empty', label).toBe(selectActiveImage(snapshot) === null);
  // The frame exists in the image.
  if (selectImageState(snapshot) === 'ready')
    expect(selectSettingsOf(selectActiveImage(snapshot))(snapshot).frame, label).toBeLessThanOrEqual(
      selectFrames(snapshot),
    );
  // A change of one image is never saved for another: a linked image follows on the stage, and is saved when confirmed.
  const other = Object.values(workspace.imageStates).find(({ imageUid }) => imageUid === 'two');
  const isConfirmed = path.steps.some(({ event }) => event.type === 'followed.confirmed');
  const follows = path.steps.some(({ event }) => 'followed' in event);
  if (other && !isConfirmed) expect([other.display.value, other.settings.marks], label).toEqual([null, []]);
  if (other && !follows) expect(other.past, label).toEqual([]);
  // Following, unsaved images are on the stage.
  for (const imageState of Object.values(workspace.imageStates))
    if (imageState.linkedVoi)
      expect(
        [linkedUnsavedOf(workspace).includes(imageState.imageUid), imageState.settings.display.voi],
        label,
      ).toEqual([true, imageState.linkedVoi]);
  // Rotated as the slot defines, until a user rotates it.
  if (workspace.stageImages.some(({ imageUid }) => imageUid === 'two'))
    expect(selectSettingsOf('two')(snapshot).display.rotation, label).toBe(90);
  // Buttons are disabled during a gesture.
  const isAtRest = snapshot.matches({ image: { ready: 'settled' } });
  for (const can of [selectCanReset, selectCanUndo, selectCanRedo])
    if (!isAtRest) expect(can(snapshot), label).toBe(false);
  // Unsaved changes are being saved, or about to be.
  expect(selectIsSaving(snapshot) || unsaved(snapshot).length === 0, label).toBe(true);
  expect('saveChanges' in snapshot.children, label).toBe(snapshot.matches({ changes: 'saving' }));
};

/** Unsaved changes are dropped only when the archive saved or rejected them. */
const forgetsNothing = ({ steps }: Path) => {
  const label = steps.map(({ event }) => event.type).join(' -> ');
  for (const [index, { event, state }] of steps.entries()) {
    const before = steps[index - 1]?.state as Snapshot | undefined;
    if (!before || event.type === 'xstate.done.actor.saveChanges') continue;
    const after = unsaved(state as Snapshot);
    for (const { kind, imageUid, version } of unsaved(before))
      expect(after, label).toContainEqual(expect.objectContaining({ kind, imageUid, version }));
  }
};

/** A calibration is unknown from a rejected change until the archive has returned newer measurements, and never otherwise. */
const calibrationIsKnownAgain = ({ steps }: Path) => {
  const label = steps.map(({ event }) => event.type).join(' -> ');
  let [reported, rejected] = [0, -1];
  for (const { event, state } of steps) {
    const outcomes: readonly Outcome[] = event.type === 'xstate.done.actor.saveChanges' ? event.output : [];
    for (const outcome of outcomes.filter(({ change }) => change.kind === 'marks'))
      if ('version' in outcome) reported = Math.max(reported, outcome.version);
      else if (hasProblemCode(outcome.failure, 'conflict')) rejected = outcome.change.version;
    const stageImages: readonly StageImage[] = event.type === 'images.shown' ? event.images : [];
    reported = Math.max(reported, ...stageImages.map(({ marksVersion }) => marksVersion));
    if (!selectSettingsOf('one')(state as Snapshot).isCalibrationKnown)
      expect(rejected, label).toBeGreaterThanOrEqual(reported);
    else if (rejected >= reported) expect((state as Snapshot).context.workspace.stageImages, label).toEqual([]);
  }
};

/** Only the user hides marks, and a hidden new mark would look as if it was lost. */
const newMarksAreSeen = ({ steps }: Path) => {
  const label = steps.map(({ event }) => event.type).join(' -> ');
  let marks = 0;
  for (const { event, state } of steps) {
    const { areMarksHidden } = (state as Snapshot).context;
    const count = selectSettingsOf('one')(state as Snapshot).marks.length;
    if (event.type === 'marks.hidden') expect(areMarksHidden, label).toBe(true);
    if (['marks.shown', 'patient.closed', 'xstate.init'].includes(event.type))
      expect(areMarksHidden, label).toBe(false);
    if (event.type === 'marks.settled' && count > marks) expect(areMarksHidden, label).toBe(false);
    marks = count;
  }
};

it(
  'walks every transition of the viewer, and emits every change that it undoes',
  () =>
    walkAll(
      [activeImage, displays, measures, hiding, followed].map((model) => ({ ...model, invariants })),
      {
        raised,
        check: ({ emitted }, path) => {
          forgetsNothing(path);
          calibrationIsKnownAgain(path);
          newMarksAreSeen(path);
          const label = path.steps.map(({ event }) => event.type).join(' -> ');
          const rejections = path.steps.flatMap(({ event }): readonly unknown[] =>
            event.type === 'xstate.done.actor.saveChanges'
              ? event.output.filter((outcome: object) => 'failure' in outcome && outcome.failure !== offline)
              : [],
          );
          expect(emitted.filter(({ type }) => type === 'save.rejected').length, label).toBe(rejections.length);
        },
      },
    ),
  180_000,
);
