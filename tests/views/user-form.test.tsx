import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { Called } from './administration-fixture.tsx';
import { idOf } from './records.ts';
import { clinic, doctor, field, fill, openUsers, refused, userOf, withLinks } from './users-fixture.tsx';
import { withWideTables } from './with-wide-tables.ts';

withWideTables();

describe('adding a user', () => {
  const fillFields = async () => {
    await userEvent.click((await screen.findAllByRole('button', { name: 'Add user' }))[0] as HTMLElement);
    await fill(/^First name/, 'Nora');
    await fill(/^Last name/, 'Berg');
    await fill(/^E-mail/, 'nora@prov.example');
    await fill(/^Phone/, '08-555');
    await fill(/^Personal number/, '19800101-9804');
    await fill(/^Hired since/, '2026-02-01');
    await userEvent.selectOptions(await field(/^Role/), doctor.id);
  };

  it('shows a live checklist of the password rules, and sends the values', async () => {
    const added = userOf(9, { firstName: 'Nora', lastName: 'Berg' });
    const { callsOf } = await openUsers([], {
      answer: ({ route }) => (route.path === '/api/Account/create' ? added : undefined),
    });
    await fillFields();
    await userEvent.click(screen.getByRole('radio', { name: 'Set a password now' }));
    await fill(/^Password/, 'Hemligt');
    expect(screen.getAllByRole('img', { name: 'met' })).toHaveLength(3);
    const drawer = screen.getByRole('dialog', { name: 'Add user' });
    const submit = within(drawer).getByRole('button', { name: 'Add user' });
    await userEvent.click(submit);
    expect(await screen.findByText('The password does not meet the requirements below')).toBeTruthy();
    expect(callsOf('/api/Account/create')).toHaveLength(0);
    await fill(/^Password/, 'Hemligt-1');
    await userEvent.click(submit);
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add user' })).toBeNull());
    expect(callsOf('/api/Account/create').map(({ body }) => body)).toEqual([
      {
        firstName: 'Nora',
        lastName: 'Berg',
        email: 'nora@prov.example',
        telephone: '08-555',
        personalNumber: '19800101-9804',
        hiredSince: '2026-02-01',
        roles: [doctor.id],
        isActive: true,
        azureUsername: null,
        avatarLink: null,
        customerId: clinic.id,
        password: 'Hemligt-1',
      },
    ]);
  });

  const fillAll = async () => {
    await fillFields();
    const drawer = screen.getByRole('dialog', { name: 'Add user' });
    await userEvent.click(within(drawer).getByRole('button', { name: 'Add user' }));
  };
  const added = userOf(9, { firstName: 'Nora', lastName: 'Berg', email: 'nora@prov.example', hasPassword: false });
  const adding = ({ route }: Called) => (route.path === '/api/Account/create' ? added : undefined);

  it('invites by default: without a password, and by e-mail where there is a mail server', async () => {
    const invited: string[] = [];
    const { callsOf } = await openUsers([], {
      answer: adding,
      more: withLinks(async (id) => {
        invited.push(id);
        return { delivery: 'mail-server' };
      }),
    });
    await fillAll();
    const sent = 'Nora Berg is added. The mail server has accepted the invitation to nora@prov.example';
    expect(await screen.findByText(sent)).toBeTruthy();
    expect(invited).toEqual([added.id]);
    expect(callsOf('/api/Account/create').map(({ body }) => Object.keys(body as object))).toEqual([
      expect.not.arrayContaining(['password', 'invites']),
    ]);
  });

  it('shows the link to hand over where there is no mail server', async () => {
    const link = {
      delivery: 'copy' as const,
      link: 'https://archive.example/x#id=1',
      expiresAt: '2026-12-05T10:00:00Z',
    };
    await openUsers([], { answer: adding, more: withLinks(async () => link), hasMailServer: false });
    await fillAll();
    expect((await field('Link to choose a new password')).value).toBe(link.link);
    expect(screen.getByRole('dialog', { name: 'Link for Nora Berg' })).toBeTruthy();
  });

  it('says that a user is added, but not invited, when the mail server fails', async () => {
    const failure = refused('cannot-send-email', [{ fieldKey: 'email', vars: { reason: 'connection' } }]);
    await openUsers([], { answer: adding, more: withLinks(() => Promise.reject(failure)) });
    await fillAll();
    expect(await screen.findByText(/^Nora Berg is added, but not invited\. Cannot send email/)).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add user' })).toBeNull());
  });

  it('shows errors at their fields, focuses the first, and offers no role above the own rank', async () => {
    await openUsers([]);
    await userEvent.click((await screen.findAllByRole('button', { name: 'Add user' }))[0] as HTMLElement);
    await fill(/^Personal number/, '198001019805');
    const drawer = await screen.findByRole('dialog', { name: 'Add user' });
    await userEvent.click(within(drawer).getByRole('button', { name: 'Add user' }));
    expect(await screen.findByText('The check digit is wrong')).toBeTruthy();
    await waitFor(async () => expect(document.activeElement).toBe(await field(/^First name/)));
    const names = within(await field(/^Role/))
      .getAllByRole('option')
      .map(({ textContent }) => textContent);
    expect(names).toEqual(['Choose a role', 'Clinic administrator', expect.stringMatching(/Medical/)]);
  });
});

describe('editing a user', () => {
  const update = (reply: (called: Called) => unknown) => (called: Called) =>
    called.route.path === '/api/Account/update' ? reply(called) : undefined;

  it('sends the version, and shows a taken address at its field', async () => {
    let tries = 0;
    const { callsOf } = await openUsers([userOf(1)], {
      answer: update(() => {
        tries += 1;
        if (tries === 1) throw refused('email-taken', [{ fieldKey: 'email' }]);
        return userOf(1);
      }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Lind1, Maja' }));
    await fill(/^E-mail/, 'taken@prov.example');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('This e-mail is already taken')).toBeTruthy();
    await waitFor(async () => expect(document.activeElement).toBe(await field(/^E-mail/)));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit user' })).toBeNull());
    expect(callsOf('/api/Account/update')[0]?.body).toMatchObject({
      id: idOf(1),
      version: 3,
      securityStamp: idOf(701),
      email: 'taken@prov.example',
      roles: [doctor.id],
    });
  });

  it('reports a version conflict, and can load the newer values', async () => {
    await openUsers([userOf(1)], {
      answer: (called) => {
        if (called.route.path === '/api/Account/update') throw refused('conflict');
        return called.query.q === undefined
          ? undefined
          : { data: [userOf(1, { firstName: 'Theirs', version: 4 })], totalCount: 1, isTotalExact: true, next: null };
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Lind1, Maja' }));
    await fill(/^First name/, 'Mine');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await userEvent.click(await screen.findByRole('button', { name: /current/i }));
    await waitFor(async () => expect((await field(/^First name/)).value).toBe('Theirs'));
  });

  it('confirms before it discards input', async () => {
    await openUsers([userOf(1)]);
    await userEvent.click(await screen.findByRole('button', { name: 'Lind1, Maja' }));
    await fill(/^First name/, 'Other');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('button', { name: /keep editing/i })).toBeTruthy();
    expect(screen.getByRole('dialog', { name: 'Edit user' })).toBeTruthy();
  });

  it('uploads the picture after the details, which stay saved when the picture is rejected', async () => {
    URL.createObjectURL = () => 'blob:preview';
    URL.revokeObjectURL = () => {};
    const { callsOf } = await openUsers([userOf(1)], {
      answer: ({ route }) => {
        if (route.path === '/api/Account/update') return userOf(1, { version: 4 });
        if (route.path === '/api/Account/picture/:id') throw refused('picture-not-readable');
        return undefined;
      },
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Lind1, Maja' }));
    await userEvent.upload(
      await screen.findByTestId('person-picture'),
      new File(['x'], 'a.png', { type: 'image/png' }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/details are saved, but not the picture. Error while uploading image/)).toBeTruthy();
    expect(callsOf('/api/Account/picture/:id')).toHaveLength(1);
    expect(screen.getByRole('dialog', { name: 'Edit user' })).toBeTruthy();
  });
});
