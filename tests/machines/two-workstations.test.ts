import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { Viewset } from '../../contract/viewsets.ts';
import { selectShownViewset, viewsetMachine } from '../../src/machines/viewset/viewset.machine.ts';
import type { Change } from '../../src/machines/viewset/viewset.setup.ts';
import { type Failure, ServiceError } from '../../src/services/failure.ts';
import { agreed, type Hanging, hangingOf, viewsetOf } from './hanging.ts';

const conflict: Failure = { kind: 'refused', status: 409, code: 'conflict', errors: [] };
const settled = async () => {
  for (let turn = 0; turn < 6; turn += 1) await new Promise(setImmediate);
};

/** One archive that checks versions as ours does, and tells both of every change. */
const archiveOf = (first: Hanging) => {
  let hanging = first;
  let version = 1;
  const listeners: (() => void)[] = [];
  const change = async ({ version: basedOn, operation }: Change): Promise<Viewset> => {
    const next = basedOn === version ? agreed(hanging, operation) : null;
    if (!next) throw new ServiceError(conflict);
    hanging = next;
    version += 1;
    for (const tell of listeners) queueMicrotask(tell);
    return viewsetOf('v', version, hanging);
  };
  const workstation = () => {
    const actor = createActor(
      viewsetMachine.provide({
        actors: {
          openViewset: fromPromise(async () => viewsetOf('v', version, hanging)),
          mountImage: fromPromise<Viewset, Change>(({ input }) => change(input)),
          unmountImage: fromPromise<Viewset, Change>(({ input }) => change(input)),
          moveImage: fromPromise<readonly Viewset[], Change>(async ({ input }) => [await change(input)]),
          watchViewset: fromCallback(() => {}),
        },
      }),
      { clock: new SimulatedClock() },
    );
    const told: Failure[] = [];
    actor.on('operation.refused', ({ failure }) => told.push(failure));
    actor.start();
    actor.send({ type: 'viewset.opened', viewsetId: 'v' });
    const hear = () =>
      actor.send({
        type: 'news.heard',
        news: { name: 'ViewsetChanged', body: { patientId: 'patient', viewsetId: 'v', version } },
      });
    const shown = () => {
      const viewset = selectShownViewset(actor.getSnapshot());
      return viewset && hangingOf(viewset);
    };
    return { actor, told, shown, listen: () => listeners.push(hear) };
  };
  return { workstation, hanging: () => hanging };
};

it('tells the one who was slower, who then sees what the other has done', async () => {
  const archive = archiveOf({ slots: { 1: 'a', 2: null }, tray: ['b'] });
  const [one, two] = [archive.workstation(), archive.workstation()];
  await settled();
  one.actor.send({ type: 'image.mounted', imageUid: 'b', itemIndex: 2 });
  two.actor.send({ type: 'image.mounted', imageUid: 'b', itemIndex: 1 });
  // Both see their own change at once.
  expect(one.shown()).toEqual({ slots: { 1: 'a', 2: 'b' }, tray: [] });
  expect(two.shown()).toEqual({ slots: { 1: 'b', 2: null }, tray: ['a'] });
  await settled();
  expect(one.told).toEqual([]);
  expect(two.told).toEqual([conflict]);
  expect([one.shown(), two.shown()]).toEqual([archive.hanging(), archive.hanging()]);
  expect(archive.hanging()).toEqual({ slots: { 1: 'a', 2: 'b' }, tray: [] });
});

it('brings what one has done to the other, who then builds upon it', async () => {
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
  expect([one.told, two.told]).toEqual([[], []]);
  expect([one.shown(), two.shown()]).toEqual([archive.hanging(), archive.hanging()]);
  expect(archive.hanging()).toEqual({ slots: { 1: null, 2: null, 3: 'b' }, tray: ['a'] });
});

it('sends many operations one after the other, each on the version of the last reply', async () => {
  const slots = Object.fromEntries(Array.from({ length: 18 }, (_, index) => [index, null]));
  const tray = Array.from({ length: 18 }, (_, index) => `image-${index}`);
  const archive = archiveOf({ slots, tray });
  const one = archive.workstation();
  one.listen();
  await settled();
  for (const [index, imageUid] of tray.entries()) one.actor.send({ type: 'image.mounted', imageUid, itemIndex: index });
  expect(one.shown()?.tray).toEqual([]);
  for (let turn = 0; turn < 10; turn += 1) await settled();
  expect(one.told).toEqual([]);
  expect(archive.hanging().tray).toEqual([]);
  expect(one.shown()).toEqual(archive.hanging());
});
