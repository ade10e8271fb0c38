import { beforeEach, expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise, SimulatedClock } from 'xstate';
import type { Viewset } from '../../contract/viewsets.ts';
import type { AppActor } from '../../src/machines/app/app.machine.ts';
import { forgetSaved, saveUnsavedChanges } from '../../src/machines/app/unsaved-changes.ts';
import type { Change, Outcome } from '../../src/machines/viewer/saving.rules.ts';
import { viewerMachine } from '../../src/machines/viewer/viewer.machine.ts';
import { viewsetMachine } from '../../src/machines/viewset/viewset.machine.ts';
import type { Change as Hanging } from '../../src/machines/viewset/viewset.setup.ts';
import { createDrafts } from '../../src/services/drafts.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { dark, stageImageOf } from './viewer-fixtures.ts';
import { viewsetOf } from './viewset-fixtures.ts';

const settled = async () => {
  for (let turn = 0; turn < 6; turn += 1) await new Promise(setImmediate);
};
const location = { pathname: '/patient/p/s/v' };

beforeEach(() => {
  location.pathname = '/patient/p/s/v';
});

const storeOf = () => {
  const texts = new Map<string, string>();
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => void texts.set(key, value),
    removeItem: (key: string) => void texts.delete(key),
  };
};

/** A user who edits, and an archive whose replies are controlled by the test. */
const atWork = async () => {
  const drafts = createDrafts({ tabStore: storeOf(), sharedStore: storeOf() });
  drafts.setOwner('anna');
  const archive: { reply: (change: Change) => Outcome } = {
    reply: (change) => ({ change, version: change.version + 1 }),
  };
  const reject = () =>
    Promise.reject(new ServiceError({ kind: 'refused', status: 401, code: 'not-signed-in', errors: [] }));
  const viewset = createActor(
    viewsetMachine.provide({
      actors: {
        openViewset: fromPromise(async () => viewsetOf('v', 1, { slots: { 1: 'a', 2: null }, tray: ['b'] })),
        mountImage: fromPromise<Viewset, Hanging>(reject),
        moveImage: fromPromise<readonly Viewset[], Hanging>(reject),
        watchViewset: fromCallback(() => {}),
      },
    }),
    { clock: new SimulatedClock() },
  );
  const clock = new SimulatedClock();
  const viewer = createActor(
    viewerMachine.provide({
      actors: {
        saveChanges: fromPromise<readonly Outcome[], readonly Change[]>(async ({ input }) => input.map(archive.reply)),
      },
    }),
    { clock },
  );
  viewset.start();
  viewer.start();
  const app = {
    subscribe: (next: (snapshot: unknown) => void) => {
      next({ children: { viewer, viewset } });
      return { unsubscribe: () => {} };
    },
  };
  saveUnsavedChanges(app as unknown as AppActor, drafts, () => location.pathname);
  viewset.send({ type: 'viewset.opened', viewsetId: 'v' });
  await settled();
  viewer.send({ type: 'images.shown', images: [stageImageOf('one'), stageImageOf('two')] });
  viewer.send({ type: 'image.opened', imageUid: 'one' });
  viewer.send({ type: 'image.loaded', imageUid: 'one', frames: 1 });
  return { drafts, archive, viewset, viewer, clock };
};

it('saves mount changes of an ended session, and offers them only then', async () => {
  const { drafts, viewset } = await atWork();
  viewset.send({ type: 'image.reordered', from: 1, to: 2 });
  viewset.send({ type: 'image.mounted', imageUid: 'b', itemIndex: 1 });
  await settled();
  expect([drafts.all().length, drafts.offered()]).toEqual([1, []]);
  viewset.stop();
  expect(drafts.offered()).toMatchObject([
    {
      what: { kind: 'hanging', viewsetId: 'v', patientId: 'patient' },
      content: {
        operations: [
          { kind: 'move', imageUid: 'a', from: 1, to: 2, displaced: null },
          { kind: 'mount', imageUid: 'b', from: 'tray', to: 1, displaced: null },
        ],
      },
    },
  ]);
});

it('stores display settings until the archive has them, each with the page where it was changed', async () => {
  const { drafts, viewer, clock } = await atWork();
  viewer.send({ type: 'display.settled', imageUid: 'one', display: dark, view: 'fit' });
  location.pathname = '/patient/q';
  expect(drafts.all()).toMatchObject([{ place: '/patient/p/s/v', content: { changes: [{ imageUid: 'one' }] } }]);
  clock.increment(500);
  await settled();
  expect(drafts.all()).toEqual([]);
});

it('offers display settings that were not saved before the session ended, and removes those that are saved after all', async () => {
  const { drafts, archive, viewer, clock } = await atWork();
  archive.reply = (change) => ({ change, failure: { kind: 'offline' } });
  viewer.send({ type: 'display.settled', imageUid: 'one', display: dark, view: 'fit' });
  viewer.send({ type: 'display.settled', imageUid: 'two', display: dark, view: 'fit' });
  clock.increment(500);
  await settled();
  viewer.stop();
  const draft = drafts.offered()[0]?.content ?? { changes: [] };
  const { changes } = draft as { readonly changes: readonly Change[] };
  expect(changes.map(({ imageUid }) => imageUid)).toEqual(['one', 'two']);
  const [first, second] = changes;
  forgetSaved(drafts, first as Change);
  expect(drafts.offered()).toMatchObject([{ content: { changes: [{ imageUid: 'two' }] } }]);
  forgetSaved(drafts, { ...(second as Change), imageUid: 'three' });
  expect(drafts.offered()).toHaveLength(1);
  forgetSaved(drafts, second as Change);
  expect(drafts.offered()).toEqual([]);
});
