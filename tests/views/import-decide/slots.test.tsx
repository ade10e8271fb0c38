import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aFile, aStudy, decided, fileId, showStudies, square } from './decide-fixture.tsx';

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

const slot = (number: number) => screen.getByRole('option', { name: new RegExp(`^Slot ${number}\\b`) });
const loose = (name: string) =>
  within(screen.getByRole('listbox', { name: 'Tray' })).getByRole('option', {
    name: new RegExp(`^${name}\\b`),
  });

/** Files 1 and 2 in slots 1 and 2; files 3 and 4 in the tray. */
const lay = async (links: Record<string, string> = { 0: fileId(1), 1: fileId(2) }) => {
  const studies = await showStudies({
    studies: [aStudy({}, { viewSetTemplateUuid: square.uuid, imagesHashMap: links })],
    files: [aFile(1), aFile(2), aFile(3), aFile(4)],
    answer: decided,
  });
  await screen.findByRole('option', { name: /^Slot 1\b/ });
  const links_ = () => studies.onDecide.mock.calls.map(([, { imagesHashMap }]) => imagesHashMap);
  return { ...studies, sent: links_ };
};

describe('files and slots by keyboard', () => {
  it('moves a file: Enter picks up, arrows move, Enter drops', async () => {
    const { sent } = await lay();
    act(() => slot(1).focus());
    await userEvent.keyboard('{Enter}{ArrowDown}');
    expect(document.activeElement).toBe(slot(3));
    expect(sent()).toEqual([]);
    await userEvent.keyboard('{Enter}');
    expect(sent()).toEqual([{ 1: fileId(2), 2: fileId(1) }]);
    expect(document.activeElement).toBe(slot(3));
    expect(screen.getByText('Placed in slot 3')).toBeTruthy();
  });

  it('swaps with the file in a filled slot', async () => {
    const { sent } = await lay();
    act(() => slot(1).focus());
    await userEvent.keyboard(' {ArrowRight} ');
    expect(sent()).toEqual([{ 0: fileId(2), 1: fileId(1) }]);
    expect(screen.getByText('Slot 1 and slot 2 were swapped')).toBeTruthy();
  });

  it('fills the mount from the tray, each file into the first free slot unless another is chosen', async () => {
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

  it('cancels with Escape, and focuses the origin', async () => {
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

  it('removes with Delete', async () => {
    const { sent } = await lay();
    act(() => slot(2).focus());
    await userEvent.keyboard('{Delete}');
    expect(sent()).toEqual([{ 0: fileId(1) }]);
    expect(loose('IM2')).toBeTruthy();
    expect(document.activeElement).toBe(slot(2));
  });

  it('is one tab stop, and Home and End reach its ends', async () => {
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
  it('moves by clicking the file and the slot', async () => {
    const { sent } = await lay();
    await userEvent.click(loose('IM3'));
    await userEvent.click(slot(1));
    expect(sent()).toEqual([{ 0: fileId(3), 1: fileId(2) }]);
    expect(loose('IM1')).toBeTruthy();
  });

  // jsdom has no layout: the test sets the element under the pointer.
  const drag = (from: HTMLElement, to: Element, end: 'up' | 'escape' = 'up') => {
    document.elementFromPoint = () => to;
    const at = { pointerId: 1, isPrimary: true, button: 0, pointerType: 'mouse' };
    fireEvent.pointerDown(from, { ...at, clientX: 0, clientY: 0 });
    fireEvent.pointerMove(window, { ...at, clientX: 30, clientY: 30 });
    if (end === 'escape') fireEvent.keyDown(window, { key: 'Escape' });
    fireEvent.pointerUp(window, { ...at, clientX: 30, clientY: 30 });
  };

  it('drags into an empty slot, a filled slot, and back to the tray', async () => {
    const { sent } = await lay();
    drag(loose('IM3'), slot(3));
    expect(sent().at(-1)).toEqual({ 0: fileId(1), 1: fileId(2), 2: fileId(3) });
    drag(slot(3), slot(1));
    expect(sent().at(-1)).toEqual({ 0: fileId(3), 1: fileId(2), 2: fileId(1) });
    drag(slot(1), loose('IM4'));
    expect(sent().at(-1)).toEqual({ 1: fileId(2), 2: fileId(1) });
  });

  it('changes nothing when cancelled or dropped elsewhere', async () => {
    const { sent } = await lay();
    drag(slot(1), slot(2), 'escape');
    drag(slot(1), document.body);
    drag(slot(1), slot(1));
    expect(sent()).toEqual([]);
  });

  it('does not drop a file into the slots of another study', async () => {
    const mounted = { viewSetTemplateUuid: square.uuid };
    const { onDecide } = await showStudies({
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
    if (!other || !own) throw new Error('two mounts are expected');
    const file = screen.getByRole('option', { name: 'IM1' });
    drag(file, other);
    expect(onDecide).not.toHaveBeenCalled();
    drag(file, own);
    expect(onDecide).toHaveBeenCalledExactlyOnceWith('1', { imagesHashMap: { 0: fileId(1) } });
  });
});

it("warns when the slot is for other teeth than the file, in the user's notation", async () => {
  localStorage.setItem('dentarium.teeth', 'universal');
  await showStudies({
    studies: [aStudy({}, { viewSetTemplateUuid: square.uuid, imagesHashMap: { 0: fileId(1), 1: fileId(2) } })],
    files: [aFile(1, { teeth: [26] }), aFile(2, { teeth: [26, 27] })],
    answer: decided,
  });
  expect(await screen.findByText('Slot 1 is for 3, but the file has 14')).toBeTruthy();
  expect(screen.getAllByText(/but the file has/)).toHaveLength(1);
});
