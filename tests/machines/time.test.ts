import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { Display } from '../../contract/displays.ts';
import type { Viewset } from '../../contract/viewsets.ts';
import { appMachine, selectIsStarting, selectShowsSpinner } from '../../src/machines/app/app.machine.ts';
import { connectionMachine, selectConnectionState } from '../../src/machines/connection/connection.machine.ts';
import {
  patientSearchMachine,
  selectHits,
  selectSearchState,
} from '../../src/machines/patient-search/patient-search.machine.ts';
import type { Found } from '../../src/machines/patient-search/patient-search.rules.ts';
import { sessionMachine } from '../../src/machines/session/session.machine.ts';
import type { Change, Outcome } from '../../src/machines/viewer/saving.rules.ts';
import { selectIsSaveDelayed, selectIsSaving, viewerMachine } from '../../src/machines/viewer/viewer.machine.ts';
import { selectShowsLoading, viewsetMachine } from '../../src/machines/viewset/viewset.machine.ts';
import type { Change as Placement } from '../../src/machines/viewset/viewset.setup.ts';
import { bright, dark, stageImageOf } from './viewer-fixtures.ts';
import { viewsetOf } from './viewset-fixtures.ts';

const settled = () => new Promise(setImmediate);

it('shows the overlay for at least 1300 ms, a spinner after 300 ms, and longer when the archive is slow', async () => {
  const clock = new SimulatedClock();
  const restored = Promise.withResolvers<null>();
  const session = sessionMachine.provide({
    actors: { restoreSession: fromPromise<{ renewInMs: number } | null, void>(() => restored.promise) },
  });
  const app = createActor(appMachine.provide({ actors: { session } }), { clock }).start();
  clock.increment(299);
  expect(selectShowsSpinner(app.getSnapshot())).toBe(false);
  clock.increment(1);
  expect(selectShowsSpinner(app.getSnapshot())).toBe(true);
  clock.increment(2_000);
  expect(selectIsStarting(app.getSnapshot())).toBe(true);
  restored.resolve(null);
  await settled();
  expect(selectIsStarting(app.getSnapshot())).toBe(false);
});

it('does not show the page before 1300 ms even when no user is signed in', async () => {
  const clock = new SimulatedClock();
  const session = sessionMachine.provide({
    actors: { restoreSession: fromPromise<{ renewInMs: number } | null, void>(async () => null) },
  });
  const app = createActor(appMachine.provide({ actors: { session } }), { clock }).start();
  await settled();
  clock.increment(1_299);
  expect(selectIsStarting(app.getSnapshot())).toBe(true);
  clock.increment(1);
  expect(selectIsStarting(app.getSnapshot())).toBe(false);
});

it('searches 500 ms after the last letter, and a late reply never replaces a newer one', async () => {
  const clock = new SimulatedClock();
  const requests: { text: string; reply: (found: Found) => void }[] = [];
  const machine = patientSearchMachine.provide({
    actors: {
      searchPatients: fromPromise<Found, { clinicId: string; text: string }>(
        ({ input }) => new Promise((reply) => requests.push({ text: input.text, reply })),
      ),
    },
  });
  const search = createActor(machine, { clock, input: { clinicId: 'clinic' } }).start();
  const foundOf = (id: string) => ({ hits: [{ id }], totalCount: 1 }) as unknown as Found;

  search.send({ type: 'text.changed', text: 'and' });
  clock.increment(499);
  search.send({ type: 'text.changed', text: 'ande' });
  clock.increment(499);
  expect(requests).toEqual([]);
  clock.increment(1);
  expect(requests.map(({ text }) => text)).toEqual(['ande']);

  search.send({ type: 'text.changed', text: 'anders' });
  clock.increment(500);
  requests[1]?.reply(foundOf('newer'));
  await settled();
  requests[0]?.reply(foundOf('late'));
  await settled();
  expect(selectSearchState(search.getSnapshot())).toBe('hits');
  expect(selectHits(search.getSnapshot()).map(({ id }) => id)).toEqual(['newer']);
});

it('listens to the hub again five seconds after it was closed', () => {
  const clock = new SimulatedClock();
  let calls = 0;
  const machine = connectionMachine.provide({
    actors: {
      listenToHub: fromCallback(({ sendBack }) => {
        calls += 1;
        sendBack({ type: 'connection.closed' });
      }),
    },
  });
  const connection = createActor(machine, { clock }).start();
  expect(selectConnectionState(connection.getSnapshot())).toBe('closed');
  clock.increment(4_999);
  expect(calls).toBe(1);
  clock.increment(1);
  expect(calls).toBe(2);
});

it('announces a move that takes longer than 300 ms, and never a mount', async () => {
  const clock = new SimulatedClock();
  const never = new Promise<never>(() => {});
  const machine = viewsetMachine.provide({
    actors: {
      openViewset: fromPromise(async () => viewsetOf('v', 1, { slots: { 1: 'a', 2: null }, tray: ['b'] })),
      mountImage: fromPromise<Viewset, Placement>(() => never),
      moveImage: fromPromise<readonly Viewset[], Placement>(() => never),
      watchViewset: fromCallback(() => {}),
    },
  });
  const opened = async () => {
    const actor = createActor(machine, { clock }).start();
    actor.send({ type: 'viewset.opened', viewsetId: 'v' });
    await settled();
    return actor;
  };
  const [moving, mounting] = [await opened(), await opened()];
  moving.send({ type: 'image.reordered', from: 1, to: 2 });
  mounting.send({ type: 'image.mounted', imageUid: 'b', itemIndex: 2 });
  clock.increment(299);
  expect(selectShowsLoading(moving.getSnapshot())).toBe(false);
  clock.increment(1);
  expect(selectShowsLoading(moving.getSnapshot())).toBe(true);
  clock.increment(10_000);
  expect(selectShowsLoading(mounting.getSnapshot())).toBe(false);
});

const savingViewer = (reply: (changes: readonly Change[]) => readonly Outcome[]) => {
  const clock = new SimulatedClock();
  const sent: (readonly Change[])[] = [];
  const machine = viewerMachine.provide({
    actors: {
      saveChanges: fromPromise<readonly Outcome[], readonly Change[]>(async ({ input }) => {
        sent.push(input);
        return reply(input);
      }),
    },
  });
  const viewer = createActor(machine, { clock }).start();
  viewer.send({ type: 'images.shown', images: [stageImageOf('one', { displayVersion: 4 }), stageImageOf('two')] });
  for (const imageUid of ['one', 'two']) viewer.send({ type: 'image.loaded', imageUid, frames: 1 });
  viewer.send({ type: 'image.opened', imageUid: 'one' });
  const change = (display: Display, imageUid = 'one') =>
    viewer.send({ type: 'display.settled', imageUid, display, view: 'fit' });
  return { clock, sent, viewer, change };
};
const taken = (changes: readonly Change[]) => changes.map((change) => ({ change, version: change.version + 1 }));

it('saves 500 ms after the last change with the version that was seen, and the next with that of the reply', async () => {
  const { clock, sent, viewer, change } = savingViewer(taken);
  change(dark);
  clock.increment(499);
  change(bright);
  clock.increment(499);
  expect(sent).toEqual([]);
  clock.increment(1);
  const first = { kind: 'display', viewsetId: 'v', imageUid: 'one', display: bright, version: 4 };
  expect(sent).toEqual([[first]]);
  await settled();
  expect(selectIsSaving(viewer.getSnapshot())).toBe(false);
  viewer.send({ type: 'image.reset' });
  clock.increment(500);
  expect(sent.at(-1)).toEqual([{ ...first, display: null, version: 5 }]);
});

it('saves at once when the page is left, and retries every five seconds', async () => {
  let isThere = false;
  const { clock, sent, viewer, change } = savingViewer((changes) =>
    isThere ? taken(changes) : changes.map((one) => ({ change: one, failure: { kind: 'offline' } })),
  );
  change(dark);
  change(bright, 'two');
  viewer.send({ type: 'viewer.closed' });
  expect(sent.map((changes) => changes.length)).toEqual([2]);
  await settled();
  expect(selectIsSaveDelayed(viewer.getSnapshot())).toBe(true);
  isThere = true;
  clock.increment(4_999);
  expect(sent).toHaveLength(1);
  clock.increment(1);
  await settled();
  expect(sent).toHaveLength(2);
  expect(selectIsSaving(viewer.getSnapshot())).toBe(false);
});
