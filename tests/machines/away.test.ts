import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { Viewset } from '../../contract/viewsets.ts';
import { type Change as LookChange, type Outcome, unsavedOf } from '../../src/machines/viewer/saving.rules.ts';
import { selectSettingsOf, viewerMachine } from '../../src/machines/viewer/viewer.machine.ts';
import { selectIsSaveDelayed, selectShownViewset, viewsetMachine } from '../../src/machines/viewset/viewset.machine.ts';
import { type Operation, restorable } from '../../src/machines/viewset/viewset.rules.ts';
import type { Change } from '../../src/machines/viewset/viewset.setup.ts';
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import { agreed, type Hanging, hangingOf, viewsetOf } from './hanging.ts';
import { bright, dark, placeOf } from './viewer-room.ts';

const offline: Failure = { kind: 'offline' };
const signedOut: Failure = { kind: 'refused', status: 401, code: 'not-signed-in', errors: [] };
const retryMs = 5_000;
const settled = async () => {
  for (let turn = 0; turn < 6; turn += 1) await new Promise(setImmediate);
};

/** An archive that may be away, or do what it is asked and lose its answer. */
const archiveOf = (first: Hanging) => {
  const archive = { mode: 'there' as 'there' | 'away' | 'loses-answers', hanging: first, version: 1, calls: 0 };
  const change = async ({ version, operation }: Change): Promise<Viewset> => {
    archive.calls += 1;
    if (archive.mode === 'away') throw new ServiceError(offline);
    const next = version === archive.version ? agreed(archive.hanging, operation) : null;
    if (!next) throw new ServiceError({ kind: 'refused', status: 409, code: 'conflict', errors: [] });
    archive.hanging = next;
    archive.version += 1;
    if (archive.mode === 'loses-answers') throw new ServiceError(offline);
    return viewsetOf('v', archive.version, archive.hanging);
  };
  const open = async () => {
    if (archive.mode === 'away') throw new ServiceError(offline);
    return viewsetOf('v', archive.version, archive.hanging);
  };
  const clock = new SimulatedClock();
  const actor = createActor(
    viewsetMachine.provide({
      actors: {
        openViewset: fromPromise(open),
        mountImage: fromPromise<Viewset, Change>(({ input }) => change(input)),
        unmountImage: fromPromise<Viewset, Change>(({ input }) => change(input)),
        moveImage: fromPromise<readonly Viewset[], Change>(async ({ input }) => [await change(input)]),
        watchViewset: fromCallback(() => {}),
      },
    }),
    { clock },
  );
  const told: Failure[] = [];
  actor.on('operation.refused', ({ failure }) => told.push(failure));
  actor.start();
  const shown = () => {
    const viewset = selectShownViewset(actor.getSnapshot());
    return viewset && hangingOf(viewset);
  };
  return { archive, actor, clock, told, shown };
};

it('keeps what was hung while the archive was away for a minute, and says so meanwhile', async () => {
  const { archive, actor, clock, told, shown } = archiveOf({ slots: { 1: 'a', 2: null }, tray: ['b'] });
  actor.send({ type: 'viewset.opened', viewsetId: 'v' });
  await settled();
  archive.mode = 'away';
  actor.send({ type: 'image.reordered', from: 1, to: 2 });
  await settled();
  expect(selectIsSaveDelayed(actor.getSnapshot())).toBe(true);
  // Work goes on.
  actor.send({ type: 'image.mounted', imageUid: 'b', itemIndex: 1 });
  const meant: Hanging = { slots: { 1: 'b', 2: 'a' }, tray: [] };
  for (let waited = 0; waited < 60_000; waited += retryMs) {
    clock.increment(retryMs);
    await settled();
    expect(shown()).toEqual(meant);
    expect(selectIsSaveDelayed(actor.getSnapshot())).toBe(true);
  }
  archive.mode = 'there';
  actor.send({ type: 'connection.restored' });
  await settled();
  expect([archive.hanging, shown(), told]).toEqual([meant, meant, []]);
  expect(selectIsSaveDelayed(actor.getSnapshot())).toBe(false);
});

it('does not do again what the archive had done when its answer was lost', async () => {
  const { archive, actor, clock, told, shown } = archiveOf({ slots: { 1: 'a', 2: null }, tray: ['b'] });
  actor.send({ type: 'viewset.opened', viewsetId: 'v' });
  await settled();
  archive.mode = 'loses-answers';
  for (const itemIndex of [2, 1]) actor.send({ type: 'image.mounted', imageUid: 'b', itemIndex });
  actor.send({ type: 'image.unmounted', itemIndex: 1 });
  for (let tries = 0; tries < 4; tries += 1) {
    await settled();
    clock.increment(retryMs);
  }
  await settled();
  expect([archive.hanging, shown()]).toEqual([
    { slots: { 1: null, 2: 'a' }, tray: ['b'] },
    { slots: { 1: null, 2: 'a' }, tray: ['b'] },
  ]);
  expect([archive.calls, told]).toEqual([3, []]);
});

it('keeps how an image is shown when the archive takes nothing from somebody whose sign-in is over', async () => {
  const failures = [offline, signedOut];
  const actor = createActor(
    viewerMachine.provide({
      actors: {
        saveChanges: fromPromise<readonly Outcome[], readonly LookChange[]>(async ({ input }) => {
          const failure = failures.shift();
          return input.map((change) => (failure ? { change, failure } : { change, version: change.version + 1 }));
        }),
      },
    }),
    { clock: new SimulatedClock() },
  );
  const clock = actor.clock as SimulatedClock;
  const refused: unknown[] = [];
  actor.on('save.refused', (event) => refused.push(event));
  actor.start();
  actor.send({ type: 'images.shown', places: [placeOf('one')] });
  actor.send({ type: 'image.opened', imageUid: 'one' });
  actor.send({ type: 'image.loaded', imageUid: 'one', frames: 1 });
  actor.send({ type: 'display.settled', imageUid: 'one', display: dark, view: 'fit' });
  for (const waitMs of [500, retryMs]) {
    clock.increment(waitMs);
    await settled();
    expect(unsavedOf(actor.getSnapshot().context.room)).toHaveLength(1);
    expect(selectSettingsOf('one')(actor.getSnapshot()).display).toEqual(dark);
  }
  clock.increment(retryMs);
  await settled();
  expect([unsavedOf(actor.getSnapshot().context.room), refused]).toEqual([[], []]);
  expect(selectSettingsOf('one')(actor.getSnapshot()).display).toEqual(dark);
});

it('does again what an earlier session could not send, and leaves out what was done or became impossible', async () => {
  const { archive, actor, told, shown } = archiveOf({ slots: { 1: 'a', 2: null, 3: 'c' }, tray: ['b'] });
  actor.send({ type: 'viewset.opened', viewsetId: 'v' });
  await settled();
  const viewset = selectShownViewset(actor.getSnapshot());
  const kept: Operation[] = [
    // Done already, its answer was lost.
    { kind: 'move', imageUid: 'a', from: 2, to: 1, displaced: null },
    { kind: 'mount', imageUid: 'b', from: 'tray', to: 2, displaced: null },
    // Somebody else hung `c` elsewhere.
    { kind: 'unmount', imageUid: 'c', from: 4 },
  ];
  const { again, lost } = restorable(viewset as Viewset, kept);
  expect([again, lost]).toEqual([[kept[1]], [kept[2]]]);
  actor.send({ type: 'operations.restored', operations: kept });
  expect(shown()).toEqual({ slots: { 1: 'a', 2: null, 3: 'c' }, tray: ['b'] });
  actor.send({ type: 'operations.restored', operations: again });
  await settled();
  const meant = { slots: { 1: 'a', 2: 'b', 3: 'c' }, tray: [] };
  expect([archive.hanging, shown(), told]).toEqual([meant, meant, []]);
});

it('shows again what an earlier session could not save; undoing it shows what somebody else made of it meanwhile', () => {
  const actor = createActor(viewerMachine, { clock: new SimulatedClock() });
  actor.start();
  const theirs = placeOf('one', { display: bright, displayVersion: 4 });
  actor.send({ type: 'images.shown', places: [theirs, placeOf('two')] });
  actor.send({ type: 'image.opened', imageUid: 'one' });
  actor.send({ type: 'image.loaded', imageUid: 'one', frames: 1 });
  const change: LookChange = { kind: 'display', viewsetId: 'v', imageUid: 'one', display: dark, version: 3 };
  const changes = [change, { ...change, imageUid: 'elsewhere' }, { ...change, imageUid: 'two', viewsetId: 'w' }];
  actor.send({ type: 'changes.restored', changes });
  expect(unsavedOf(actor.getSnapshot().context.room)).toEqual([{ ...change, version: 4 }]);
  expect(selectSettingsOf('one')(actor.getSnapshot()).display).toEqual(dark);
  actor.send({ type: 'change.undone' });
  expect(selectSettingsOf('one')(actor.getSnapshot()).display).toEqual(bright);
});
