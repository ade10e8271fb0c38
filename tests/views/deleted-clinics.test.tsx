import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import { customerGetAll } from '../../contract/customers.ts';
import { customerRestore, type DeletedClinic, deletedClinicsGet } from '../../contract/deleted-clinics.ts';
import { openClinics, usual, withClinicsPage } from './clinics-fixture.tsx';
import { idOf } from './records.ts';

withClinicsPage();

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const deleted = (number: number, name: string, restorableInDays: number): DeletedClinic => ({
  id: idOf(number),
  name,
  city: 'Malmö',
  deletedAt: inDays(restorableInDays - 30),
  deletedBy: { id: idOf(90), name: 'Maja Lindqvist' },
  restorableUntil: inDays(restorableInDays),
  destruction: 'none',
});
const openList = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Deleted clinics' }));
  return screen.findByRole('dialog', { name: 'Deleted clinics' });
};

it('lists deleted clinics, and restores one while that is possible', async () => {
  let rows = [deleted(1, 'Kvarnen', 12), deleted(2, 'Bron', -1)];
  const { calls } = await openClinics((called) => {
    if (called.route === deletedClinicsGet) return { data: rows };
    if (called.route !== customerRestore) return usual(called);
    rows = rows.filter(({ id }) => id !== called.params.id);
    return { id: called.params.id };
  });
  const dialog = await openList();
  const items = await within(dialog).findAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent?.includes('by Maja Lindqvist'))).toEqual([true, true]);
  expect(within(dialog).getAllByRole('button', { name: /^Restore / })).toHaveLength(1);
  const listsBefore = calls.filter(({ route }) => route === customerGetAll).length;
  await userEvent.click(within(dialog).getByRole('button', { name: 'Restore Kvarnen' }));
  await waitFor(() => expect(within(dialog).getAllByRole('listitem')).toHaveLength(1));
  expect(calls.filter(({ route }) => route === customerRestore).map(({ params }) => params.id)).toEqual([idOf(1)]);
  await waitFor(() =>
    expect(calls.filter(({ route }) => route === customerGetAll).length, 'the list of clinics').toBe(listsBefore + 1),
  );
});

it('is offered to users with the right to delete clinics', async () => {
  await openClinics(usual, { permission: defaultClaims.SuperAdmin.filter((claim) => claim !== 'customer.delete') });
  await screen.findByRole('row', { name: /Ljungheden/ });
  expect(screen.queryByRole('button', { name: 'Deleted clinics' })).toBeNull();
});
