import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { DirectoryToken } from '../../contract/directory.ts';
import type { Called } from './administration-fixture.tsx';
import { idOf } from './records.ts';
import { choose, clinic, fill, menuOf, openUsers, userOf } from './users-fixture.tsx';
import { withWideTables } from './with-wide-tables.ts';

withWideTables();

const token = (number: number, more: Partial<DirectoryToken> = {}): DirectoryToken => ({
  id: idOf(number),
  name: `Katalog ${number}`,
  invitesIn: null,
  createdAt: '2026-01-01T12:00:00.000Z',
  expiresAt: '2099-01-01T12:00:00.000Z',
  usedAt: null,
  ...more,
});
const openDialog = async (tokens: DirectoryToken[], more: Parameters<typeof openUsers>[1] = {}) => {
  const answer = ({ route, body }: Called): unknown => {
    if (route.path === '/api/Directory/tokens/:customerId') return { tokens };
    if (route.path === '/api/Directory/create') {
      const made = token(50, { name: (body as { name: string }).name });
      tokens.push(made);
      return { token: made, secret: 'dentarium_scim_secret' };
    }
    if (route.path === '/api/Directory/revoke') tokens.shift();
    return undefined;
  };
  const opened = await openUsers([userOf(1)], { answer, ...more });
  await menuOf(clinic.name);
  await choose('Directory (SCIM) …');
  await screen.findByRole('dialog', { name: `Directory of ${clinic.name}` });
  return opened;
};

describe('the directory of a clinic', () => {
  it('shows the address of the service and the tokens', async () => {
    await openDialog([
      token(1, { usedAt: '2026-03-01T12:00:00.000Z', invitesIn: 'sv' }),
      token(2, { expiresAt: '2020-01-01T12:00:00.000Z' }),
    ]);
    const address = await screen.findByLabelText<HTMLInputElement>('Address of the service');
    expect(address.value).toBe(`${window.location.origin}/scim/v2/${clinic.id}`);
    const [, first, second] = within(await screen.findByRole('table', { name: 'Tokens' })).getAllByRole('row');
    expect(first?.textContent).toMatch(/Katalog 1.*2026.*On/);
    expect(second?.textContent).toMatch(/Katalog 2.*Expired.*Never.*Off/);
  });

  it('makes a token, whose secret is shown once', async () => {
    const { callsOf } = await openDialog([]);
    await screen.findByText('The clinic has no token yet.');
    await userEvent.click(screen.getByRole('button', { name: 'Create the token' }));
    expect(await screen.findByText('2 to 100 characters')).toBeTruthy();
    await fill(/^Name/, 'Entra ID');
    await userEvent.selectOptions(screen.getByLabelText('Works for'), '90 days');
    await userEvent.click(screen.getByLabelText('Invite new users by e-mail'));
    await userEvent.click(screen.getByRole('button', { name: 'Create the token' }));
    const secret = await screen.findByLabelText<HTMLInputElement>('The token');
    expect(secret.value).toBe('dentarium_scim_secret');
    const expected = { customerId: clinic.id, name: 'Entra ID', days: 90, invitesIn: 'en' };
    expect(callsOf('/api/Directory/create').map(({ body }) => body)).toEqual([expected]);
    expect(await screen.findByRole('row', { name: /Entra ID/ })).toBeTruthy();
  });

  it('revokes a token after a question', async () => {
    const { callsOf } = await openDialog([token(1)]);
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke the token “Katalog 1”' }));
    const question = await screen.findByRole('dialog', { name: 'Revoke the token “Katalog 1”?' });
    await userEvent.click(within(question).getByRole('button', { name: 'Revoke' }));
    await screen.findByText('The clinic has no token yet.');
    expect(callsOf('/api/Directory/revoke').map(({ body }) => body)).toEqual([{ customerId: clinic.id, id: idOf(1) }]);
  });

  it('makes no more than five tokens', async () => {
    await openDialog([1, 2, 3, 4, 5].map((number) => token(number)));
    await screen.findByText('A clinic has at most 5 tokens. Revoke one to make another.');
    expect(screen.queryByRole('button', { name: 'Create the token' })).toBeNull();
  });
});
