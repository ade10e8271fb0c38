import { Notifications } from '@mantine/notifications';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise } from 'xstate';
import type { Viewset } from '../../contract/viewsets.ts';
import { type Change, unsavedOf } from '../../src/machines/viewer/saving.rules.ts';
import { viewerMachine } from '../../src/machines/viewer/viewer.machine.ts';
import { selectShownViewset, viewsetMachine } from '../../src/machines/viewset/viewset.machine.ts';
import { createDrafts } from '../../src/services/drafts.ts';
import { useResumedChanges } from '../../src/views/drafts/use-resumed-changes.ts';
import { DraftsProvider } from '../../src/views/kept-drafts.ts';
import { type Hanging, hangingOf, viewsetOf } from '../machines/hanging.ts';
import { bright, dark, placeOf } from '../machines/viewer-room.ts';
import { show } from './render.tsx';

const viewsetId = '00000000-0000-4000-8000-000000000007';
const patientId = '00000000-0000-4000-8000-000000000001';
const storeOf = () => {
  const texts = new Map<string, string>();
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, value: string) => void texts.set(key, value),
    removeItem: (key: string) => void texts.delete(key),
  };
};

const roomWith = async (hanging: Hanging) => {
  const drafts = createDrafts({ tabStore: storeOf(), sharedStore: storeOf() });
  drafts.belongTo('anna');
  const never = fromPromise<never, never>(() => new Promise(() => {}));
  const viewset = createActor(
    viewsetMachine.provide({
      actors: {
        openViewset: fromPromise<Viewset, { viewsetId: string }>(async () => viewsetOf(viewsetId, 1, hanging)),
        mountImage: never as never,
        unmountImage: never as never,
        watchViewset: fromCallback(() => {}),
      },
    }),
  ).start();
  const viewer = createActor(viewerMachine).start();
  const Room = () => {
    useResumedChanges(viewer, viewset);
    return null;
  };
  await show(
    <DraftsProvider value={drafts}>
      <Notifications />
      <Room />
    </DraftsProvider>,
  );
  const open = () => act(async () => viewset.send({ type: 'viewset.opened', viewsetId }));
  const shown = () => {
    const now = selectShownViewset(viewset.getSnapshot());
    return now && hangingOf(now);
  };
  return { drafts, viewer, open, shown };
};
const hangingDraft = (operations: readonly object[]) => ({
  key: `hanging/${viewsetId}/1`,
  place: '/patient/1',
  what: { kind: 'hanging' as const, name: 'FMX', patientId, viewsetId },
  content: { operations },
});
const mountB = { kind: 'mount', imageUid: 'b', from: 'tray', to: 2, displaced: null };

it('hangs again what an earlier session could not send, once its mount is open', async () => {
  const { drafts, open, shown } = await roomWith({ slots: { 1: 'a', 2: null }, tray: ['b'] });
  act(() => drafts.keep(hangingDraft([mountB])));
  await open();
  expect(shown()?.slots).toEqual({ 1: 'a', 2: null });
  act(() => drafts.resume(hangingDraft([]).key));
  expect(shown()).toEqual({ slots: { 1: 'a', 2: 'b' }, tray: [] });
  expect(drafts.all()).toEqual([]);
  expect(await screen.findByText('What you did is back in place')).toBeTruthy();
});

it('says when somebody else has changed the mount meanwhile', async () => {
  const { drafts, open, shown } = await roomWith({ slots: { 1: 'a', 2: 'c' }, tray: ['b'] });
  act(() => drafts.keep(hangingDraft([mountB])));
  act(() => drafts.resume(hangingDraft([]).key));
  await open();
  expect(await screen.findByText(/Somebody else has changed the mount meanwhile/)).toBeTruthy();
  expect(shown()).toEqual({ slots: { 1: 'a', 2: 'c' }, tray: ['b'] });
});

it('offers nobody what the archive has already', async () => {
  const { drafts, open } = await roomWith({ slots: { 1: 'a', 2: 'b' }, tray: [] });
  act(() => drafts.keep(hangingDraft([mountB])));
  expect(drafts.offered()).toHaveLength(1);
  await open();
  await waitFor(() => expect(drafts.all()).toEqual([]));
});

it('shows images again as they were left, and says when somebody else has changed one', async () => {
  const { drafts, viewer } = await roomWith({ slots: {}, tray: [] });
  const change: Change = { kind: 'display', viewsetId: 'v', imageUid: 'one', display: dark, version: 1 };
  const draft = { key: 'looks/1', place: '/patient/1', what: { kind: 'looks' as const, name: '' } };
  act(() => drafts.keep({ ...draft, content: { changes: [change] } }));
  act(() => drafts.resume(draft.key));
  act(() => viewer.send({ type: 'images.shown', places: [placeOf('one', { display: bright, displayVersion: 2 })] }));
  expect(unsavedOf(viewer.getSnapshot().context.room)).toEqual([{ ...change, version: 2 }]);
  expect(await screen.findByText(/Somebody else has changed the image meanwhile/)).toBeTruthy();
  expect(drafts.all()).toEqual([]);
});
