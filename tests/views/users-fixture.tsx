import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { defaultClaims, roleNames } from '../../contract/claims.ts';
import type { ErrorItem, ProblemCode } from '../../contract/problem.ts';
import type { Role } from '../../contract/roles.ts';
import type { Employee } from '../../contract/users.ts';
import { ServiceError } from '../../src/services/failure.ts';
import type { AppContext, PasswordCalls } from '../../src/views/app/app-context.tsx';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { UsersRoute } from '../../src/views/app/users-route.tsx';
import { ToastStrip } from '../../src/views/ui/toast-strip.tsx';
import { anArchive, type Called, WithAdministration } from './administration-fixture.tsx';
import { idOf } from './records.ts';
import { show } from './render.tsx';
import { signedInAs } from './signed-in-session.ts';

export const clinic = { id: idOf(900), name: 'Solrosen' };

export const roles: readonly Role[] = roleNames.map((name, rank) => ({
  id: idOf(800 + rank),
  name,
  rank,
  claims: [...defaultClaims[name]],
  isBuiltIn: true,
  version: 1,
}));

export const [superAdministrator, administrator, doctor] = roles as [Role, Role, Role];

export const userOf = (number: number, more: Partial<Employee> = {}): Employee => ({
  id: idOf(number),
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
  hasPassword: true,
  createdAt: '2026-01-02T03:04:05.000Z',
  securityStamp: idOf(700 + number),
  version: 3,
  ...more,
});

export const refused = (code: ProblemCode, errors: ErrorItem[] = []) =>
  new ServiceError({ kind: 'refused', status: 400, code, errors });

/** Renders the users page over a fake API; `answer` handles each call first. */
export const openUsers = async (
  people: readonly Employee[],
  options: {
    readonly as?: 'SuperAdmin' | 'CustomerAdmin' | 'Doctor';
    readonly of?: Parameters<typeof UsersRoute>[0]['of'];
    readonly address?: string;
    readonly answer?: (called: Called) => unknown;
    readonly more?: Partial<AppContext>;
    readonly hasMailServer?: boolean;
  } = {},
) => {
  const {
    as = 'CustomerAdmin',
    of = { clinicId: clinic.id },
    address = '/',
    answer,
    more = {},
    hasMailServer = true,
  } = options;
  const welcome = { queryKey: ['welcome'], queryFn: async () => ({ hasMailServer, outbox: null }) };
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
      <AppQueriesProvider value={{ welcome: () => welcome } as unknown as AppQueries}>
        <ToastStrip />
        <UsersRoute session={session} of={of} />
      </AppQueriesProvider>
    </WithAdministration>,
  );
  const callsOf = (path: string) => archive.calls.filter(({ route }) => route.path === path);
  return { ...archive, callsOf };
};

export const menuOf = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `More actions for ${name}` }));
};

export const choose = async (name: RegExp | string) =>
  userEvent.click(await screen.findByRole('menuitem', { name, hidden: true }));

export const field = (name: RegExp | string) => screen.findByLabelText<HTMLInputElement>(name);

export const fill = async (name: RegExp | string, text: string) =>
  fireEvent.change(await field(name), { target: { value: text } });

export const withLinks = (createLink: PasswordCalls['createLink']): Partial<AppContext> => ({
  passwords: { createLink, requestReset: async () => {}, reset: async () => {}, changeOwn: async () => {} },
});
