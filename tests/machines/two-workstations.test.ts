import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { Viewset } from '../../contract/viewsets.ts';
import { selectShownViewset, viewsetMachine } from '../../src/machines/viewset/viewset.machine.ts';
import type { Change } from '../../src/machines/viewset/viewset.setup.ts';
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import { applyOperation, type Placement, placementOf, viewsetOf } from './viewset-fixtures.ts';

const conflict: Failure = { kind: 'refused', status: 409, code: 'conflict', errors: [] };
const settled = async () => {
  for (let count = 0; count < 6; count += 1) await new Promise(setImmediate);
};

/** An archive that checks versions as the product does, and notifies both workstations of every change. */
const archiveOf = (first: Placement) => {
  let placement = first;
  let version = 1;
  const listeners: (() => void)[] = [];
  const change = async ({ version: basedOn, operation }: Change): Promise<Viewset> => {
    const next = basedOn === version ? applyOperation(placement, operation) : null;
    if (!next) throw new ServiceError(conflict);
    placement = next;
    version += 1;
    for (const notify of listeners) queueMicrotask(notify);
    return viewsetOf('v', version, placement);
  };
  const workstation = () => {
    const actor = createActor(
      viewsetMachine.provide({
        actors: {
          openViewset: fromPromise(async () => viewsetOf('v', version, placement)),
          mountImage: fromPromise<Viewset, Change>(({ input }) => change(input)),
          unmountImage: fromPromise<Viewset, Change>(({ input }) => change(input)),
          moveImage: fromPromise<readonly Viewset[], Change>(async ({ input }) => [await change(input)]),
          watchViewset: fromCallback(() => {}),
        },
      }),
      { clock: new SimulatedClock() },
    );
    const emitted: Failure[] = [];
    actor.on('operation.rejected', ({ failure }) => emitted.push(failure));
    actor.start();
    actor.send({ type: 'viewset.opened', viewsetId: 'v' });
    const onNotified = () => actor.send({ type: 'viewset.outdated' });
    const shown = () => {
      const viewset = selectShownViewset(actor.getSnapshot());
      return viewset && placementOf(viewset);
    };
    return { actor, emitted, shown, listen: () => listeners.push(onNotified) };
  };
  return { workstation, placement: () => placement };
};

it('notifies the slower user, who then sees the change of the other', async () => {
  const archive = archiveOf({ slots: { 1: 'a', 2: null }, tray: ['b'] });
  const [one, two] = [archive.workstation(), archive.workstation()];
  await settled();
  one.actor.send({ type: 'image.mounted', imageUid: 'b', itemIndex: 2 });
  two.actor.send({ type: 'image.mounted', imageUid: 'b', itemIndex: 1 });
  // Both see their own change at once.
  expect(one.shown()).toEqual({ slots: { 1: 'a', 2: 'b' }, tray: [] });
  expect(two.shown()).toEqual({ slots: { 1: 'b', 2: null }, tray: ['a'] });
  await settled();
  expect(one.emitted).toEqual([]);
  expect(two.emitted).toEqual([conflict]);
  expect([one.shown(), two.shown()]).toEqual([archive.placement(), archive.placement()]);
  expect(archive.placement()).toEqual({ slots: { 1: 'a', 2: 'b' }, tray: [] });
});

it('shows a change to the other user, who then continues from it', async () => {
  const archive = archiveOf({ slots: { 1: 'a', 2: null, 3: null }, tray: ['b'] });
  const [one, two] = [archive.workstation(), archive.workstation()];
  one.listen();
  two.listen();
  await settled();
  one.actor.send({ type: 'image.reordered', from: 1, to: 3 });
  await settled();
  expect(two.shown()).toEqual({ slots: { 1: null, 2: null, 3: 'a' }, tray: ['b'] });
  two.actor.send({ type: 'image.mounted', imageUid: 'b', itemIndex: 3 });
  await settled();
  expect([one.emitted, two.emitted]).toEqual([[], []]);
  expect([one.shown(), two.shown()]).toEqual([archive.placement(), archive.placement()]);
  expect(archive.placement()).toEqual({ slots: { 1: null, 2: null, 3: 'b' }, tray: ['a'] });
});

it('sends many operations one after the other, each with the version of the last reply', async () => {
  const slots = Object.fromEntries(Array.from({ length: 18 }, (_, index) => [index, null]));
  const tray = Array.from({ length: 18 }, (_, index) => `image-${index}`);
  const archive = archiveOf({ slots, tray });
  const one = archive.workstation();
  one.listen();
  await settled();
  for (const [index, imageUid] of tray.entries()) one.actor.send({ type: 'image.mounted', imageUid, itemIndex: index });
  expect(one.shown()?.tray).toEqual([]);
  for (let count = 0; count < 10; count += 1) await settled();
  expect(one.emitted).toEqual([]);
  expect(archive.placement().tray).toEqual([]);
  expect(one.shown()).toEqual(archive.placement());
});
