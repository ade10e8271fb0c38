import { Notifications } from '@mantine/notifications';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { Movable, MovePreview } from '../../contract/moves.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { MoveDialog } from '../../src/views/merge/move-dialog.tsx';
import { openViewset } from '../../src/views/workspace/patient/content.ts';
import { anArchive, type Called } from './administration-fixture.tsx';
import { patient, refused } from './edit/edit-fixture.tsx';
import { idOf } from './records.ts';
import { WithRecords } from './records-of.tsx';
import { show } from './render.tsx';

const anna = patient();
const other = { ...patient({ firstName: 'Bo', lastName: 'Lindh', birthDate: '1985-04-24' }), id: idOf(11) };
const preview = (facts: Partial<MovePreview> = {}): MovePreview => ({
  from: anna,
  to: other,
  counts: { images: 3, viewsets: 1, slots: 2, imports: 0 },
  isDeleted: false,
  leavesEmptyStudy: false,
  warnings: ['other-name', 'other-birth-date'],
  named: [{ name: 'Lind^Anna', patientId: null, birthDate: null, sex: null, match: 'differs' }],
  seen: 'seen 1',
  ...facts,
});
const studies = {
  data: [{ id: idOf(31), uid: '9.9', studyDate: '2024-05-01', description: 'Status', series: [] }],
  totalCount: 1,
};

interface Opened {
  readonly what?: Movable;
  readonly facts?: Partial<MovePreview>;
  readonly patientToId?: string;
  readonly answer?: (called: Called) => unknown;
}
const open = async ({ what = 'study', facts = {}, patientToId, answer = () => undefined }: Opened = {}) => {
  const archive = anArchive((called) => {
    const own = answer(called);
    if (own !== undefined) return own;
    if (called.route.method === 'POST') return { id: idOf(21), studyId: idOf(22), studyFromId: idOf(23) };
    return preview(facts);
  });
  const queries = {
    patients: (query: object) => ({
      queryKey: ['patients', query],
      queryFn: async () => ({ data: [anna, other], similar: [], totalCount: 2, isTotalExact: true, next: null }),
    }),
    studies: () => ({ queryKey: ['studies'], queryFn: async () => studies }),
  } as unknown as AppQueries;
  const [onClose, onMoved] = [vi.fn(), vi.fn()];
  const record = { what, id: idOf(20), name: 'Kontroll', patientFromId: anna.id, customerId: anna.customerId };
  await show(
    <AppQueriesProvider value={queries}>
      <Notifications />
      <WithRecords call={archive.call}>
        <MoveDialog
          record={record}
          from={anna}
          {...(patientToId !== undefined && { patientToId })}
          onClose={onClose}
          onMoved={onMoved}
        />
      </WithRecords>
    </AppQueriesProvider>,
  );
  const moves = () => archive.calls.filter(({ route }) => route.method === 'POST').map(({ body }) => body);
  return { onClose, onMoved, moves };
};

/** Chooses a patient by keyboard; the field has focus when the dialog opens. */
const chooseOther = async () => {
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Find the other patient')));
  await userEvent.keyboard('lin');
  const hits = await screen.findAllByRole('option', { hidden: true });
  expect(hits.map((hit) => hit.textContent)).toEqual([expect.stringContaining('Lindh, Bo')]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  const box = await screen.findByRole<HTMLInputElement>('checkbox', { hidden: true });
  await waitFor(() => expect(document.activeElement).toBe(box));
  return box;
};
const move = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Move', hidden: true });

vi.setConfig({ testTimeout: 60_000 });
// jsdom has no font loading and no scrolling.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
Element.prototype.scrollIntoView ??= () => {};

describe('moving a record to another patient', () => {
  it('shows both patients, the names in the files and the affected mounts, and moves after confirmation', async () => {
    const { onClose, onMoved, moves } = await open();
    await chooseOther();
    for (const text of ['Anna Lind', 'Bo Lindh', '3 images', '1 mount']) expect(screen.getByText(text)).toBeTruthy();
    expect(screen.getByText(/Their names differ\. Their dates of birth differ/)).toBeTruthy();
    expect(screen.getByText(/The files contain the name Anna Lind. Moving does not change the files/)).toBeTruthy();
    expect(screen.getByText('2 slots of mounts lose their images')).toBeTruthy();
    expect(screen.queryByLabelText('Target study')).toBeNull();
    expect(move().disabled).toBe(true);
    await userEvent.keyboard(' ');
    await userEvent.tab();
    await userEvent.tab();
    await userEvent.tab();
    expect(document.activeElement).toBe(move());
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(onMoved).toHaveBeenCalledOnce());
    expect(onClose).toHaveBeenCalledOnce();
    const query = { what: 'study', id: idOf(20), patientFromId: anna.id, patientToId: other.id };
    expect(moves()).toEqual([{ ...query, studyToId: null, seen: 'seen 1' }]);
    expect((await screen.findByText(/Kontroll is moved to Bo Lindh/)).textContent).toContain('Open patient');
    expect(screen.getByRole('link', { name: 'Open patient' }).getAttribute('href')).toBe(`/patient/${other.id}`);
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Kontroll is moved back to Anna Lind')).toBeTruthy();
    expect(moves()[1]).toEqual({
      what: 'study',
      id: idOf(21),
      patientFromId: other.id,
      patientToId: anna.id,
      studyToId: null,
    });
  });

  it('moves a series into the chosen study of the other patient, and Undo moves it back to its study', async () => {
    const { moves } = await open({ what: 'series', facts: { leavesEmptyStudy: true, named: [] } });
    const box = await chooseOther();
    const into = screen.getByLabelText<HTMLSelectElement>('Target study');
    expect(into.selectedOptions[0]?.textContent).toBe('New study with the same date and description');
    await screen.findByRole('option', { name: /2024-05-01 · Status/, hidden: true });
    await userEvent.selectOptions(into, idOf(31));
    expect(screen.getByText(/Its study becomes empty/)).toBeTruthy();
    expect(screen.queryByText(/The files contain/)).toBeNull();
    await userEvent.click(box);
    await userEvent.click(move());
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(moves()).toHaveLength(2));
    expect(moves()).toMatchObject([
      { what: 'series', studyToId: idOf(31) },
      { what: 'series', id: idOf(21), patientFromId: other.id, studyToId: idOf(23) },
    ]);
  });

  it('skips the search for a known target, and names the recycle bin', async () => {
    const named = [{ name: 'Lindh^Bo', patientId: null, birthDate: null, sex: null, match: 'same' as const }];
    const { moves } = await open({ patientToId: other.id, facts: { isDeleted: true, warnings: [], named } });
    const box = await screen.findByRole('checkbox', { hidden: true });
    await waitFor(() => expect(document.activeElement).toBe(box));
    expect(screen.queryByLabelText('Find the other patient')).toBeNull();
    expect(screen.getByText('It is in the recycle bin and is restored with the other patient.')).toBeTruthy();
    expect(screen.getByText('The files contain the name Bo Lindh.')).toBeTruthy();
    expect(screen.queryByText(/Check that you have the right patients/)).toBeNull();
    await userEvent.keyboard(' ');
    await userEvent.click(move());
    await waitFor(() => expect(moves()).toHaveLength(1));
  });

  it('asks again when something changed since the preview, and reports a failed Undo', async () => {
    let requests = 0;
    const { onMoved, moves } = await open({
      answer: ({ route }) => {
        if (route.method !== 'POST') return requests === 0 ? undefined : preview({ seen: 'seen 2' });
        requests += 1;
        if (requests !== 2) throw refused('conflict');
        return undefined;
      },
    });
    const box = await chooseOther();
    await userEvent.click(box);
    await userEvent.click(move());
    expect(await screen.findByText(/The data has changed since it was shown/)).toBeTruthy();
    await waitFor(() => expect(box.checked).toBe(false));
    expect(onMoved).not.toHaveBeenCalled();
    await userEvent.click(box);
    await userEvent.click(move());
    await waitFor(() => expect(onMoved).toHaveBeenCalledOnce());
    expect(moves()[1]).toMatchObject({ seen: 'seen 2' });
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Another user changed this at the same time')).toBeTruthy();
  });
});

describe('the open mount of a patient page', () => {
  const viewset = { viewSetUuid: idOf(40), patientId: anna.id } as never;
  it('is closed when its study was moved to another patient', () => {
    expect(openViewset(viewset, idOf(40), anna.id)).toBe(viewset);
    expect(openViewset(viewset, idOf(41), anna.id)).toBeNull();
    expect(openViewset(viewset, idOf(40), other.id)).toBe('elsewhere');
  });
});
