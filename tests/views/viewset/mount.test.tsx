import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { plainDisplay } from '../../../contract/displays.ts';
import { anImage } from '../records.ts';
import { fullMouthBoxes, mountOf, slotIn } from './mount-fixture.ts';
import { renderMount } from './render-mount.tsx';

beforeEach(() => localStorage.clear());

const boxes = fullMouthBoxes();
const box = (index: number) => boxes[index] ?? ([0, 0, 1, 1] as const);
const emptyMouth = (tray: number) =>
  mountOf(
    boxes.map((one, index) => slotIn(index, one)),
    Array.from({ length: tray }, (_, index) => anImage(`i${index + 1}`)),
  );
const slot = (name: RegExp) => screen.getByRole('option', { name });
const tray = () => screen.getByRole('listbox', { name: 'Images in the tray' });
const trayImages = () => within(tray()).getAllByRole('option');
const expectAnnounced = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeTruthy());

it('tells in the name and on the picture of a slot that its image has a note, or a draft of one', async () => {
  const noted = [
    { version: 2, state: 'draft' },
    { version: 1, state: 'signed' },
    { version: 3, state: 'removed' },
    null,
  ];
  const items = noted.map((note, index) => slotIn(index, box(index), anImage(`i${index}`, { note } as object)));
  const { actor } = await renderMount(mountOf(items));
  const slots = screen.getAllByRole('option').map((one) => {
    const sign = within(one).queryByTitle(/note/i);
    return [one.getAttribute('aria-label'), sign?.title];
  });
  expect(slots.toSorted()).toEqual([
    ['Slot 1, Draft note', 'Draft note'],
    ['Slot 2, Note', 'Note'],
    ['Slot 3', undefined],
    ['Slot 4', undefined],
  ]);
  actor.stop();
});

describe('a mount by keyboard', () => {
  it('fills a full mouth from the tray, each image into the next free slot', async () => {
    const { actor, calls } = await renderMount(emptyMouth(18));
    await userEvent.keyboard('t');
    expect(document.activeElement).toBe(trayImages()[0]);
    for (let left = 18; left > 0; left -= 1) {
      await userEvent.keyboard('{Enter}');
      if (left > 1) await waitFor(() => expect(trayImages()).toHaveLength(left - 1));
    }
    expect(calls).toHaveLength(18);
    expect(calls.map((call) => [call.imageUid, call.kind === 'mount' && call.to])).toEqual(
      boxes.map((_, index) => [`i${index + 1}`, index]),
    );
    expect(screen.getByText('All images are mounted', { exact: false })).toBeTruthy();
    // The focus is not lost with the last image.
    await waitFor(() => expect(document.activeElement?.getAttribute('data-drop-slot')).not.toBeNull());
    actor.stop();
  });

  it('mounts by slot number of one or two digits, and selects the next image', async () => {
    const { actor, calls } = await renderMount(emptyMouth(3));
    await userEvent.keyboard('t17');
    await waitFor(() => expect(calls).toEqual([expect.objectContaining({ imageUid: 'i1', to: 16 })]));
    await expectAnnounced('Mounted in slot 17');
    await waitFor(() => expect(document.activeElement).toBe(trayImages()[0]));
    await userEvent.keyboard('{ArrowRight}5');
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]).toMatchObject({ imageUid: 'i3', to: 4 });
    actor.stop();
  });

  it('selects a slot by number while the focus is in the mount, and mounts nothing', async () => {
    const { actor, calls } = await renderMount(emptyMouth(3));
    await userEvent.keyboard('tt7');
    await waitFor(() => expect(slot(/^Slot 7,/).getAttribute('aria-selected')).toBe('true'));
    expect(document.activeElement).toBe(slot(/^Slot 7,/));
    expect(calls).toEqual([]);
    await userEvent.keyboard('{ArrowLeft}');
    expect(slot(/^Slot 8,/).getAttribute('aria-selected')).toBe('true');
    await userEvent.keyboard('{Home}');
    expect(document.activeElement).toBe(slot(/^Slot 1,/));
    await userEvent.keyboard('{End}');
    expect(document.activeElement).toBe(slot(/^Slot 18,/));
    actor.stop();
  });

  it('completes a number on Enter, and discards it on Escape', async () => {
    const { actor, calls } = await renderMount(emptyMouth(3));
    await userEvent.keyboard('t1{Escape}{Enter}');
    await waitFor(() => expect(calls).toEqual([expect.objectContaining({ imageUid: 'i1', to: 0 })]));
    await userEvent.keyboard('1{Enter}');
    await expectAnnounced('Mounted in slot 1. The previous image is in the tray');
    actor.stop();
  });

  it('announces a number without a slot', async () => {
    const { actor, calls } = await renderMount(mountOf([slotIn(0, box(0)), slotIn(1, box(1))], [anImage('a')]));
    await userEvent.keyboard('t9');
    await expectAnnounced('There is no slot 9');
    expect(calls).toEqual([]);
    actor.stop();
  });

  it('opens, unmounts, and moves by cut and paste', async () => {
    const viewset = mountOf([slotIn(0, box(0), anImage('a')), slotIn(1, box(1), anImage('b')), slotIn(2, box(2))]);
    const { actor, calls, opened } = await renderMount(viewset);
    await userEvent.keyboard('1');
    await waitFor(() => expect(slot(/^Slot 1/).getAttribute('aria-selected')).toBe('true'));
    await userEvent.keyboard('{Enter}');
    expect(opened).toEqual(['a']);

    await userEvent.keyboard('{Control>}x{/Control}3{Control>}v{/Control}');
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(calls[0]).toMatchObject({ kind: 'move', imageUid: 'a', from: 0, to: 2 });
    await expectAnnounced('Moved from slot 1 to slot 3');

    await userEvent.keyboard('{Control>}x{/Control}2{Control>}v{/Control}');
    await waitFor(() => expect(calls).toHaveLength(2));
    await expectAnnounced('Slot 3 and slot 2 were swapped');

    await userEvent.keyboard('u');
    await waitFor(() => expect(calls).toHaveLength(3));
    expect(calls[2]).toMatchObject({ kind: 'unmount', imageUid: 'a', from: 1 });
    expect(trayImages()).toHaveLength(1);
    actor.stop();
  });

  it('leaves Enter to buttons and letters to text fields', async () => {
    const { actor, calls, opened } = await renderMount(mountOf([slotIn(0, box(0), anImage('a'))], [anImage('b')]));
    screen.getByRole('button', { name: 'Somewhere else' }).focus();
    await userEvent.keyboard('{Enter}{ArrowDown}');
    screen.getByRole('textbox').focus();
    await userEvent.keyboard('1ut{Control>}x{/Control}');
    expect(actor.getSnapshot().context.selection).toEqual({ slot: 0, trayImage: null });
    expect([calls, opened]).toEqual([[], []]);
    actor.stop();
  });

  it('takes the focus when it opens, unless the user is typing or reading a menu', async () => {
    const { actor, page } = await renderMount(emptyMouth(0));
    await waitFor(() => expect(document.activeElement).toBe(slot(/^Slot 1,/)));
    actor.stop();
    page.unmount();
    const search = document.body.appendChild(document.createElement('input'));
    search.focus();
    const other = await renderMount(emptyMouth(0));
    expect(document.activeElement).toBe(search);
    search.remove();
    other.actor.stop();
    other.page.unmount();
    const menu = document.body.appendChild(document.createElement('div'));
    menu.innerHTML =
      '<button id="opener" aria-expanded="true"></button><div role="menu" aria-labelledby="opener"><button role="menuitem"></button></div>';
    const item = menu.querySelector<HTMLElement>('[role=menuitem]');
    item?.focus();
    const third = await renderMount(emptyMouth(0));
    expect(document.activeElement).toBe(item);
    menu.remove();
    third.actor.stop();
  });

  it('opens a collapsed tray', async () => {
    localStorage.setItem('dentarium.tray', 'no');
    const { actor } = await renderMount(emptyMouth(2));
    expect(screen.queryByRole('listbox', { name: 'Images in the tray' })).toBeNull();
    await userEvent.keyboard('t');
    await waitFor(() => expect(document.activeElement).toBe(trayImages()[0]));
    actor.stop();
  });
});

describe('rights', () => {
  it('keep images in their slots, and show why', async () => {
    const viewset = mountOf([slotIn(0, box(0), anImage('a')), slotIn(1, box(1))], [anImage('b')]);
    const { actor, calls, rejections } = await renderMount(viewset, { unmount: false, move: false });
    await userEvent.keyboard('{ArrowDown}u');
    await userEvent.keyboard('{Control>}x{/Control}{ArrowRight}{Control>}v{/Control}');
    expect(rejections).toEqual([
      'You have no rights to remove images from their slots. Missing right: “Remove images from mounts”',
      'You have no rights to move images. Missing right: “Move images”',
    ]);
    // Mounting over an image would unmount that one.
    await userEvent.keyboard('t1');
    await waitFor(() => expect(rejections).toHaveLength(3));
    expect(calls).toEqual([]);
    actor.stop();
  });
});

describe('slots', () => {
  it('are named by number, teeth, and whether they are empty', async () => {
    const withTeeth = { ...slotIn(0, box(0)), teeth: [14, 15] };
    const { actor } = await renderMount(mountOf([withTeeth, slotIn(1, box(1), anImage('a'))]));
    expect(slot(/^Slot 1/).getAttribute('aria-label')).toBe('Slot 1, teeth 14 15, empty');
    expect(slot(/^Slot 2/).getAttribute('aria-label')).toBe('Slot 2');
    actor.stop();
  });

  it('show that a file is damaged in storage, also in their name', async () => {
    const fileError = { kind: 'damaged', since: '2026-11-02T08:15:00.000Z' } as const;
    const harmed = anImage('a', { activeImageThumbLink: 'error', storageFault: fileError });
    const { actor } = await renderMount(mountOf([slotIn(0, box(0), harmed)], [{ ...harmed, uid: 'b' }]));
    expect(within(slot(/^Slot 1.*Damaged in storage since/)).getByText(/^Damaged in storage since/)).toBeTruthy();
    expect(within(trayImages()[0] as HTMLElement).getByText(/^Damaged in storage since/)).toBeTruthy();
    actor.stop();
  });

  it('show that a thumbnail failed, until the image itself is drawn', async () => {
    const broken = anImage('a', { activeImageThumbLink: 'error' });
    const { actor, emit } = await renderMount(mountOf([slotIn(0, box(0), broken)]));
    expect(within(slot(/^Slot 1/)).getByText('Error while generate thumbnail')).toBeTruthy();
    act(() =>
      emit({
        type: 'view.drawn',
        id: 'a',
        display: { ...plainDisplay, voi: { kind: 'lut', index: 0 } },
        camera: { centreX: 0, centreY: 0, scale: 1 },
        level: 'reduced',
        filtering: false,
      }),
    );
    expect(within(slot(/^Slot 1/)).queryByText('Error while generate thumbnail')).toBeNull();
    actor.stop();
  });

  it('follow the canvas without React renders', async () => {
    const { actor, emit } = await renderMount(emptyMouth(0));
    const mountElement = screen.getByRole('listbox', { name: 'Slots of Full mouth' });
    emit({ type: 'mount.drawn', left: 12, top: -7, scale: 0.25 });
    expect(mountElement.style.transform).toBe('translate(12px, -7px)');
    expect(mountElement.style.getPropertyValue('--s')).toBe('0.25');
    emit({ type: 'mount.pressed', x: 10, y: 10 });
    await waitFor(() => expect(slot(/^Slot 5,/).getAttribute('aria-selected')).toBe('true'));
    actor.stop();
  });
});

describe('dragging', () => {
  const over = (selector: string | null) => {
    document.elementFromPoint = () => (selector ? document.querySelector(selector) : null);
  };
  const drag = async (uid: string, emit: (intent: never) => void) => {
    act(() => emit({ type: 'image.dragged', id: uid, pointerId: 7, clientX: 5, clientY: 5 } as never));
  };
  const letGo = () => fireEvent.pointerUp(window, { pointerId: 7, clientX: 50, clientY: 50 });

  it('drops into the slot under the pointer, and swaps with an image there', async () => {
    const viewset = mountOf([slotIn(0, box(0), anImage('a')), slotIn(1, box(1), anImage('b'))]);
    const { actor, calls, emit } = await renderMount(viewset);
    over('[data-drop-slot="1"]');
    await drag('a', emit as never);
    fireEvent.pointerMove(window, { pointerId: 7, clientX: 50, clientY: 50 });
    await waitFor(() => expect(slot(/^Slot 2/).getAttribute('data-target')).toBe('true'));
    letGo();
    await waitFor(() =>
      expect(calls).toEqual([expect.objectContaining({ kind: 'move', from: 0, to: 1, displaced: 'b' })]),
    );
    expect(slot(/^Slot 2/).getAttribute('data-target')).toBeNull();
    actor.stop();
  });

  it('unmounts over the tray, and does nothing outside or after Escape', async () => {
    const { actor, calls, emit } = await renderMount(mountOf([slotIn(0, box(0), anImage('a'))], [anImage('b')]));
    over(null);
    await drag('a', emit as never);
    letGo();
    over('[data-drop-tray]');
    await drag('a', emit as never);
    await userEvent.keyboard('{Escape}');
    letGo();
    expect(calls).toEqual([]);
    await drag('a', emit as never);
    letGo();
    await waitFor(() => expect(calls).toEqual([expect.objectContaining({ kind: 'unmount', imageUid: 'a' })]));
    actor.stop();
  });

  it('drags from the tray with the mouse, ignoring other pointers and buttons', async () => {
    const { actor, calls } = await renderMount(mountOf([slotIn(0, box(0)), slotIn(1, box(1))], [anImage('b')]));
    over('[data-drop-slot="1"]');
    const [image] = trayImages();
    if (!image) throw new Error('the tray is empty');
    fireEvent.pointerDown(image, {
      pointerId: 7,
      button: 0,
      isPrimary: true,
      pointerType: 'mouse',
      clientX: 0,
      clientY: 0,
    });
    fireEvent.pointerMove(window, { pointerId: 7, clientX: 3, clientY: 0 });
    expect(document.documentElement.hasAttribute('data-dragging')).toBe(false);
    fireEvent.pointerMove(window, { pointerId: 7, clientX: 9, clientY: 0 });
    expect(document.documentElement.hasAttribute('data-dragging')).toBe(true);
    fireEvent.pointerUp(window, { pointerId: 8, clientX: 50, clientY: 50 });
    expect(calls).toEqual([]);
    letGo();
    await waitFor(() => expect(calls).toEqual([expect.objectContaining({ kind: 'mount', imageUid: 'b', to: 1 })]));
    expect(document.documentElement.hasAttribute('data-dragging')).toBe(false);
    actor.stop();
  });
});
