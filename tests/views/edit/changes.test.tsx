import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { RecordChange } from '../../../contract/changes.ts';
import { ServiceError } from '../../../src/services/failure.ts';
import { type AppQueries, AppQueriesProvider } from '../../../src/views/app/queries-context.tsx';
import { Changes } from '../../../src/views/edit/changes.tsx';
import { idOf } from '../records.ts';
import { show } from '../render.tsx';

const made = { author: { id: idOf(50), name: 'Maja Lindqvist' }, changedAt: '2026-03-02T10:12:00.000Z' };
const changes: readonly RecordChange[] = [
  {
    ...made,
    subject: 'study',
    field: 'patient',
    before: { id: idOf(1), name: 'Åsa Björk', personalNumber: '196710099919', protectedIdentity: false },
    after: { id: idOf(2), name: 'Nils Ek', personalNumber: '197305029964', protectedIdentity: false },
  },
  { ...made, subject: 'image', field: 'teeth', before: [36], after: [37, 36] },
  { ...made, subject: 'image', field: 'comment', before: null, after: 'Caries' },
];

const open = async (read: () => Promise<{ changes: RecordChange[] }>) => {
  const queryFn = vi.fn(read);
  const query: AppQueries['changes'] = (subject, id) => ({ queryKey: ['changes', subject, id], queryFn });
  await show(
    <AppQueriesProvider value={{ changes: query } as AppQueries}>
      <Changes subject="image" id={idOf(7)} />
    </AppQueriesProvider>,
  );
  expect(queryFn).not.toHaveBeenCalled();
  await userEvent.click(screen.getByText('Changes'));
};

it('lists the old and the new value, who and when, once it is opened', async () => {
  await open(async () => ({ changes: [...changes] }));
  const items = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent);
  expect(items).toEqual([
    expect.stringMatching(
      /^Study: Patientwas Åsa Björk, 196710099919became Nils Ek, 197305029964Maja Lindqvist .*2026.*$/,
    ),
    expect.stringMatching(/^Teethwas 36became 36 37|^Teethwas 36became 37 36/),
    expect.stringMatching(/^Commentwas nonebecame Caries/),
  ]);
  const [first] = screen.getAllByRole('listitem');
  expect(
    within(first as HTMLElement)
      .getByText(/2026/)
      .getAttribute('datetime'),
  ).toBe(made.changedAt);
});

it('does not name a patient whose record was destroyed', async () => {
  const [moved] = changes;
  const before = { id: idOf(1), name: '', personalNumber: '', protectedIdentity: false };
  await open(async () => ({ changes: [{ ...moved, before } as RecordChange] }));
  const item = await screen.findByRole('listitem');
  expect(item.textContent).toContain('was a patient whose record was destroyed');
});

it('says when nothing was changed', async () => {
  await open(async () => ({ changes: [] }));
  await screen.findByText('No change is recorded.');
});

it('says why the changes are not shown', async () => {
  await open(async () => {
    throw new ServiceError({ kind: 'offline' });
  });
  await screen.findByText(/^The changes could not be loaded\./);
});
