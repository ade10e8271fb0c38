import { notifications } from '@mantine/notifications';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../src/services/failure.ts';
import type { Called } from './administration-fixture.tsx';
import { idOf } from './records.ts';
import { aUser } from './signed-in-session.ts';
import {
  administrator,
  choose,
  clinic,
  doctor,
  field,
  fill,
  menuOf,
  openUsers,
  refused,
  superAdministrator,
  userOf,
  withLinks,
} from './users-fixture.tsx';
import { withWideTables } from './with-wide-tables.ts';

withWideTables();

// Toasts of an earlier test stay for seconds.
beforeEach(() => notifications.clean());

describe('the users pages', () => {
  it('are shown with the claim, and name the missing claim otherwise', async () => {
    await openUsers([userOf(1)], { as: 'Doctor' });
    expect(await screen.findByText('You have no access to this page')).toBeTruthy();
    expect(screen.queryByRole('grid')).toBeNull();
  });

  it('show the users of a clinic with search, order and status from the URL', async () => {
    const { callsOf } = await openUsers([userOf(1), userOf(2, { isActive: false })], {
      address: '/?q=lind&sort=email&order=desc&status=inactive',
    });
    const rows = await screen.findAllByRole('row', { name: /Lind/ });
    expect(rows).toHaveLength(2);
    expect(rows[1]?.textContent).toContain('Inactive');
    expect(rows[0]?.textContent).toContain('Medical personnel');
    expect(callsOf('/api/Account/customer_users/:customerId')[0]).toMatchObject({
      params: { customerId: clinic.id },
      query: { q: 'lind', sort: 'email', order: 'desc', status: 'inactive', ppage: 10 },
    });
  });

  it('have seven rows for super administrators', async () => {
    const { callsOf } = await openUsers([userOf(1, { customerId: null, customer: null })], {
      as: 'SuperAdmin',
      of: 'super-administrators',
    });
    await screen.findByRole('row', { name: /Lind1/ });
    expect(callsOf('/api/Account/get_sa')[0]).toMatchObject({ query: { Page: 1, PPage: 7 } });
  });
});

describe('user actions', () => {
  it('are disabled with the reason for higher ranks and for oneself', async () => {
    const chief = { id: superAdministrator.id, name: superAdministrator.name, rank: 0 };
    const own = aUser('CustomerAdmin', clinic);
    const oneself = userOf(2, {
      id: own.id,
      lastName: 'Self',
      role: { id: administrator.id, name: administrator.name, rank: 1 },
    });
    await openUsers([userOf(1, { role: chief }), oneself]);
    await menuOf('Maja Lind1');
    const deleteItem = await screen.findByRole('menuitem', { name: /^Delete/, hidden: true });
    expect(deleteItem.hasAttribute('disabled') || deleteItem.getAttribute('data-disabled')).toBeTruthy();
    expect(deleteItem.textContent).toMatch(/rank/);
    await userEvent.keyboard('{Escape}');
    await menuOf('Maja Self');
    await screen.findByRole('menuitem', {
      name: /^Set password.*Change your own password under Account/,
      hidden: true,
    });
    await waitFor(() =>
      expect(screen.getAllByRole('menuitem', { name: /^Delete/, hidden: true }).at(-1)?.textContent).toMatch(
        /own account/,
      ),
    );
  });

  it('deactivates after confirmation, activates at once', async () => {
    const { callsOf } = await openUsers([userOf(1), userOf(2, { isActive: false })]);
    await menuOf('Maja Lind1');
    await choose(/^Deactivate/);
    expect(callsOf('/api/Account/change_user_status')).toHaveLength(0);
    await userEvent.click(await screen.findByRole('button', { name: 'Deactivate' }));
    await waitFor(() => expect(callsOf('/api/Account/change_user_status')).toHaveLength(1));
    await menuOf('Maja Lind2');
    await choose('Activate');
    await waitFor(() =>
      expect(callsOf('/api/Account/change_user_status').map(({ body }) => body)).toEqual([
        { id: idOf(1), status: false },
        { id: idOf(2), status: true },
      ]),
    );
  });

  it('signs a user out everywhere after confirmation, if active', async () => {
    const { callsOf } = await openUsers([userOf(1), userOf(2, { isActive: false })]);
    await menuOf('Maja Lind2');
    expect(screen.queryByRole('menuitem', { name: /^Sign out everywhere/ })).toBeNull();
    await userEvent.keyboard('{Escape}');
    await menuOf('Maja Lind1');
    await choose(/^Sign out everywhere/);
    expect(callsOf('/api/Account/end_user_sessions')).toHaveLength(0);
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }));
    await waitFor(() =>
      expect(callsOf('/api/Account/end_user_sessions').map(({ body }) => body)).toEqual([{ id: idOf(1) }]),
    );
  });

  it('turns off two-factor authentication of a user who has it, after the own password', async () => {
    const path = '/api/Account/reset_two_factor';
    const { callsOf } = await openUsers([userOf(1, { twoFactorEnabled: true }), userOf(2)], {
      answer: ({ route, body }) => {
        if (route.path === path && JSON.stringify(body).includes('Guess')) throw refused('incorrect-password');
        return undefined;
      },
    });
    await menuOf('Maja Lind2');
    expect(screen.queryByRole('menuitem', { name: /two-factor/, hidden: true })).toBeNull();
    await userEvent.keyboard('{Escape}');
    await menuOf('Maja Lind1');
    await choose('Turn off two-factor …');
    await userEvent.click(await screen.findByRole('button', { name: 'Turn off' }));
    expect(callsOf(path)).toHaveLength(0);
    const password = screen.getByLabelText(/^Your own password/);
    await userEvent.type(password, 'Guess-2026!{Enter}');
    expect(await screen.findByText('The current password is wrong')).toBeTruthy();
    await userEvent.clear(password);
    await userEvent.type(password, 'Demo-2026!{Enter}');
    expect(await screen.findByText('The two-factor authentication of Maja Lind1 is off')).toBeTruthy();
    expect(callsOf(path).at(-1)).toMatchObject({ body: { id: idOf(1), proof: 'Demo-2026!' } });
  });

  it('shows who has not chosen a password yet, and invites again', async () => {
    const invited: string[] = [];
    await openUsers([userOf(1, { hasPassword: false })], {
      more: withLinks(async (id) => {
        invited.push(id);
        return { delivery: 'mail-server' };
      }),
    });
    expect((await screen.findByRole('row', { name: /Lind1/ })).textContent).toContain('Invited');
    await menuOf('Maja Lind1');
    await choose('Invite again …');
    await screen.findByRole('dialog', { name: 'Send the invitation again?' });
    await userEvent.click(screen.getByRole('button', { name: 'Send the link' }));
    await waitFor(() => expect(invited).toEqual([idOf(1)]));
  });

  it('deletes after confirmation and removes the row at once', async () => {
    await openUsers([userOf(1), userOf(2)]);
    await menuOf('Maja Lind1');
    await choose(/^Delete/);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Lind1/ })).toBeNull());
    expect(screen.getByRole('row', { name: /Lind2/ })).toBeTruthy();
  });

  it('show why they were rejected', async () => {
    await openUsers([userOf(1)], {
      answer: ({ route }) => {
        if (route.path === '/api/Account/delete/:id') throw refused('last-super-administrator');
        return undefined;
      },
    });
    await menuOf('Maja Lind1');
    await choose(/^Delete/);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(await screen.findByText(/at least one active/i)).toBeTruthy();
    expect(screen.getByRole('row', { name: /Lind1/ })).toBeTruthy();
  });
});

describe('setting a password', () => {
  const dialog = async (answer?: (called: Called) => unknown) => {
    const archive = await openUsers([userOf(1)], answer ? { answer } : {});
    await menuOf('Maja Lind1');
    await choose(/^Set a? ?password/);
    return archive;
  };

  it('requires equal entries that meet the rules', async () => {
    const { callsOf } = await dialog();
    await fill(/^New password/, 'Hemligt-1');
    await fill(/^Repeat/, 'Hemligt-2');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Entered passwords must match')).toBeTruthy();
    expect(callsOf('/api/account/set_password')).toHaveLength(0);
    await fill(/^Repeat/, 'Hemligt-1');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(callsOf('/api/account/set_password').map(({ body }) => body)).toEqual([
        { id: idOf(1), password: 'Hemligt-1' },
      ]),
    );
  });

  it('shows a message for each rejected field in a toast', async () => {
    await dialog(({ route }) => {
      if (route.path === '/api/account/set_password')
        throw refused('invalid-request', [
          { fieldKey: 'password', vars: { rule: 'digit' } },
          { fieldKey: 'password', vars: { min: 6 } },
          { fieldKey: 'id' },
        ]);
      return undefined;
    });
    await fill(/^New password/, 'Hemligt-1');
    await fill(/^Repeat/, 'Hemligt-1');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    const message = await screen.findByText(/The password was not accepted/);
    expect(message.textContent?.split('\n')).toEqual([
      'The password was not accepted:',
      'Password: a digit',
      'Password: 6 to 100 characters',
      'id: the value is not accepted',
    ]);
  });
});

describe('errors of the server', () => {
  const failing = (path: string, error: Error) => (called: Called) => {
    if (called.route.path === path) throw error;
    return undefined;
  };
  const fault = new ServiceError({ kind: 'refused', status: 500, code: 'internal', errors: [] });

  it('report that a user cannot be created', async () => {
    await openUsers([], { answer: failing('/api/Account/create', fault) });
    await userEvent.click((await screen.findAllByRole('button', { name: 'Add user' }))[0] as HTMLElement);
    await fill(/^First name/, 'Siv');
    await fill(/^Last name/, 'Berg');
    await fill(/^E-mail/, 'siv@prov.example');
    await fill(/^Phone/, '08-1');
    await fill(/^Personal number/, '198001019804');
    await fill(/^Hired since/, '2026-01-31');
    await fill(/^Role/, doctor.id);
    await userEvent.click(screen.getByRole('radio', { name: 'Set a password now' }));
    await fill(/^Password/, 'Hemligt-1');
    const [add] = screen
      .getAllByRole('button', { name: 'Add user', hidden: true })
      .filter((one) => one.getAttribute('type') === 'submit');
    await userEvent.click(add as HTMLElement);
    expect(
      await screen.findByText('Cannot create a new user. There is some problem with remote server. Try again later'),
    ).toBeTruthy();
    expect((await field(/^First name/)).value).toBe('Siv');
  });

  it('report that the user no longer exists', async () => {
    await openUsers([userOf(1)], { answer: failing('/api/Account/delete/:id', refused('user-not-found')) });
    await menuOf('Maja Lind1');
    await choose(/^Delete/);
    await userEvent.click(await screen.findByRole('button', { name: /^Delete/, hidden: true }));
    expect(await screen.findByText('User not found')).toBeTruthy();
  });

  it('report that the e-mail cannot be sent', async () => {
    const createLink = () =>
      Promise.reject(refused('cannot-send-email', [{ fieldKey: 'email', vars: { reason: 'sign-in' } }]));
    await openUsers([userOf(1)], { more: withLinks(createLink) });
    await menuOf('Maja Lind1');
    await choose(/^Link for a new password/);
    await userEvent.click(await screen.findByRole('button', { name: 'Send the link', hidden: true }));
    expect(
      await screen.findByText(/^Cannot send email\. .*rejects the user name.* No e-mail will be sent/),
    ).toBeTruthy();
  });
});

describe('a link for a new password', () => {
  it('is reported as queued, then as accepted by the mail server', async () => {
    let accept = (_: { delivery: 'mail-server' }) => {};
    const createLink = vi.fn(() => new Promise<{ delivery: 'mail-server' }>((resolve) => (accept = resolve)));
    await openUsers([userOf(1)], { more: withLinks(createLink) });
    await menuOf('Maja Lind1');
    await choose(/^Link for a new password/);
    await userEvent.click(await screen.findByRole('button', { name: 'Send the link', hidden: true }));
    expect(await screen.findByText(/^The e-mail is queued/)).toBeTruthy();
    expect(screen.queryByText(/has accepted/)).toBeNull();
    expect(createLink.mock.calls).toEqual([[idOf(1), 'en']]);
    accept({ delivery: 'mail-server' });
    expect(await screen.findByText('The mail server has accepted the e-mail to person1@prov.example')).toBeTruthy();
    expect(screen.queryByText(/^The e-mail is queued/)).toBeNull();
  });

  it('is shown for copying without a mail server, with the time until which it works', async () => {
    const user = userEvent.setup();
    const link = `http://localhost/authorization/newpassword#id=${idOf(1)}&SecurityStamp=abc`;
    const createLink = async () => ({ delivery: 'copy' as const, link, expiresAt: '2026-11-02T08:15:00.000Z' });
    await openUsers([userOf(1)], { more: withLinks(createLink), hasMailServer: false });
    await menuOf('Maja Lind1');
    await choose(/^Link for a new password/);
    expect(await screen.findByText(/has no mail server/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Create the link', hidden: true }));
    const field = await screen.findByLabelText<HTMLInputElement>('Link to choose a new password');
    expect([field.value, field.readOnly]).toEqual([link, true]);
    expect(screen.getByText(/^Works once, until .*2026/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Copy', hidden: true }));
    expect(await screen.findByRole('button', { name: 'Copied', hidden: true })).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(link);
  });
});
