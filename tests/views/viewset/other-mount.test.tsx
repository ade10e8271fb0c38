import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { anImage, aViewset, idOf } from '../records.ts';
import { slotIn } from './mount-fixture.ts';
import { renderMount } from './render-mount.tsx';

const box = (at: number) => [at * 1000, 0, 900, 700] as const;
const before = aViewset([slotIn(0, box(0), anImage('a')), slotIn(1, box(1))], {
  viewSetUuid: idOf(1),
  name: 'Bitewings 2023',
  detachedImages: [anImage('b')],
});
const after = aViewset([slotIn(0, box(0)), slotIn(1, box(1), anImage('c'))], {
  viewSetUuid: idOf(2),
  name: 'Then and now',
  detachedImages: [],
});
const allowed = { unmount: true, move: true };

const slot = (number: number) => screen.getByRole('option', { name: new RegExp(`^Slot ${number}\\b`) });

/** Cuts an image of the first mount and opens the other one. */
const cutAndOpenOther = async (keys: string, rights = allowed) => {
  const mount = await renderMount(before, rights, after);
  await userEvent.keyboard(keys);
  await act(async () => mount.actor.send({ type: 'viewset.opened', viewsetId: idOf(2) }));
  await screen.findByRole('listbox', { name: 'Slots of Then and now' });
  return mount;
};
const fromSlot = '1{Control>}x{/Control}';
const fromTray = 't{Control>}x{/Control}';
const paste = '{Control>}v{/Control}';
const movedIn = { kind: 'move-in', imageUid: 'a', viewsetId: idOf(1), from: 0, to: 0, displaced: null };

it('moves a cut image into a slot of another mount, by key and by button', async () => {
  const byKey = await cutAndOpenOther(fromSlot);
  screen.getByText(/^Cut: .*, from Bitewings 2023\. Choose a slot/);
  await userEvent.keyboard(`1${paste}`);
  await waitFor(() => expect(byKey.calls).toEqual([movedIn]));
  expect(screen.queryByText(/^Cut:/)).toBeNull();
  byKey.actor.stop();
  byKey.page.unmount();

  const byButton = await cutAndOpenOther(fromSlot);
  await userEvent.keyboard('1');
  await userEvent.click(await screen.findByRole('button', { name: 'Paste into slot 1' }));
  await waitFor(() => expect(byButton.calls).toEqual([movedIn]));
  byButton.actor.stop();
});

it('mounts an image that was cut in the tray of another mount', async () => {
  const { calls, actor } = await cutAndOpenOther(fromTray);
  await userEvent.keyboard(`1${paste}`);
  await waitFor(() => expect(calls).toEqual([expect.objectContaining({ kind: 'mount', imageUid: 'b', to: 0 })]));
  actor.stop();
});

it('announces where the image of a filled slot goes', async () => {
  const { calls, actor } = await cutAndOpenOther(fromSlot);
  await userEvent.keyboard(`2${paste}`);
  await waitFor(() => expect(calls).toEqual([{ ...movedIn, to: 1, displaced: 'c' }]));
  screen.getByText('Moved from mount Bitewings 2023 to slot 2. The previous image is in mount Bitewings 2023');
  actor.stop();
});

it('says why a cut image cannot be pasted, and keeps it', async () => {
  const { calls, actor, rejections } = await cutAndOpenOther(fromSlot);
  await act(async () => actor.send({ type: 'slot.selected', itemIndex: null }));
  await userEvent.keyboard(paste);
  expect(rejections).toEqual(['Choose a slot first']);
  screen.getByText(/^Cut:/);
  expect(calls).toEqual([]);
  actor.stop();
});

it('says at the cut that the user may not move images, or at the paste', async () => {
  const neither = await renderMount(before, { unmount: false, move: false }, after);
  await userEvent.keyboard(fromSlot);
  expect(neither.rejections).toEqual([expect.stringMatching(/^You have no rights to move images/)]);
  expect(screen.queryByText(/^Cut:/)).toBeNull();
  neither.actor.stop();
  neither.page.unmount();

  const unmountOnly = await cutAndOpenOther(fromSlot, { unmount: true, move: false });
  await userEvent.keyboard(`1${paste}`);
  expect(unmountOnly.rejections).toEqual([expect.stringMatching(/^You have no rights to move images/)]);
  expect(unmountOnly.calls).toEqual([]);
  unmountOnly.actor.stop();
});

it('forgets a cut image on Escape and on Cancel', async () => {
  const mount = await renderMount(before, allowed, after);
  await userEvent.keyboard(`${fromSlot}{Escape}`);
  expect(screen.queryByText(/^Cut:/)).toBeNull();
  await userEvent.keyboard('{Control>}x{/Control}');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByText(/^Cut:/)).toBeNull();
  expect(slot(1).getAttribute('aria-selected')).toBe('true');
  mount.actor.stop();
});
