import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { StudyList } from '../../../src/views/workspace/patient/study-list.tsx';
import { image, series, study } from '../edit/edit-fixture.tsx';
import { noLocation } from '../patient/no-location.ts';
import { anImage, aViewset, idOf } from '../records.ts';
import { slotIn } from './mount-fixture.ts';
import { renderMount, renderMountWith } from './render-mount.tsx';

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

describe('dropping an image on another mount of the list', () => {
  const rows = study({
    viewsets: [before, after].map(({ viewSetUuid, name }) => ({
      templateUUID: null,
      mounted: [],
      viewSetUuid,
      name,
      slots: 2,
      filledSlots: 1,
    })),
    series: [series([image(1), image(2)])],
  });
  const withList = (rights = allowed, other = after) =>
    renderMountWith(Promise.resolve([]), before, rights, [other], <StudyList studies={[rows]} location={noLocation} />);
  const row = () => document.querySelector(`[data-drop-mount="${idOf(2)}"]`);
  beforeEach(() => {
    document.elementFromPoint = row;
  });
  const dropOnRow = async () => {
    await waitFor(() => expect(row()?.hasAttribute('data-target')).toBe(true));
    fireEvent.pointerUp(window, { pointerId: 7, clientX: 50, clientY: 50 });
    expect(row()?.hasAttribute('data-target')).toBe(false);
  };
  const dragSlot = ({ emit }: Awaited<ReturnType<typeof withList>>) =>
    act(async () => emit({ type: 'image.dragged', id: 'a', pointerId: 7, clientX: 5, clientY: 5 }));
  const press = (element: Element, pointerType: string) =>
    fireEvent.pointerDown(element, { pointerId: 7, button: 0, isPrimary: true, pointerType, clientX: 0, clientY: 0 });

  it('does what cut, opening the mount and paste into the first slot that it fits do', async () => {
    const byKey = await cutAndOpenOther(fromSlot);
    await userEvent.keyboard(`1${paste}`);
    await waitFor(() => expect(byKey.calls).toEqual([movedIn]));
    byKey.actor.stop();
    byKey.page.unmount();

    const byMouse = await withList();
    await dragSlot(byMouse);
    await dropOnRow();
    await waitFor(() => expect(byMouse.calls).toEqual(byKey.calls));
    await screen.findByRole('listbox', { name: 'Slots of Then and now' });
    expect(slot(1).getAttribute('aria-selected')).toBe('true');
    expect(screen.queryByText(/^Cut:/)).toBeNull();
    byMouse.actor.stop();
  });

  it('mounts an image of the tray, and by a long press one of the list', async () => {
    const byMouse = await withList();
    press(screen.getByRole('option', { name: /^Image 1/ }), 'mouse');
    fireEvent.pointerMove(window, { pointerId: 7, clientX: 20, clientY: 20 });
    await dropOnRow();
    await waitFor(() =>
      expect(byMouse.calls).toEqual([expect.objectContaining({ kind: 'mount', imageUid: 'b', to: 0 })]),
    );
    byMouse.actor.stop();
    byMouse.page.unmount();

    const byTouch = await withList();
    const thumbnail = screen.getAllByRole('link', { name: /^Open / })[0];
    if (!thumbnail) throw new Error('The list has no image');
    press(thumbnail, 'touch');
    await waitFor(() => expect(document.documentElement.hasAttribute('data-dragging')).toBe(true));
    await dropOnRow();
    const mounted = { kind: 'mount', imageUid: image(1).uid, to: 0 };
    await waitFor(() => expect(byTouch.calls).toEqual([expect.objectContaining(mounted)]));
    await waitFor(() => expect(slot(1).getAttribute('aria-selected')).toBe('true'));
    byTouch.actor.stop();
  });

  it('says at the drop that the user may not move images', async () => {
    const mount = await withList({ unmount: true, move: false });
    await dragSlot(mount);
    await dropOnRow();
    expect(mount.rejections).toEqual([expect.stringMatching(/^You have no rights to move images/)]);
    screen.getByRole('listbox', { name: 'Slots of Bitewings 2023' });
    expect(mount.calls).toEqual([]);
    mount.actor.stop();
  });

  it('keeps the image cut when it fits no free slot, so that the user pastes it', async () => {
    const full = { ...after, viewSetItems: [slotIn(1, box(1), anImage('c'))] };
    const mount = await withList(allowed, full);
    await dragSlot(mount);
    await dropOnRow();
    await screen.findByText(/^Cut: .*, from Bitewings 2023\./);
    expect(mount.rejections).toEqual(['The image fits none of the free slots. Choose a slot and paste it there']);
    await userEvent.keyboard(`2${paste}`);
    await waitFor(() => expect(mount.calls).toEqual([{ ...movedIn, to: 1, displaced: 'c' }]));
    mount.actor.stop();
  });

  it('forgets a dropped image when another mount is opened before its own', async () => {
    const mount = await withList(allowed, { ...after, viewSetUuid: idOf(3), name: 'Third' });
    await dragSlot(mount);
    await dropOnRow();
    await act(async () => mount.actor.send({ type: 'viewset.opened', viewsetId: idOf(3) }));
    await screen.findByRole('listbox', { name: 'Slots of Third' });
    expect([mount.calls, mount.rejections]).toEqual([[], []]);
    expect(screen.queryByText(/^Cut:/)).toBeNull();
    mount.actor.stop();
  });
});
