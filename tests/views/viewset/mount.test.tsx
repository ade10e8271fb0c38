import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { plainDisplay } from '../../../contract/displays.ts';
import { anImage, aSlot, aViewset, fullMouthBoxes } from './mount-fixture.ts';
import { layTable } from './table.tsx';

beforeEach(() => localStorage.clear());

const boxes = fullMouthBoxes();
const box = (index: number) => boxes[index] ?? ([0, 0, 1, 1] as const);
const emptyMouth = (tray: number) =>
  aViewset(
    boxes.map((one, index) => aSlot(index, one)),
    Array.from({ length: tray }, (_, index) => anImage(`i${index + 1}`)),
  );
const slot = (name: RegExp) => screen.getByRole('option', { name });
const tray = () => screen.getByRole('listbox', { name: 'Images in the tray' });
const trayImages = () => within(tray()).getAllByRole('option');
const said = (text: string) => waitFor(() => expect(screen.getByText(text)).toBeTruthy());

describe('a mount by keyboard', () => {
  it('takes a whole mouth from the tray, image after image, each into the next free slot', async () => {
    const { actor, calls } = await layTable(emptyMouth(18));
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
    expect(screen.getByText('All images hang in a slot', { exact: false })).toBeTruthy();
    // The keyboard is not lost with the last image.
    await waitFor(() => expect(document.activeElement?.getAttribute('data-drop-slot')).not.toBeNull());
    actor.stop();
  });

  it('mounts by the number of the slot, one digit or two, and keeps the next image ready', async () => {
    const { actor, calls } = await layTable(emptyMouth(3));
    await userEvent.keyboard('t17');
    await waitFor(() => expect(calls).toEqual([expect.objectContaining({ imageUid: 'i1', to: 16 })]));
    await said('Mounted in slot 17');
    await waitFor(() => expect(document.activeElement).toBe(trayImages()[0]));
    await userEvent.keyboard('{ArrowRight}5');
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(calls[1]).toMatchObject({ imageUid: 'i3', to: 4 });
    actor.stop();
  });

  it('chooses a slot by number while the focus is in the mount: nothing is mounted by accident', async () => {
    const { actor, calls } = await layTable(emptyMouth(3));
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

  it('need not wait for a second digit when Enter is pressed, and forgets the number by Escape', async () => {
    const { actor, calls } = await layTable(emptyMouth(3));
    await userEvent.keyboard('t1{Escape}{Enter}');
    await waitFor(() => expect(calls).toEqual([expect.objectContaining({ imageUid: 'i1', to: 0 })]));
    await userEvent.keyboard('1{Enter}');
    await said('Mounted in slot 1; the image that hung there is in the tray');
    actor.stop();
  });

  it('says that a number has no slot', async () => {
    const { actor, calls } = await layTable(aViewset([aSlot(0, box(0)), aSlot(1, box(1))], [anImage('a')]));
    await userEvent.keyboard('t9');
    await said('There is no slot 9');
    expect(calls).toEqual([]);
    actor.stop();
  });

  it('opens, unmounts, and moves by cut and paste', async () => {
    const viewset = aViewset([aSlot(0, box(0), anImage('a')), aSlot(1, box(1), anImage('b')), aSlot(2, box(2))]);
    const { actor, calls, opened } = await layTable(viewset);
    await userEvent.keyboard('1');
    await waitFor(() => expect(slot(/^Slot 1/).getAttribute('aria-selected')).toBe('true'));
    await userEvent.keyboard('{Enter}');
    expect(opened).toEqual(['a']);

    await userEvent.keyboard('{Control>}x{/Control}3{Control>}v{/Control}');
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(calls[0]).toMatchObject({ kind: 'move', imageUid: 'a', from: 0, to: 2 });
    await said('Moved from slot 1 to slot 3');

    await userEvent.keyboard('{Control>}x{/Control}2{Control>}v{/Control}');
    await waitFor(() => expect(calls).toHaveLength(2));
    await said('Slot 3 and slot 2 have changed places');

    await userEvent.keyboard('u');
    await waitFor(() => expect(calls).toHaveLength(3));
    expect(calls[2]).toMatchObject({ kind: 'unmount', imageUid: 'a', from: 1 });
    expect(trayImages()).toHaveLength(1);
    actor.stop();
  });

  it('leaves buttons their Enter and text its letters', async () => {
    const { actor, calls, opened } = await layTable(aViewset([aSlot(0, box(0), anImage('a'))], [anImage('b')]));
    screen.getByRole('button', { name: 'Somewhere else' }).focus();
    await userEvent.keyboard('{Enter}{ArrowDown}');
    screen.getByRole('textbox').focus();
    await userEvent.keyboard('1ut{Control>}x{/Control}');
    expect(actor.getSnapshot().context.selection).toEqual({ slot: 0, trayImage: null });
    expect([calls, opened]).toEqual([[], []]);
    actor.stop();
  });

  it('is where the keyboard is as soon as it is open, unless the person is writing or reading a menu', async () => {
    const { actor, page } = await layTable(emptyMouth(0));
    await waitFor(() => expect(document.activeElement).toBe(slot(/^Slot 1,/)));
    actor.stop();
    page.unmount();
    const search = document.body.appendChild(document.createElement('input'));
    search.focus();
    const other = await layTable(emptyMouth(0));
    expect(document.activeElement).toBe(search);
    search.remove();
    other.actor.stop();
    other.page.unmount();
    const menu = document.body.appendChild(document.createElement('div'));
    menu.innerHTML =
      '<button id="opener" aria-expanded="true"></button><div role="menu" aria-labelledby="opener"><button role="menuitem"></button></div>';
    const item = menu.querySelector<HTMLElement>('[role=menuitem]');
    item?.focus();
    const third = await layTable(emptyMouth(0));
    expect(document.activeElement).toBe(item);
    menu.remove();
    third.actor.stop();
  });

  it('opens a tray that was folded away', async () => {
    localStorage.setItem('dentarium.tray', 'no');
    const { actor } = await layTable(emptyMouth(2));
    expect(screen.queryByRole('listbox', { name: 'Images in the tray' })).toBeNull();
    await userEvent.keyboard('t');
    await waitFor(() => expect(document.activeElement).toBe(trayImages()[0]));
    actor.stop();
  });
});

describe('rights', () => {
  it('keep images in their slots, and say why', async () => {
    const viewset = aViewset([aSlot(0, box(0), anImage('a')), aSlot(1, box(1))], [anImage('b')]);
    const { actor, calls, refusals } = await layTable(viewset, { detach: false, move: false });
    await userEvent.keyboard('{ArrowDown}u');
    await userEvent.keyboard('{Control>}x{/Control}{ArrowRight}{Control>}v{/Control}');
    expect(refusals).toEqual([
      'You have no rights to take images out of their slots. Missing right: “Take images out of mounts”',
      'You have no rights to move images. Missing right: “Move images”',
    ]);
    // To mount over an image is to take that one out.
    await userEvent.keyboard('t1');
    await waitFor(() => expect(refusals).toHaveLength(3));
    expect(calls).toEqual([]);
    actor.stop();
  });
});

describe('what the slots say', () => {
  it('is their number, their teeth, and whether they are empty', async () => {
    const withTeeth = { ...aSlot(0, box(0)), teeth: [14, 15] };
    const { actor } = await layTable(aViewset([withTeeth, aSlot(1, box(1), anImage('a'))]));
    expect(slot(/^Slot 1/).getAttribute('aria-label')).toBe('Slot 1, teeth 14 15, empty');
    expect(slot(/^Slot 2/).getAttribute('aria-label')).toBe('Slot 2');
    actor.stop();
  });

  it('is that a thumbnail failed, in the words of the product, until the image itself is drawn', async () => {
    const broken = anImage('a', { activeImageThumbLink: 'error' });
    const { actor, tell } = await layTable(aViewset([aSlot(0, box(0), broken)]));
    expect(within(slot(/^Slot 1/)).getByText('Error while generate thumbnail')).toBeTruthy();
    act(() =>
      tell({
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

  it('follows the canvas without a frame of React between', async () => {
    const { actor, tell } = await layTable(emptyMouth(0));
    const board = screen.getByRole('listbox', { name: 'Slots of Full mouth' });
    tell({ type: 'board.drawn', left: 12, top: -7, scale: 0.25 });
    expect(board.style.transform).toBe('translate(12px, -7px)');
    expect(board.style.getPropertyValue('--s')).toBe('0.25');
    tell({ type: 'board.pressed', x: 10, y: 10 });
    await waitFor(() => expect(slot(/^Slot 5,/).getAttribute('aria-selected')).toBe('true'));
    actor.stop();
  });
});

describe('carrying', () => {
  const over = (selector: string | null) => {
    document.elementFromPoint = () => (selector ? document.querySelector(selector) : null);
  };
  const carry = async (uid: string, tell: (intent: never) => void) => {
    act(() => tell({ type: 'image.carried', id: uid, pointerId: 7, clientX: 5, clientY: 5 } as never));
  };
  const letGo = () => fireEvent.pointerUp(window, { pointerId: 7, clientX: 50, clientY: 50 });

  it('lands in the slot under the pointer; on a filled one both change places', async () => {
    const viewset = aViewset([aSlot(0, box(0), anImage('a')), aSlot(1, box(1), anImage('b'))]);
    const { actor, calls, tell } = await layTable(viewset);
    over('[data-drop-slot="1"]');
    await carry('a', tell as never);
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
    const { actor, calls, tell } = await layTable(aViewset([aSlot(0, box(0), anImage('a'))], [anImage('b')]));
    over(null);
    await carry('a', tell as never);
    letGo();
    over('[data-drop-tray]');
    await carry('a', tell as never);
    await userEvent.keyboard('{Escape}');
    letGo();
    expect(calls).toEqual([]);
    await carry('a', tell as never);
    letGo();
    await waitFor(() => expect(calls).toEqual([expect.objectContaining({ kind: 'unmount', imageUid: 'a' })]));
    actor.stop();
  });

  it('takes an image out of the tray with the mouse, and another finger or button changes nothing', async () => {
    const { actor, calls } = await layTable(aViewset([aSlot(0, box(0)), aSlot(1, box(1))], [anImage('b')]));
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
    expect(document.documentElement.hasAttribute('data-carrying')).toBe(false);
    fireEvent.pointerMove(window, { pointerId: 7, clientX: 9, clientY: 0 });
    expect(document.documentElement.hasAttribute('data-carrying')).toBe(true);
    fireEvent.pointerUp(window, { pointerId: 8, clientX: 50, clientY: 50 });
    expect(calls).toEqual([]);
    letGo();
    await waitFor(() => expect(calls).toEqual([expect.objectContaining({ kind: 'mount', imageUid: 'b', to: 1 })]));
    expect(document.documentElement.hasAttribute('data-carrying')).toBe(false);
    actor.stop();
  });
});
