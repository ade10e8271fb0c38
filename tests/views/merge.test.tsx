import { Notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { MergePreview } from '../../contract/merge.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { MergeDialog } from '../../src/views/merge/merge-dialog.tsx';
import { anArchive, type Called } from './administration-fixture.tsx';
import { patient, refused } from './edit/edit-fixture.tsx';
import { idOf } from './records.ts';
import { WithRecords } from './records-of.tsx';
import { show } from './render.tsx';

const anna = patient();
const other = { ...patient({ firstName: 'Anna', lastName: 'Lindh', birthDate: '1985-04-24' }), id: idOf(11) };
const counts = { studies: 2, deletedStudies: 1, images: 7, viewsets: 0, imports: 0 };
const preview = (from = anna, to = other, seen = `seen ${from.id}`): MergePreview => ({
  from,
  to,
  counts,
  seen,
  warnings: ['other-name', 'other-birth-date'],
  studies: [{ id: idOf(6), description: 'Kontroll', studyDate: '2026-03-02', images: 4, viewsets: 1 }],
});

const open = async (answer: (called: Called) => unknown = () => undefined) => {
  const archive = anArchive((called) => {
    const own = answer(called);
    if (own !== undefined) return own;
    if (called.route.method === 'POST') return counts;
    return called.query.patientFromId === anna.id ? preview() : preview(other, anna);
  });
  const patients = (query: object) => ({
    queryKey: ['patients', query],
    queryFn: async () => ({ data: [anna, other], similar: [], totalCount: 2, isTotalExact: true, next: null }),
  });
  const [onClose, onMerged] = [vi.fn(), vi.fn()];
  await show(
    <AppQueriesProvider value={{ patients } as unknown as AppQueries}>
      <Notifications />
      <WithRecords call={archive.call}>
        <MergeDialog patient={anna} onClose={onClose} onMerged={onMerged} />
      </WithRecords>
    </AppQueriesProvider>,
  );
  const merges = () => archive.calls.filter(({ route }) => route.method === 'POST').map(({ body }) => body);
  return { onClose, onMerged, merges };
};

/** Chooses a patient by keyboard; the field has focus when the dialog opens. */
const chooseOther = async () => {
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Find the other patient')));
  await userEvent.keyboard('lin');
  const hits = await screen.findAllByRole('option', { hidden: true });
  expect(hits.map((hit) => hit.textContent)).toEqual([expect.stringContaining('Lindh, Anna')]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  return screen.findByRole('checkbox', { hidden: true });
};
const move = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Move all studies', hidden: true });

vi.setConfig({ testTimeout: 60_000 });
// jsdom has no font loading and no scrolling.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
Element.prototype.scrollIntoView ??= () => {};

describe('merging two patients', () => {
  it('shows what moves and the warnings, and merges after confirmation only', async () => {
    const { onClose, onMerged, merges } = await open();
    const box = await chooseOther();
    expect(document.activeElement).toBe(box);
    for (const text of ['2 studies', '1 study in the recycle bin', '7 images', 'Kontroll'])
      expect(screen.getByText(text)).toBeTruthy();
    expect(screen.queryByText(/import/)).toBeNull();
    expect(screen.getByText(/Their names differ\. Their dates of birth differ/)).toBeTruthy();
    expect(screen.getByText(/cannot be undone/)).toBeTruthy();
    expect(move().disabled).toBe(true);
    await userEvent.keyboard(' ');
    await userEvent.click(move());
    await waitFor(() => expect(onMerged).toHaveBeenCalledExactlyOnceWith(other.id));
    expect(merges()).toEqual([{ patientFromId: anna.id, patientToId: other.id, seen: `seen ${anna.id}` }]);
    expect(onClose).toHaveBeenCalledOnce();
    expect(await screen.findByText('2 studies were moved to Anna Lindh')).toBeTruthy();
  });

  it('changes direction after a swap, which clears the confirmation', async () => {
    const { onMerged, merges } = await open();
    await chooseOther();
    await userEvent.keyboard(' ');
    await userEvent.click(screen.getByRole('button', { name: 'Swap direction', hidden: true }));
    const from = within(screen.getByRole('region', { name: 'From', hidden: true }));
    expect(from.getByText('Anna Lindh')).toBeTruthy();
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { hidden: true });
    expect(box.checked).toBe(false);
    await userEvent.click(box);
    await userEvent.click(move());
    await waitFor(() => expect(onMerged).toHaveBeenCalledExactlyOnceWith(anna.id));
    expect(merges()).toEqual([{ patientFromId: other.id, patientToId: anna.id, seen: `seen ${other.id}` }]);
  });

  it('asks again when something changed since the preview', async () => {
    let changed = false;
    const { onMerged } = await open(({ route }) => {
      if (route.method === 'POST') {
        changed = true;
        return Promise.reject(refused('conflict'));
      }
      return changed ? preview(anna, other, 'seen later') : undefined;
    });
    await chooseOther();
    await userEvent.keyboard(' ');
    await userEvent.click(move());
    expect(await screen.findByText(/The data has changed/)).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>('checkbox', { hidden: true }).checked).toBe(false);
    expect(move().disabled).toBe(true);
    expect(onMerged).not.toHaveBeenCalled();
  });

  it('has nothing to confirm when nothing would move', async () => {
    const none = { studies: 0, deletedStudies: 0, images: 0, viewsets: 0, imports: 0 };
    await open(({ route }) => (route.method === 'GET' ? { ...preview(), counts: none, studies: [] } : undefined));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Find the other patient')));
    await userEvent.keyboard('lin');
    await screen.findAllByRole('option', { hidden: true });
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(await screen.findByText('Anna Lind has no studies to move.')).toBeTruthy();
    expect(screen.queryByRole('checkbox', { hidden: true })).toBeNull();
    expect(move().disabled).toBe(true);
  });
});
