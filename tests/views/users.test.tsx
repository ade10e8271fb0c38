import { configure, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultClaims, roleNames } from '../../contract/claims.ts';
import type { ErrorItem, ProblemCode } from '../../contract/problem.ts';
import type { Role } from '../../contract/roles.ts';
import type { Employee } from '../../contract/users.ts';
import { ServiceError } from '../../src/services/failure.ts';
import type { AppContext } from '../../src/views/app/app-context.tsx';
import { UsersRoute } from '../../src/views/app/users-route.tsx';
import { ToastStrip } from '../../src/views/ui/toast-strip.tsx';
import { anArchive, type Called, WithAdministration } from './administration-fixture.tsx';
import { show } from './render.tsx';
import { aUser, signedInAs } from './signed-in-session.ts';

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const clinic = { id: id(900), name: 'Solrosen' };
const roles: readonly Role[] = roleNames.map((name, rank) => ({
  id: id(800 + rank),
  name,
  rank,
  claims: [...defaultClaims[name]],
  isBuiltIn: true,
  version: 1,
}));
const [superAdministrator, administrator, doctor] = roles as [Role, Role, Role];

const userOf = (number: number, more: Partial<Employee> = {}): Employee => ({
  id: id(number),
  email: `person${number}@prov.example`,
  firstName: 'Maja',
  lastName: `Lind${number}`,
  personalNumber: '198001019804',
  telephone: '08-123',
  hiredSince: '2020-01-31',
  isActive: true,
  customerId: clinic.id,
  customer: { ...clinic, country: 'SE' },
  role: { id: doctor.id, name: doctor.name, rank: doctor.rank },
  azureUsername: null,
  avatarLink: null,
  picture: null,
  twoFactorEnabled: false,
  createdAt: '2026-01-02T03:04:05.000Z',
  securityStamp: id(700 + number),
  version: 3,
  ...more,
});

const refused = (code: ProblemCode, errors: ErrorItem[] = []) =>
  new ServiceError({ kind: 'refused', status: 400, code, errors });

/** Renders the users page over a fake API; `answer` handles each call first. */
const open = async (
  people: readonly Employee[],
  options: {
    readonly as?: 'SuperAdmin' | 'CustomerAdmin' | 'Doctor';
    readonly of?: Parameters<typeof UsersRoute>[0]['of'];
    readonly address?: string;
    readonly answer?: (called: Called) => unknown;
    readonly more?: Partial<AppContext>;
  } = {},
) => {
  const { as = 'CustomerAdmin', of = { clinicId: clinic.id }, address = '/', answer, more = {} } = options;
  window.history.replaceState(null, '', address);
  const listed = { data: people, totalCount: people.length, isTotalExact: true, next: null };
  const archive = anArchive((called) => {
    const own = answer?.(called);
    if (own !== undefined) return own;
    const { path } = called.route;
    if (path === '/api/Customer/get/:id') return { ...clinic, country: 'SE', version: 1 };
    if (path === '/api/Roles') return as === 'SuperAdmin' ? roles : roles.slice(1);
    return /customer_users|get_sa|users\/all/.test(path) ? listed : {};
  });
  const session = await signedInAs(as, { clinic: as === 'SuperAdmin' ? null : clinic });
  await show(
    <WithAdministration call={archive.call} more={more}>
      <ToastStrip />
      <UsersRoute session={session} of={of} />
    </WithAdministration>,
  );
  const callsOf = (path: string) => archive.calls.filter(({ route }) => route.path === path);
  return { ...archive, callsOf };
};

const menuOf = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${name}` }));
};
const choose = async (name: RegExp | string) =>
  userEvent.click(await screen.findByRole('menuitem', { name, hidden: true }));
const field = (name: RegExp | string) => screen.findByLabelText<HTMLInputElement>(name);
const fill = async (name: RegExp | string, text: string) =>
  fireEvent.change(await field(name), { target: { value: text } });

// Rendering a table with menus is slow in jsdom.
configure({ asyncUtilTimeout: 20_000 });
vi.setConfig({ testTimeout: 90_000 });

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('the users pages', () => {
  it('are shown with the claim, and name the missing claim otherwise', async () => {
    await open([userOf(1)], { as: 'Doctor' });
    expect(await screen.findByText('You have no access to this page')).toBeTruthy();
    expect(screen.queryByRole('grid')).toBeNull();
  });

  it('show the users of a clinic with search, order and status from the URL', async () => {
    const { callsOf } = await open([userOf(1), userOf(2, { isActive: false })], {
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
    const { callsOf } = await open([userOf(1, { customerId: null, customer: null })], {
      as: 'SuperAdmin',
      of: 'super-administrators',
    });
    await screen.findByRole('row', { name: /Lind1/ });
    expect(callsOf('/api/Account/get_sa')[0]).toMatchObject({ query: { Page: 1, PPage: 7 } });
  });
});

describe('adding a user', () => {
  it('shows a live checklist of the password rules, and sends the values', async () => {
    const added = userOf(9, { firstName: 'Nora', lastName: 'Berg' });
    const { callsOf } = await open([], {
      answer: ({ route }) => (route.path === '/api/Account/create' ? added : undefined),
    });
    await userEvent.click((await screen.findAllByRole('button', { name: 'Add user' }))[0] as HTMLElement);
    await fill(/^First name/, 'Nora');
    await fill(/^Last name/, 'Berg');
    await fill(/^E-mail/, 'nora@prov.example');
    await fill(/^Phone/, '08-555');
    await fill(/^Personal number/, '19800101-9804');
    await fill(/^Hired since/, '2026-02-01');
    await userEvent.selectOptions(await field(/^Role/), doctor.id);
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

  it('shows errors at their fields, focuses the first, and offers no role above the own rank', async () => {
    await open([]);
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
    const { callsOf } = await open([userOf(1)], {
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
      id: id(1),
      version: 3,
      securityStamp: id(701),
      email: 'taken@prov.example',
      roles: [doctor.id],
    });
  });

  it('reports a version conflict, and can load the newer values', async () => {
    await open([userOf(1)], {
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
    await open([userOf(1)]);
    await userEvent.click(await screen.findByRole('button', { name: 'Lind1, Maja' }));
    await fill(/^First name/, 'Other');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('button', { name: /keep editing/i })).toBeTruthy();
    expect(screen.getByRole('dialog', { name: 'Edit user' })).toBeTruthy();
  });

  it('uploads the picture after the details, which stay saved when the picture is rejected', async () => {
    URL.createObjectURL = () => 'blob:preview';
    URL.revokeObjectURL = () => {};
    const { callsOf } = await open([userOf(1)], {
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

describe('user actions', () => {
  it('are disabled with the reason for higher ranks and for oneself', async () => {
    const chief = { id: superAdministrator.id, name: superAdministrator.name, rank: 0 };
    const own = aUser('CustomerAdmin', clinic);
    const oneself = userOf(2, {
      id: own.id,
      lastName: 'Self',
      role: { id: administrator.id, name: administrator.name, rank: 1 },
    });
    await open([userOf(1, { role: chief }), oneself]);
    await menuOf('Maja Lind1');
    const barred = await screen.findByRole('menuitem', { name: /^Delete/, hidden: true });
    expect(barred.hasAttribute('disabled') || barred.getAttribute('data-disabled')).toBeTruthy();
    expect(barred.textContent).toMatch(/rank/);
    await userEvent.keyboard('{Escape}');
    await menuOf('Maja Self');
    await waitFor(() =>
      expect(screen.getAllByRole('menuitem', { name: /^Delete/, hidden: true }).at(-1)?.textContent).toMatch(
        /own account/,
      ),
    );
  });

  it('deactivates after confirmation, activates at once', async () => {
    const { callsOf } = await open([userOf(1), userOf(2, { isActive: false })]);
    await menuOf('Maja Lind1');
    await choose(/^Deactivate/);
    expect(callsOf('/api/Account/change_user_status')).toHaveLength(0);
    await userEvent.click(await screen.findByRole('button', { name: 'Deactivate' }));
    await waitFor(() => expect(callsOf('/api/Account/change_user_status')).toHaveLength(1));
    await menuOf('Maja Lind2');
    await choose('Activate');
    await waitFor(() =>
      expect(callsOf('/api/Account/change_user_status').map(({ body }) => body)).toEqual([
        { id: id(1), status: false },
        { id: id(2), status: true },
      ]),
    );
  });

  it('deletes after confirmation and removes the row at once', async () => {
    await open([userOf(1), userOf(2)]);
    await menuOf('Maja Lind1');
    await choose(/^Delete/);
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /Lind1/ })).toBeNull());
    expect(screen.getByRole('row', { name: /Lind2/ })).toBeTruthy();
  });

  it('show why they were rejected', async () => {
    await open([userOf(1)], {
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
    const archive = await open([userOf(1)], answer ? { answer } : {});
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
        { id: id(1), password: 'Hemligt-1' },
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
    await open([], { answer: failing('/api/Account/create', fault) });
    await userEvent.click((await screen.findAllByRole('button', { name: 'Add user' }))[0] as HTMLElement);
    await fill(/^First name/, 'Siv');
    await fill(/^Last name/, 'Berg');
    await fill(/^E-mail/, 'siv@prov.example');
    await fill(/^Phone/, '08-1');
    await fill(/^Personal number/, '198001019804');
    await fill(/^Hired since/, '2026-01-31');
    await fill(/^Role/, doctor.id);
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
    await open([userOf(1)], { answer: failing('/api/Account/delete/:id', refused('user-not-found')) });
    await menuOf('Maja Lind1');
    await choose(/^Delete/);
    await userEvent.click(await screen.findByRole('button', { name: /^Delete/, hidden: true }));
    expect(await screen.findByText('User not found')).toBeTruthy();
  });

  it('report that the e-mail cannot be sent', async () => {
    const requestReset = () => Promise.reject(refused('cannot-send-email'));
    await open([userOf(1)], { more: { passwords: { requestReset, reset: requestReset } } });
    await menuOf('Maja Lind1');
    await choose(/^Send a reset link/);
    await userEvent.click(await screen.findByRole('button', { name: 'Send the link', hidden: true }));
    expect(await screen.findByText('Cannot send email')).toBeTruthy();
  });
});
