import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import {
  type CustomerDependents,
  customerDelete,
  customerDependentsGet,
  customerGetAll,
} from '../../contract/customers.ts';
import { statisticsOfCustomer } from '../../contract/statistics.ts';
import { selectClinic } from '../../src/machines/session/session.machine.ts';
import { bodyOf, choose, menuOf, openClinics, oresund, refused, usual, withClinicsPage } from './clinics-fixture.tsx';

withClinicsPage();

describe('the page of clinics', () => {
  it('lists clinics and makes the opened one current', async () => {
    const { session } = await openClinics();
    const row = await screen.findByRole('row', { name: /Ljungheden/ });
    expect(within(row).getByText('402931-5514')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Öresund' }));
    expect(selectClinic(session.getSnapshot())).toEqual({ id: oresund.id, name: 'Öresund' });
  });

  it('shows totals, each linked to its list', async () => {
    await openClinics();
    expect((await screen.findByRole('link', { name: 'All clinics: 2' })).textContent).toBe('2');
    expect(screen.getByRole('link', { name: 'All users: 1,234' })).toBeTruthy();
    expect(screen.getByRole('link', { name: '1,200 active users' }).getAttribute('href')).toContain('status=active');
    expect(screen.getByRole('link', { name: '34 inactive users' }).getAttribute('href')).toContain('status=inactive');
    expect(screen.getByRole('button', { name: 'Patients with their images: 214 images' })).toBeTruthy();
    const table = screen.getByRole('table', { name: 'Images, week by week' });
    expect(within(table).getAllByRole('row')).toHaveLength(26);
    await userEvent.click(screen.getByRole('radio', { name: 'Patients' }));
    expect(screen.getByRole('table', { name: 'Patients, week by week' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Hide statistics' }));
    expect(screen.queryByRole('link', { name: /^All clinics/ })).toBeNull();
  });

  it('remembers the table view and shows details and statistics of the selected clinic', async () => {
    const { calls } = await openClinics();
    await userEvent.click(await screen.findByRole('radio', { name: 'List' }));
    expect(await screen.findByText('Choose a clinic')).toBeTruthy();
    await userEvent.click(await screen.findByRole('button', { name: 'Öresund' }));
    const card = await screen.findByRole('article', { name: 'Öresund' });
    expect(window.location.search).toBe(`?clinic=${oresund.id}`);
    expect(await within(card).findByText('752 00 Malmö', { exact: false })).toBeTruthy();
    expect(calls.some(({ route, params }) => route === statisticsOfCustomer && params.customerId === oresund.id)).toBe(
      true,
    );
    const inactive = await within(card).findByRole('link', { name: '1 inactive user' });
    expect(inactive.getAttribute('href')).toBe(`/customers/${oresund.id}/employeers?status=inactive`);
    expect(localStorage.getItem('clinics-view')).toBe('bar');
  });

  it('shows an empty search result with a button to clear it', async () => {
    await openClinics();
    await userEvent.type(await screen.findByRole('searchbox', { name: 'Find a clinic' }), 'zzz{Enter}');
    expect(await screen.findByText('No clinic matches')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
    expect(await screen.findByRole('row', { name: /Ljungheden/ })).toBeTruthy();
  });

  it('names the missing claim of disabled actions', async () => {
    const permission = defaultClaims.SuperAdmin.filter((claim) => !/^customer\.(create|delete)$/.test(claim));
    await openClinics(usual, { permission });
    await menuOf('Ljungheden');
    const item = await screen.findByRole('menuitem', { name: /Delete clinic/, hidden: true });
    expect(item.hasAttribute('disabled') || item.getAttribute('data-disabled') === 'true').toBe(true);
    expect(item.textContent).toContain('You have no rights to do this');
    expect(screen.queryByRole('button', { name: 'Add clinic' })).toBeNull();
  });

  it('reports that the list failed to load, and retries', async () => {
    let away = true;
    await openClinics((called) => {
      if (called.route === customerGetAll && away) throw refused('no-right', 403);
      return usual(called);
    });
    expect(await screen.findByText('The list could not be loaded')).toBeTruthy();
    away = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('row', { name: /Ljungheden/ })).toBeTruthy();
  });
});

describe('deleting a clinic', () => {
  const dependents: CustomerDependents = { users: 3, patients: 1, studies: 0, images: 12_345, imports: 2 };

  it('shows what is deleted and requires the name', async () => {
    const { calls } = await openClinics((called) => {
      if (called.route === customerDependentsGet) return dependents;
      return called.route === customerDelete ? {} : usual(called);
    });
    await menuOf('Öresund');
    await choose(/Delete clinic/);
    const dialog = await screen.findByRole('dialog', { name: 'Delete Öresund?' });
    expect((await within(dialog).findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
      '3 users, who can no longer sign in',
      '1 patient',
      '12,345 images',
      '2 unfinished imports',
    ]);
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete clinic' }));
    expect(within(dialog).getByText('This is not the name of the clinic')).toBeTruthy();
    expect(bodyOf(calls, customerDelete)).toBeUndefined();
    await userEvent.type(within(dialog).getByRole('textbox'), 'öresund{Enter}');
    await waitFor(() => expect(bodyOf(calls, customerDelete)).toEqual({ version: 3 }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete Öresund?' })).toBeNull());
  });

  it('is disabled for the current clinic', async () => {
    const { session } = await openClinics();
    session.send({ type: 'clinic.chosen', clinic: { id: oresund.id, name: 'Öresund' } });
    await menuOf('Öresund');
    const item = await screen.findByRole('menuitem', { name: /Delete clinic/, hidden: true });
    expect(item.textContent).toContain('You are in this clinic. Leave it first.');
  });
});
