import { type Change, unsavedOf } from '../../../src/machines/viewer/saving.rules.ts';
import { selectSettingsOf, type ViewerActor, viewerMachine } from '../../../src/machines/viewer/viewer.machine.ts';
import { done, failed, type Model, offline, refused } from '../../paths.ts';
import { bright, dark, length, placeOf } from '../viewer-room.ts';

type Snapshot = ReturnType<ViewerActor['getSnapshot']>;

const [one, two] = [placeOf('one'), placeOf('two')];
const shown = { type: 'images.shown', places: [one, two] };
const opened = { type: 'image.opened', imageUid: 'one' };
const loaded = { type: 'image.loaded', imageUid: 'one', frames: 2 };
const view = { centreX: 1, centreY: 2, scale: 3 };
const settled = { type: 'display.settled', imageUid: 'one', display: dark, view };

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

/** Of what is shown, which images; of what is saved, what became of each change. */
const dataOf: Model['dataOf'] = (event) => {
  if (event.type === 'images.shown')
    return { images: (event.places as readonly { imageUid: string }[]).map(({ imageUid }) => imageUid) };
  if (event.type !== 'xstate.done.actor.saveChanges') return null;
  const outcomes = event.output as readonly { change: Change; version?: number; failure?: { kind: string } }[];
  return Object.fromEntries(
    outcomes.map(({ change, version, failure }) => [`${change.kind} ${change.imageUid}`, failure ?? { version }]),
  );
};

/** Which image is in hand, and whether it can be seen. */
export const hand: Model = {
  name: 'image in hand',
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
  dataOf,
  stopWhen: ({ context }) => context.attempt > 1,
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
export const displays: Model = {
  ...hand,
  name: 'display',
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
export const measures: Model = {
  ...hand,
  name: 'measurements',
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
    return stopWhen(snapshot) || (past + future > 0 && unsavedOf(snapshot.context.room).length === 0);
  },
};

/** What the machine tells itself. */
export const raised = ['settings.changed'];
