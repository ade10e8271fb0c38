import { expect, it } from 'vitest';
import { type Change, unsavedOf } from '../../src/machines/viewer/saving.rules.ts';
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
  viewerMachine,
} from '../../src/machines/viewer/viewer.machine.ts';
import { done, failed, type Model, offline, type Path, refused } from '../paths.ts';
import { walkAll } from '../replay.ts';
import { bright, dark, length, placeOf } from './viewer-room.ts';

type Snapshot = ReturnType<ViewerActor['getSnapshot']>;

const [one, two] = [placeOf('one'), placeOf('two')];
const shown = { type: 'images.shown', places: [one, two] };
const opened = { type: 'image.opened', imageUid: 'one' };
const loaded = { type: 'image.loaded', imageUid: 'one', frames: 2 };
const view = { centreX: 1, centreY: 2, scale: 3 };
const settled = { type: 'display.settled', imageUid: 'one', display: dark, view };

const unsaved = ({ context }: Snapshot) => unsavedOf(context.room);

/** What the archive makes of what it was sent: all taken, all refused, or it is out of order for now. */
const answers = (raw: { readonly children: object }) => {
  if (!('saveChanges' in raw.children)) return [];
  const snapshot = raw as Snapshot;
  const sent = snapshot.children.saveChanges?.getSnapshot() as { readonly input?: readonly Change[] } | undefined;
  const changes = sent?.input ?? [];
  return [
    done(
      'saveChanges',
      changes.map((change) => ({ change, version: change.version + 1 })),
    ),
    done(
      'saveChanges',
      changes.map((change) => ({ change, failure: refused('conflict') })),
    ),
    done(
      'saveChanges',
      changes.map((change) => ({ change, failure: offline })),
    ),
  ];
};

const invariants: Model['invariants'] = (raw, path) => {
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

const facts: Model['facts'] = ({ context }) => ({
  imageUid: context.imageUid,
  tool: context.tool,
  loaded: context.loaded.one,
  places: context.room.places.length,
  again: context.attempt > 0,
  unsaved: unsavedOf(context.room),
  settings: selectSettingsOf('one')({ context } as Snapshot),
  past: Math.min(selectHistory(context).past, 2),
  future: Math.min(selectHistory(context).future, 2),
});

const selectHistory = (context: Snapshot['context']) => {
  const entry = Object.values(context.room.entries).find(({ imageUid }) => imageUid === 'one');
  return { past: entry?.past.length ?? 0, future: entry?.future.length ?? 0 };
};

/** Which image is in hand, and whether it can be seen. */
const hand: Model = {
  machine: viewerMachine,
  events: [
    shown,
    opened,
    { type: 'image.opened', imageUid: 'two' },
    loaded,
    { type: 'image.loaded', imageUid: 'two', frames: 1 },
    { type: 'image.failed', imageUid: 'one' },
    { type: 'load.retried' },
    { type: 'viewer.closed' },
    { type: 'changes.restored', changes: [] },
    { type: 'tool.chosen', tool: 'pan' },
    { type: 'gesture.begun' },
    { type: 'frame.chosen', frame: 2 },
    { type: 'frame.chosen', frame: 3 },
    // These have no effect here: nothing is changed.
    ...['display.settled', 'marks.settled', 'image.calibrated'].map((type) => ({ type, imageUid: 'three' })),
    ...['image.reset', 'change.undone', 'change.redone', 'page.hidden'].map((type) => ({ type })),
    done('saveChanges', []),
    failed('saveChanges', offline),
  ],
  facts,
  stopWhen: ({ context }) => context.attempt > 1,
  invariants,
};

/** What the models of saving leave out: no effect, or shown by the model of the hand. */
const beside = [
  { type: 'image.failed', imageUid: 'two' },
  { type: 'tool.chosen', tool: 'window' },
  { type: 'frame.chosen', frame: 0 },
  ...['load.retried', 'gesture.begun'].map((type) => ({ type })),
  // A port that breaks loses nothing.
  failed('saveChanges', { kind: 'unexpected' }),
];

const stopWhen: Model['stopWhen'] = ({ context }) => {
  const { past, future } = selectHistory(context);
  const changes = unsavedOf(context.room);
  const isLeft = past + future > 0 && context.room.places.length === 0;
  return past + future > 1 || changes.some(({ version }) => version > 1) || (isLeft && changes.length === 0);
};

/** How one image is shown: changed here and elsewhere, undone, on its way to the archive, and back. */
const displays: Model = {
  ...hand,
  events: [
    shown,
    { type: 'images.shown', places: [placeOf('one', { display: bright, displayVersion: 1 }), placeOf('two')] },
    opened,
    loaded,
    settled,
    { type: 'image.reset' },
    { type: 'change.undone' },
    { type: 'change.redone' },
    { type: 'viewer.closed' },
    ...beside,
    { type: 'page.hidden' },
    { type: 'changes.restored', changes: [] },
    ...['marks.settled', 'image.calibrated'].map((type) => ({ type, imageUid: 'three' })),
  ],
  answers,
  stopWhen,
};

/** Measurements and calibration. */
const measures: Model = {
  ...hand,
  events: [
    shown,
    opened,
    loaded,
    { type: 'marks.settled', imageUid: 'one', marks: [length] },
    { type: 'image.calibrated', imageUid: 'one', calibration: { mmPerPixel: 0.03 } },
    { type: 'display.settled', imageUid: 'three' },
    {
      type: 'changes.restored',
      changes: [{ kind: 'marks', imageUid: 'one', marks: [length], calibration: null, version: 0 }],
    },
    { type: 'change.undone' },
    { type: 'page.hidden' },
    ...beside,
    ...['image.reset', 'change.redone', 'viewer.closed'].map((type) => ({ type })),
  ],
  answers,
  stopWhen: (snapshot) => {
    const { past, future } = selectHistory(snapshot.context);
    return stopWhen(snapshot) || (past + future > 0 && unsaved(snapshot as Snapshot).length === 0);
  },
};

it(
  'walks every transition of the viewer, and tells of every change that it takes back',
  () =>
    walkAll([hand, displays, measures], {
      raised: ['settings.changed'],
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
    }),
  180_000,
);
