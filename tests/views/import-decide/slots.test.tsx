import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aFile, aStudy, decided, fileId, showDesk, square } from './desk.tsx';

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

const slot = (number: number) => screen.getByRole('option', { name: new RegExp(`^Slot ${number}\\b`) });
const loose = (name: string) =>
  within(screen.getByRole('listbox', { name: 'Loose images' })).getByRole('option', {
    name: new RegExp(`^${name}\\b`),
  });

/** Files 1 and 2 in slots 1 and 2; files 3 and 4 in the tray. */
const lay = async (links: Record<string, string> = { 0: fileId(1), 1: fileId(2) }) => {
  const desk = await showDesk({
    studies: [aStudy({}, { viewSetTemplateUuid: square.uuid, imagesHashMap: links })],
    files: [aFile(1), aFile(2), aFile(3), aFile(4)],
    answer: decided,
  });
  await screen.findByRole('option', { name: /^Slot 1\b/ });
  const links_ = () => desk.onDecide.mock.calls.map(([, { imagesHashMap }]) => imagesHashMap);
  return { ...desk, sent: links_ };
};

describe('files and slots by keyboard', () => {
  it('moves a file to a slot: Enter picks up, arrows lead, Enter puts down', async () => {
    const { sent } = await lay();
    act(() => slot(1).focus());
    await userEvent.keyboard('{Enter}{ArrowDown}');
    expect(document.activeElement).toBe(slot(3));
    expect(sent()).toEqual([]);
    await userEvent.keyboard('{Enter}');
    expect(sent()).toEqual([{ 1: fileId(2), 2: fileId(1) }]);
    expect(document.activeElement).toBe(slot(3));
    expect(screen.getByText('Put into slot 3')).toBeTruthy();
  });

  it('swaps with what is in a filled slot', async () => {
    const { sent } = await lay();
    act(() => slot(1).focus());
    await userEvent.keyboard(' {ArrowRight} ');
    expect(sent()).toEqual([{ 0: fileId(2), 1: fileId(1) }]);
    expect(screen.getByText('Slot 1 and slot 2 have changed places')).toBeTruthy();
  });

  it('fills the mount file after file from the tray, each into the first free slot unless led elsewhere', async () => {
    const { sent } = await lay();
    act(() => loose('IM3').focus());
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(slot(3));
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(loose('IM4'));
    await userEvent.keyboard('{Enter}{Enter}');
    expect(sent().at(-1)).toEqual({ 0: fileId(1), 1: fileId(2), 2: fileId(3), 3: fileId(4) });
    expect(document.activeElement).toBe(slot(4));
    expect(screen.getByText('All images have a slot')).toBeTruthy();
  });

  it('gives up by Escape, and goes back to where it was picked up', async () => {
    const { sent } = await lay();
    act(() => slot(2).focus());
    await userEvent.keyboard('{Enter}{ArrowLeft}{Escape}');
    expect(document.activeElement).toBe(slot(2));
    act(() => loose('IM4').focus());
    await userEvent.keyboard('{Enter}{Escape}');
    expect(document.activeElement).toBe(loose('IM4'));
    await userEvent.keyboard('{Enter}{Tab}');
    expect(sent()).toEqual([]);
  });

  it('takes out by Delete', async () => {
    const { sent } = await lay();
    act(() => slot(2).focus());
    await userEvent.keyboard('{Delete}');
    expect(sent()).toEqual([{ 0: fileId(1) }]);
    expect(loose('IM2')).toBeTruthy();
    expect(document.activeElement).toBe(slot(2));
  });

  it('is one stop for the Tab key, and its ends are reached by Home and End', async () => {
    await lay();
    expect(screen.getAllByRole('option').filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(2);
    act(() => slot(1).focus());
    await userEvent.keyboard('{End}');
    expect(document.activeElement).toBe(slot(4));
    await userEvent.keyboard('{Home}');
    expect(document.activeElement).toBe(slot(1));
    act(() => loose('IM3').focus());
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
    expect(document.activeElement).toBe(loose('IM4'));
  });
});

describe('files and slots by pointer', () => {
  it('is a press on the file and a press on the slot', async () => {
    const { sent } = await lay();
    await userEvent.click(loose('IM3'));
    await userEvent.click(slot(1));
    expect(sent()).toEqual([{ 0: fileId(3), 1: fileId(2) }]);
    expect(loose('IM1')).toBeTruthy();
  });

  // jsdom lays nothing out: a test says what lies under the pointer.
  const drag = (from: HTMLElement, to: Element, end: 'up' | 'escape' = 'up') => {
    document.elementFromPoint = () => to;
    const at = { pointerId: 1, isPrimary: true, button: 0, pointerType: 'mouse' };
    fireEvent.pointerDown(from, { ...at, clientX: 0, clientY: 0 });
    fireEvent.pointerMove(window, { ...at, clientX: 30, clientY: 30 });
    if (end === 'escape') fireEvent.keyDown(window, { key: 'Escape' });
    fireEvent.pointerUp(window, { ...at, clientX: 30, clientY: 30 });
  };

  it('drags into a slot, onto a filled one, and back to the tray', async () => {
    const { sent } = await lay();
    drag(loose('IM3'), slot(3));
    expect(sent().at(-1)).toEqual({ 0: fileId(1), 1: fileId(2), 2: fileId(3) });
    drag(slot(3), slot(1));
    expect(sent().at(-1)).toEqual({ 0: fileId(3), 1: fileId(2), 2: fileId(1) });
    drag(slot(1), loose('IM4'));
    expect(sent().at(-1)).toEqual({ 1: fileId(2), 2: fileId(1) });
  });

  it('changes nothing when it is given up, or let go anywhere else', async () => {
    const { sent } = await lay();
    drag(slot(1), slot(2), 'escape');
    drag(slot(1), document.body);
    drag(slot(1), slot(1));
    expect(sent()).toEqual([]);
  });

  it('does not take a file of one study into the slots of another', async () => {
    const mounted = { viewSetTemplateUuid: square.uuid };
    const { onDecide } = await showDesk({
      studies: [
        aStudy({ key: '1', description: 'One', obstacles: ['patient-missing'] }, mounted),
        aStudy({ key: '2', description: 'Two' }, mounted),
      ],
      files: [aFile(1, { studyKey: '1' }), aFile(2, { studyKey: '2' })],
      answer: decided,
    });
    await userEvent.click(screen.getByRole('button', { name: 'Two' }));
    const [first, second] = await screen.findAllByRole('listbox', { name: 'Slots of Square' });
    const other = second && within(second).getByRole('option', { name: /^Slot 1\b/ });
    const own = first && within(first).getByRole('option', { name: /^Slot 1\b/ });
    if (!other || !own) throw new Error('two mounts are shown');
    const file = screen.getByRole('option', { name: 'IM1' });
    drag(file, other);
    expect(onDecide).not.toHaveBeenCalled();
    drag(file, own);
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('1', { imagesHashMap: { 0: fileId(1) } });
  });
});

it('cautions where the slot is for other teeth than the file says, in the notation of the person', async () => {
  localStorage.setItem('dentarium.teeth', 'universal');
  await showDesk({
    studies: [aStudy({}, { viewSetTemplateUuid: square.uuid, imagesHashMap: { 0: fileId(1), 1: fileId(2) } })],
    files: [aFile(1, { teeth: [26] }), aFile(2, { teeth: [26, 27] })],
    answer: decided,
  });
  expect(await screen.findByText('Slot 1 is for 3, but the file says 14')).toBeTruthy();
  expect(screen.getAllByText(/but the file says/)).toHaveLength(1);
});
