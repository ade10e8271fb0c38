import { linkedUnsavedOf } from '../../../src/machines/viewer/linked.rules.ts';
import { type Change, unsavedOf } from '../../../src/machines/viewer/saving.rules.ts';
import { selectSettingsOf, type ViewerActor, viewerMachine } from '../../../src/machines/viewer/viewer.machine.ts';
import { done, failed, type Model, offline, refused } from '../../paths.ts';
import { bright, dark, length, stageImageOf } from '../viewer-fixtures.ts';

type Snapshot = ReturnType<ViewerActor['getSnapshot']>;

const [one, two] = [stageImageOf('one'), stageImageOf('two')];
const shown = { type: 'images.shown', images: [one, two] };
const opened = { type: 'image.opened', imageUid: 'one' };
const loaded = { type: 'image.loaded', imageUid: 'one', frames: 2 };
const view = { centreX: 1, centreY: 2, scale: 3 };
const settled = { type: 'display.settled', imageUid: 'one', display: dark, view };

/** Replies to a save: all accepted, all rejected, or the archive is unavailable for now. */
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
  stageImages: context.workspace.stageImages.length,
  again: context.attempt > 0,
  unsaved: unsavedOf(context.workspace),
  settings: selectSettingsOf('one')({ context } as Snapshot),
  past: Math.min(selectHistory(context).past, 2),
  future: Math.min(selectHistory(context).future, 2),
  followed: linkedUnsavedOf(context.workspace),
  follower: selectHistory(context, 'two'),
});

const selectHistory = (context: Snapshot['context'], uid = 'one') => {
  const imageState = Object.values(context.workspace.imageStates).find(({ imageUid }) => imageUid === uid);
  return { past: imageState?.past.length ?? 0, future: imageState?.future.length ?? 0 };
};

/** The ids of shown images, and the outcome of each saved change. */
const dataOf: Model['dataOf'] = (event) => {
  if (event.type === 'images.shown')
    return { images: (event.images as readonly { imageUid: string }[]).map(({ imageUid }) => imageUid) };
  if (event.type !== 'xstate.done.actor.saveChanges') return null;
  const outcomes = event.output as readonly { change: Change; version?: number; failure?: { kind: string } }[];
  return Object.fromEntries(
    outcomes.map(({ change, version, failure }) => [`${change.kind} ${change.imageUid}`, failure ?? { version }]),
  );
};

/** Marks are hidden and shown by the user; they are shown to whoever opens the next patient. */
const visibility = ['marks.hidden', 'marks.shown', 'patient.closed'].map((type) => ({ type }));

/** Which image is active, and whether it can be displayed. */
export const activeImage: Model = {
  name: 'active image',
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
    ...visibility,
    { type: 'gesture.begun' },
    { type: 'frame.chosen', frame: 2 },
    { type: 'frame.chosen', frame: 3 },
    // These have no effect here: nothing is changed.
    ...['display.settled', 'marks.settled', 'image.calibrated'].map((type) => ({ type, imageUid: 'three' })),
    ...['image.reset', 'change.undone', 'change.redone', 'page.hidden'].map((type) => ({ type })),
    ...['followed.confirmed', 'followed.discarded'].map((type) => ({ type })),
    done('saveChanges', []),
    failed('saveChanges', offline),
  ],
  facts,
  dataOf,
  stopWhen: ({ context }) => context.attempt > 1 || context.areMarksHidden,
};

/** Events that the models of saving leave out: no effect, or covered by the model of the active image. */
const beside = [
  { type: 'image.failed', imageUid: 'two' },
  { type: 'tool.chosen', tool: 'window' },
  ...visibility,
  { type: 'frame.chosen', frame: 0 },
  ...['load.retried', 'gesture.begun', 'followed.confirmed', 'followed.discarded'].map((type) => ({ type })),
  // A port that throws loses nothing.
  failed('saveChanges', { kind: 'unexpected' }),
];

const stopWhen: Model['stopWhen'] = ({ context }) => {
  const { past, future } = selectHistory(context);
  const changes = unsavedOf(context.workspace);
  const isLeft = past + future > 0 && context.workspace.stageImages.length === 0;
  return (
    context.areMarksHidden ||
    past + future > 1 ||
    changes.some(({ version }) => version > 1) ||
    (isLeft && changes.length === 0)
  );
};

/** Finite, and more than the default: versions of measurements, or the history of a second image, distinguish states. */
const manyStates = 50_000;

/** Display settings of one image: changed here and elsewhere, undone, being saved, and restored. */
export const displays: Model = {
  ...activeImage,
  name: 'display',
  events: [
    shown,
    {
      type: 'images.shown',
      images: [stageImageOf('one', { display: bright, displayVersion: 1 }), stageImageOf('two')],
    },
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
  limit: manyStates,
};

/** Measurements and calibration. */
export const measures: Model = {
  ...activeImage,
  name: 'measurements',
  events: [
    shown,
    {
      type: 'images.shown',
      images: [stageImageOf('one', { calibration: { mmPerPixel: 0.05 }, marksVersion: 1 }), two],
    },
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
    return stopWhen(snapshot) || (past + future > 0 && unsavedOf(snapshot.context.workspace).length === 0);
  },
  limit: manyStates,
};

/** Marks are hidden for all images, and a new one shows them. */
export const hiding: Model = {
  ...activeImage,
  name: 'hidden marks',
  events: [
    shown,
    opened,
    loaded,
    { type: 'marks.settled', imageUid: 'one', marks: [length] },
    { type: 'marks.settled', imageUid: 'one', marks: [] },
    ...beside,
    ...['page.hidden', 'viewer.closed', 'change.undone', 'change.redone', 'image.reset'].map((type) => ({ type })),
    ...['display.settled', 'image.calibrated'].map((type) => ({ type, imageUid: 'three' })),
    { type: 'changes.restored', changes: [] },
    done('saveChanges', []),
  ],
  facts: (snapshot) => [activeImage.facts(snapshot), snapshot.context.areMarksHidden],
  stopWhen: ({ context }) =>
    selectHistory(context).past > 1 ||
    selectHistory(context).future > 0 ||
    context.tool !== 'window' ||
    context.attempt > 0,
};

/** A comparison: another image follows, which is shown, saved when confirmed, discarded, and undone as one change. */
export const followed: Model = {
  ...activeImage,
  name: 'linked images',
  events: [
    shown,
    { type: 'images.shown', images: [one] },
    opened,
    loaded,
    { ...settled, followed: [{ imageUid: 'two', display: { ...bright, voi: dark.voi }, view }] },
    { type: 'gesture.begun' },
    { type: 'followed.confirmed' },
    { type: 'followed.discarded' },
    { type: 'change.undone' },
    { type: 'change.redone' },
    { type: 'viewer.closed' },
    { type: 'page.hidden' },
    ...beside.filter(({ type }) => !type.startsWith('followed.') && type !== 'gesture.begun'),
    { type: 'image.reset' },
    { type: 'changes.restored', changes: [] },
    ...['marks.settled', 'image.calibrated'].map((type) => ({ type, imageUid: 'three' })),
  ],
  answers,
  stopWhen: (snapshot) => {
    const { past, future } = selectHistory(snapshot.context);
    const changes = unsavedOf(snapshot.context.workspace);
    const isSettled = past + future > 0 && changes.length === 0;
    return (
      isSettled || stopWhen(snapshot) || changes.some(({ imageUid, version }) => imageUid === 'two' || version > 0)
    );
  },
  limit: manyStates,
};

/** Events that the machine sends to itself. */
export const raised = ['settings.changed'];
