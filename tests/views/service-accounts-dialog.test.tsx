import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { type ServiceAccount, serviceAccountsAtMost } from '../../contract/service-accounts.ts';
import type { Called } from './administration-fixture.tsx';
import { idOf } from './records.ts';
import { choose, clinic, fill, menuOf, openUsers, refused, userOf } from './users-fixture.tsx';
import { withWideTables } from './with-wide-tables.ts';

withWideTables();

const account = (number: number, more: Partial<ServiceAccount> = {}): ServiceAccount => ({
  id: idOf(number),
  name: `Program ${number}`,
  scopes: ['dicomweb.read'],
  atOnce: false,
  clinics: [clinic],
  otherClinics: 0,
  createdAt: '2026-01-01T12:00:00.000Z',
  expiresAt: '2099-01-01T12:00:00.000Z',
  usedAt: null,
  ...more,
});
const others = [
  { id: idOf(901), name: 'Blåklinten' },
  { id: idOf(902), name: 'Vallmon' },
];
const openDialog = async (accounts: ServiceAccount[], more: Parameters<typeof openUsers>[1] = {}) => {
  const answer = ({ route, body }: Called): unknown => {
    if (route.path === '/api/ServiceAccounts/:customerId') return { accounts };
    if (route.path === '/api/ServiceAccounts/create') {
      const made = account(50, { name: (body as { name: string }).name });
      accounts.push(made);
      return { account: made, secret: 'dentarium_service_secret' };
    }
    if (route.path === '/api/ServiceAccounts/revoke') accounts.shift();
    if (route.path === '/api/Customer/get_all')
      return { data: [{ ...clinic, city: null }, ...others], totalCount: 3, isTotalExact: true, next: null };
    return undefined;
  };
  const opened = await openUsers([userOf(1)], { answer, ...more });
  await menuOf(clinic.name);
  await choose('Service accounts (DICOMweb) …');
  await screen.findByRole('dialog', { name: `Service accounts of ${clinic.name}` });
  return opened;
};
const toggleRight = async (name: string) =>
  userEvent.click(within(screen.getByRole('group', { name: 'Rights' })).getByRole('checkbox', { name }));
const textOf = async (label: string) => (await screen.findByLabelText<HTMLInputElement>(label)).value;

describe('the service accounts of a clinic', () => {
  it('are listed with rights, clinics, end and last use, below the addresses', async () => {
    await openDialog([
      account(1, { usedAt: '2026-03-01T12:00:00.000Z', otherClinics: 2 }),
      account(2, { scopes: ['dicomweb.write'], expiresAt: '2020-01-01T12:00:00.000Z' }),
      account(3, { scopes: ['dicomweb.read', 'dicomweb.write'], clinics: [clinic, ...others] }),
    ]);
    expect(await textOf('DICOMweb address of this clinic')).toBe(`${window.location.origin}/dicomweb/${clinic.id}`);
    expect(await textOf('Token endpoint')).toBe(`${window.location.origin}/connect/token`);
    const rows = within(await screen.findByRole('table', { name: 'Service accounts' })).getAllByRole('row');
    expect(rows[1]?.textContent).toMatch(/Program 1Search and fetch imagesSolrosen, 2 other clinics.*2099.*2026/);
    expect(rows[2]?.textContent).toMatch(/Program 2Send imagesSolrosenExpiredNever/);
    expect(rows[3]?.textContent).toMatch(/Search, fetch and send imagesSolrosen, Blåklinten, Vallmon/);
  });

  it('are made with a client id and a secret that is shown once', async () => {
    const { callsOf } = await openDialog([]);
    await screen.findByText('The clinic has no service account yet.');
    await userEvent.click(screen.getByRole('button', { name: 'Create the service account' }));
    expect(await screen.findByText('2 to 100 characters')).toBeTruthy();
    await fill(/^Name/, 'OHIF');
    await toggleRight('Send images');
    await userEvent.selectOptions(screen.getByLabelText('Works for'), '90 days');
    await userEvent.click(screen.getByRole('checkbox', { name: /^Import without asking/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Create the service account' }));
    expect(await textOf('Client secret')).toBe('dentarium_service_secret');
    expect(await textOf('Client ID')).toBe(idOf(50));
    expect(document.activeElement).toBe(screen.getByLabelText('Client secret'));
    const scopes = ['dicomweb.read', 'dicomweb.write'];
    const expected = { customerIds: [clinic.id], name: 'OHIF', scopes, days: 90, atOnce: true };
    expect(callsOf('/api/ServiceAccounts/create').map(({ body }) => body)).toEqual([expected]);
    expect(await screen.findByRole('row', { name: /OHIF/ })).toBeTruthy();
  });

  it('that only search and fetch have no rule about the import of images', async () => {
    const { callsOf } = await openDialog([account(1, { scopes: ['dicomweb.write'], atOnce: true })]);
    await screen.findByRole('row', { name: /Send images \(matching images without asking\)/ });
    const rule = () => screen.queryByRole('checkbox', { name: /^Import without asking/ });
    expect(rule()).toBeNull();
    await toggleRight('Send images');
    await userEvent.click(rule() as HTMLElement);
    await toggleRight('Send images');
    expect(rule()).toBeNull();
    await fill(/^Name/, 'OHIF');
    await userEvent.click(screen.getByRole('button', { name: 'Create the service account' }));
    await screen.findByLabelText('Client secret');
    expect(callsOf('/api/ServiceAccounts/create')[0]?.body).toMatchObject({ atOnce: false });
  });

  it('order images with that right, and are not made without any right', async () => {
    const { callsOf } = await openDialog([account(1, { scopes: ['dicomweb.read', 'orders.write'] })]);
    await screen.findByRole('row', { name: /Search and fetch images, Order images/ });
    await fill(/^Name/, 'Journal');
    await toggleRight('Search and fetch images');
    await userEvent.click(screen.getByRole('button', { name: 'Create the service account' }));
    await screen.findByText('Choose at least one right.');
    expect(callsOf('/api/ServiceAccounts/create')).toEqual([]);
    await toggleRight('Order images');
    await userEvent.click(screen.getByRole('button', { name: 'Create the service account' }));
    await screen.findByLabelText('Client secret');
    expect(callsOf('/api/ServiceAccounts/create')[0]?.body).toMatchObject({ scopes: ['orders.write'] });
  });

  it('are of one clinic only, when a clinic administrator makes them', async () => {
    await openDialog([]);
    await screen.findByText('The clinic has no service account yet.');
    expect(screen.queryByRole('group', { name: 'Also for other clinics' })).toBeNull();
  });

  it('are made by a system administrator for the clinics that are chosen', async () => {
    const { callsOf } = await openDialog([], { as: 'SuperAdmin' });
    const group = within(await screen.findByRole('group', { name: 'Also for other clinics' }));
    await userEvent.click(await group.findByRole('checkbox', { name: 'Vallmon' }));
    expect(group.queryByRole('checkbox', { name: clinic.name })).toBeNull();
    await fill(/^Name/, 'Region');
    await userEvent.click(screen.getByRole('button', { name: 'Create the service account' }));
    await screen.findByLabelText('Client secret');
    expect(callsOf('/api/ServiceAccounts/create')[0]?.body).toMatchObject({
      customerIds: [clinic.id, idOf(902)],
      scopes: ['dicomweb.read'],
    });
    expect((await group.findByRole<HTMLInputElement>('checkbox', { name: 'Vallmon' })).checked).toBe(false);
  });

  it('whose secret is shown take it away when they are revoked', async () => {
    await openDialog([]);
    await fill(/^Name/, 'OHIF');
    await userEvent.click(await screen.findByRole('button', { name: 'Create the service account' }));
    await screen.findByLabelText('Client secret');
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke the service account “OHIF”' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke' }));
    await screen.findByText('The clinic has no service account yet.');
    expect(screen.queryByLabelText('Client secret')).toBeNull();
    expect(screen.queryByLabelText('Client ID')).toBeNull();
  });

  it.each([
    ['the only clinic', {}, /cannot use the images of the clinic with it any more/],
    ['each of its clinics', { clinics: [clinic, ...others] }, /of these clinics .*: Solrosen, Blåklinten, Vallmon/],
    ['this clinic alone', { otherClinics: 1 }, /Its access to other clinics stays/],
  ])('are revoked for %s after a question that says so', async (_, more, text) => {
    const { callsOf } = await openDialog([account(1, more)]);
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke the service account “Program 1”' }));
    const question = await screen.findByRole('dialog', { name: 'Revoke the service account “Program 1”?' });
    expect(within(question).getByText(text)).toBeTruthy();
    await userEvent.click(within(question).getByRole('button', { name: 'Revoke' }));
    await screen.findByText('The clinic has no service account yet.');
    expect(callsOf('/api/ServiceAccounts/revoke').map(({ body }) => body)).toEqual([
      { customerId: clinic.id, id: idOf(1) },
    ]);
  });

  it('are no more than twenty', async () => {
    await openDialog(Array.from({ length: serviceAccountsAtMost }, (_, index) => account(index + 1)));
    await screen.findByText('A clinic has at most 20 service accounts. Revoke one to make another.');
    expect(screen.queryByRole('button', { name: 'Create the service account' })).toBeNull();
  });

  it('show why one is not made', async () => {
    await openDialog([], {
      answer: ({ route }) => {
        if (route.path === '/api/ServiceAccounts/:customerId') return { accounts: [] };
        if (route.path === '/api/ServiceAccounts/create') return Promise.reject(refused('own-rank'));
        return undefined;
      },
    });
    await fill(/^Name/, 'OHIF');
    await userEvent.click(await screen.findByRole('button', { name: 'Create the service account' }));
    await screen.findByText('Only a user of higher rank can do this');
    expect(screen.queryByLabelText('Client secret')).toBeNull();
  });
});
