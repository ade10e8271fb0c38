import { Notifications } from '@mantine/notifications';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createActor, fromCallback, fromPromise } from 'xstate';
import type { Viewset } from '../../contract/viewsets.ts';
import { type Change, unsavedOf } from '../../src/machines/viewer/saving.rules.ts';
import { viewerMachine } from '../../src/machines/viewer/viewer.machine.ts';
import { selectShownViewset, viewsetMachine } from '../../src/machines/viewset/viewset.machine.ts';
import { createDrafts } from '../../src/services/drafts.ts';
import { DraftsProvider } from '../../src/views/app/drafts-context.ts';
import { useResumedChanges } from '../../src/views/drafts/use-resumed-changes.ts';
import { bright, dark, stageImageOf } from '../machines/viewer-fixtures.ts';
import { type Placement, placementOf, viewsetOf } from '../machines/viewset-fixtures.ts';
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

const workspaceWith = async (placement: Placement) => {
  const drafts = createDrafts({ tabStore: storeOf(), sharedStore: storeOf() });
  drafts.setOwner('anna');
  const never = fromPromise<never, never>(() => new Promise(() => {}));
  const viewset = createActor(
    viewsetMachine.provide({
      actors: {
        openViewset: fromPromise<Viewset, { viewsetId: string }>(async () => viewsetOf(viewsetId, 1, placement)),
        mountImage: never as never,
        unmountImage: never as never,
        watchViewset: fromCallback(() => {}),
      },
    }),
  ).start();
  const viewer = createActor(viewerMachine).start();
  const Workspace = () => {
    useResumedChanges(viewer, viewset);
    return null;
  };
  await show(
    <DraftsProvider value={drafts}>
      <Notifications />
      <Workspace />
    </DraftsProvider>,
  );
  const open = () => act(async () => viewset.send({ type: 'viewset.opened', viewsetId }));
  const shown = () => {
    const now = selectShownViewset(viewset.getSnapshot());
    return now && placementOf(now);
  };
  return { drafts, viewer, open, shown };
};
const mountDraft = (operations: readonly object[]) => ({
  key: `hanging/${viewsetId}/1`,
  place: '/patient/1',
  what: { kind: 'hanging' as const, name: 'FMX', patientId, viewsetId },
  content: { operations },
});
const mountB = { kind: 'mount', imageUid: 'b', from: 'tray', to: 2, displaced: null };

it('repeats unsent mounting of an earlier session once its mount is open', async () => {
  const { drafts, open, shown } = await workspaceWith({ slots: { 1: 'a', 2: null }, tray: ['b'] });
  act(() => drafts.save(mountDraft([mountB])));
  await open();
  expect(shown()?.slots).toEqual({ 1: 'a', 2: null });
  act(() => drafts.resume(mountDraft([]).key));
  expect(shown()).toEqual({ slots: { 1: 'a', 2: 'b' }, tray: [] });
  expect(drafts.all()).toEqual([]);
  expect(await screen.findByText('Your changes are restored')).toBeTruthy();
});

it('reports that another user has changed the mount meanwhile', async () => {
  const { drafts, open, shown } = await workspaceWith({ slots: { 1: 'a', 2: 'c' }, tray: ['b'] });
  act(() => drafts.save(mountDraft([mountB])));
  act(() => drafts.resume(mountDraft([]).key));
  await open();
  expect(await screen.findByText(/Another user has changed the mount/)).toBeTruthy();
  expect(shown()).toEqual({ slots: { 1: 'a', 2: 'c' }, tray: ['b'] });
});

it('offers no draft that the server already has', async () => {
  const { drafts, open } = await workspaceWith({ slots: { 1: 'a', 2: 'b' }, tray: [] });
  act(() => drafts.save(mountDraft([mountB])));
  expect(drafts.offered()).toHaveLength(1);
  await open();
  await waitFor(() => expect(drafts.all()).toEqual([]));
});

it('restores image settings, and reports when another user has changed an image', async () => {
  const { drafts, viewer } = await workspaceWith({ slots: {}, tray: [] });
  const change: Change = { kind: 'display', viewsetId: 'v', imageUid: 'one', display: dark, version: 1 };
  const draft = { key: 'looks/1', place: '/patient/1', what: { kind: 'looks' as const, name: '' } };
  act(() => drafts.save({ ...draft, content: { changes: [change] } }));
  act(() => drafts.resume(draft.key));
  act(() =>
    viewer.send({ type: 'images.shown', images: [stageImageOf('one', { display: bright, displayVersion: 2 })] }),
  );
  expect(unsavedOf(viewer.getSnapshot().context.workspace)).toEqual([{ ...change, version: 2 }]);
  expect(await screen.findByText(/Another user has changed the image/)).toBeTruthy();
  expect(drafts.all()).toEqual([]);
});
