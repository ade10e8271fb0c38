import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { Viewset } from '../../contract/viewsets.ts';
import { type Change as DisplayChange, type Outcome, unsavedOf } from '../../src/machines/viewer/saving.rules.ts';
import { selectSettingsOf, viewerMachine } from '../../src/machines/viewer/viewer.machine.ts';
import { selectIsSaveDelayed, selectShownViewset, viewsetMachine } from '../../src/machines/viewset/viewset.machine.ts';
import { type Operation, restorable } from '../../src/machines/viewset/viewset.rules.ts';
import type { Change } from '../../src/machines/viewset/viewset.setup.ts';
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import { bright, dark, stageImageOf } from './viewer-fixtures.ts';
import { applyOperation, type Placement, placementOf, viewsetOf } from './viewset-fixtures.ts';

const offline: Failure = { kind: 'offline' };
const signedOut: Failure = { kind: 'refused', status: 401, code: 'not-signed-in', errors: [] };
const retryMs = 5_000;
const settled = async () => {
  for (let count = 0; count < 6; count += 1) await new Promise(setImmediate);
};

/** An archive that may be unreachable, or perform a call and lose its reply. */
const archiveOf = (first: Placement) => {
  const archive = { mode: 'there' as 'there' | 'away' | 'loses-answers', placement: first, version: 1, calls: 0 };
  const change = async ({ version, operation }: Change): Promise<Viewset> => {
    archive.calls += 1;
    if (archive.mode === 'away') throw new ServiceError(offline);
    const next = version === archive.version ? applyOperation(archive.placement, operation) : null;
    if (!next) throw new ServiceError({ kind: 'refused', status: 409, code: 'conflict', errors: [] });
    archive.placement = next;
    archive.version += 1;
    if (archive.mode === 'loses-answers') throw new ServiceError(offline);
    return viewsetOf('v', archive.version, archive.placement);
  };
  const open = async () => {
    if (archive.mode === 'away') throw new ServiceError(offline);
    return viewsetOf('v', archive.version, archive.placement);
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
  const emitted: Failure[] = [];
  actor.on('operation.rejected', ({ failure }) => emitted.push(failure));
  actor.start();
  const shown = () => {
    const viewset = selectShownViewset(actor.getSnapshot());
    return viewset && placementOf(viewset);
  };
  return { archive, actor, clock, emitted, shown };
};

it('saves mounts that were made while the archive was unavailable for a minute, and reports the delay meanwhile', async () => {
  const { archive, actor, clock, emitted, shown } = archiveOf({ slots: { 1: 'a', 2: null }, tray: ['b'] });
  actor.send({ type: 'viewset.opened', viewsetId: 'v' });
  await settled();
  archive.mode = 'away';
  actor.send({ type: 'image.reordered', from: 1, to: 2 });
  await settled();
  expect(selectIsSaveDelayed(actor.getSnapshot())).toBe(true);
  // Mounting continues meanwhile.
  actor.send({ type: 'image.mounted', imageUid: 'b', itemIndex: 1 });
  const meant: Placement = { slots: { 1: 'b', 2: 'a' }, tray: [] };
  for (let waited = 0; waited < 60_000; waited += retryMs) {
    clock.increment(retryMs);
    await settled();
    expect(shown()).toEqual(meant);
    expect(selectIsSaveDelayed(actor.getSnapshot())).toBe(true);
  }
  archive.mode = 'there';
  actor.send({ type: 'connection.restored' });
  await settled();
  expect([archive.placement, shown(), emitted]).toEqual([meant, meant, []]);
  expect(selectIsSaveDelayed(actor.getSnapshot())).toBe(false);
});

it('does not repeat a call that succeeded but whose reply was lost', async () => {
  const { archive, actor, clock, emitted, shown } = archiveOf({ slots: { 1: 'a', 2: null }, tray: ['b'] });
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
  expect([archive.placement, shown()]).toEqual([
    { slots: { 1: null, 2: 'a' }, tray: ['b'] },
    { slots: { 1: null, 2: 'a' }, tray: ['b'] },
  ]);
  expect([archive.calls, emitted]).toEqual([3, []]);
});

it('keeps unsaved display settings when the archive rejects them because the session has ended', async () => {
  const failures = [offline, signedOut];
  const actor = createActor(
    viewerMachine.provide({
      actors: {
        saveChanges: fromPromise<readonly Outcome[], readonly DisplayChange[]>(async ({ input }) => {
          const failure = failures.shift();
          return input.map((change) => (failure ? { change, failure } : { change, version: change.version + 1 }));
        }),
      },
    }),
    { clock: new SimulatedClock() },
  );
  const clock = actor.clock as SimulatedClock;
  const refused: unknown[] = [];
  actor.on('save.rejected', (event) => refused.push(event));
  actor.start();
  actor.send({ type: 'images.shown', images: [stageImageOf('one')] });
  actor.send({ type: 'image.opened', imageUid: 'one' });
  actor.send({ type: 'image.loaded', imageUid: 'one', frames: 1 });
  actor.send({ type: 'display.settled', imageUid: 'one', display: dark, view: 'fit' });
  for (const waitMs of [500, retryMs]) {
    clock.increment(waitMs);
    await settled();
    expect(unsavedOf(actor.getSnapshot().context.workspace)).toHaveLength(1);
    expect(selectSettingsOf('one')(actor.getSnapshot()).display).toEqual(dark);
  }
  clock.increment(retryMs);
  await settled();
  expect([unsavedOf(actor.getSnapshot().context.workspace), refused]).toEqual([[], []]);
  expect(selectSettingsOf('one')(actor.getSnapshot()).display).toEqual(dark);
});

it('repeats what an earlier session could not send, except what was done or became impossible', async () => {
  const { archive, actor, emitted, shown } = archiveOf({ slots: { 1: 'a', 2: null, 3: 'c' }, tray: ['b'] });
  actor.send({ type: 'viewset.opened', viewsetId: 'v' });
  await settled();
  const viewset = selectShownViewset(actor.getSnapshot());
  const operations: Operation[] = [
    // Done already, the reply was lost.
    { kind: 'move', imageUid: 'a', from: 2, to: 1, displaced: null },
    { kind: 'mount', imageUid: 'b', from: 'tray', to: 2, displaced: null },
    // Another user mounted `c` elsewhere.
    { kind: 'unmount', imageUid: 'c', from: 4 },
  ];
  const { again, lost } = restorable(viewset as Viewset, operations);
  expect([again, lost]).toEqual([[operations[1]], [operations[2]]]);
  actor.send({ type: 'operations.restored', operations });
  expect(shown()).toEqual({ slots: { 1: 'a', 2: null, 3: 'c' }, tray: ['b'] });
  actor.send({ type: 'operations.restored', operations: again });
  await settled();
  const meant = { slots: { 1: 'a', 2: 'b', 3: 'c' }, tray: [] };
  expect([archive.placement, shown(), emitted]).toEqual([meant, meant, []]);
});

it('shows unsaved changes of an earlier session again, and undoes them to the state saved by another user', () => {
  const actor = createActor(viewerMachine, { clock: new SimulatedClock() });
  actor.start();
  const theirs = stageImageOf('one', { display: bright, displayVersion: 4 });
  actor.send({ type: 'images.shown', images: [theirs, stageImageOf('two')] });
  actor.send({ type: 'image.opened', imageUid: 'one' });
  actor.send({ type: 'image.loaded', imageUid: 'one', frames: 1 });
  const change: DisplayChange = { kind: 'display', viewsetId: 'v', imageUid: 'one', display: dark, version: 3 };
  const changes = [change, { ...change, imageUid: 'elsewhere' }, { ...change, imageUid: 'two', viewsetId: 'w' }];
  actor.send({ type: 'changes.restored', changes });
  expect(unsavedOf(actor.getSnapshot().context.workspace)).toEqual([{ ...change, version: 4 }]);
  expect(selectSettingsOf('one')(actor.getSnapshot()).display).toEqual(dark);
  actor.send({ type: 'change.undone' });
  expect(selectSettingsOf('one')(actor.getSnapshot()).display).toEqual(bright);
});
