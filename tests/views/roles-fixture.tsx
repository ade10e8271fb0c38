import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect } from 'vitest';
import { type Claim, defaultClaims, type RoleName, roleNames } from '../../contract/claims.ts';
import type { ErrorItem, ProblemCode } from '../../contract/problem.ts';
import {
  customersByRole,
  type Role,
  roleClaimsUpdate,
  roleCreate,
  roleDelete,
  roles as rolesRoute,
  roleUpdate,
  usersInRole,
} from '../../contract/roles.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { type AppQueries, AppQueriesProvider } from '../../src/views/app/queries-context.tsx';
import { RolesPage } from '../../src/views/roles/roles-page.tsx';
import { anArchive, type Called, WithAdministration } from './administration-fixture.tsx';
import { idOf } from './records.ts';
import { show } from './render.tsx';
import { aUser, signedInAs } from './signed-in-session.ts';

export const role = (
  number: number,
  name: string,
  rank: number,
  claims: readonly Claim[],
  isBuiltIn = false,
): Role => ({
  id: idOf(number),
  name,
  rank,
  claims: [...claims],
  isBuiltIn,
  version: 4,
});

export const [highest, admin, doctor] = roleNames.map((name, rank) =>
  role(rank, name, rank, defaultClaims[name], true),
);
export const hygienist = role(8, 'Hygienist', 3, ['user.get_any', 'customer.get_itself']);
export const assistant = role(9, 'Assistant', 4, ['user.get_any', 'customer.get_itself', 'disable.delete_study']);

export const refused = (code: ProblemCode, { errors = [], claims }: { errors?: ErrorItem[]; claims?: string[] } = {}) =>
  new ServiceError({ kind: 'refused', status: 409, code, errors, ...(claims && { claims }) });

/** Renders the page over an API that stores changes. `answer` handles calls first; undefined: default reply. */
export const openRoles = async (
  answer: (called: Called) => unknown = () => undefined,
  as: { role?: RoleName; permission?: readonly string[] } = {},
) => {
  let stored = [highest, admin, doctor, hygienist, assistant].filter((one) => one !== undefined);
  const usual = ({ route, body, query }: Called): unknown => {
    const sent = body as Role & { roleClaims: Claim[] };
    const change = (more: Partial<Role>) => {
      const version = sent.version + 1;
      stored = stored.map((one) => (one.id === sent.id ? { ...one, ...more, version } : one));
      return stored.find((one) => one.id === sent.id);
    };
    switch (route) {
      case rolesRoute:
        return stored;
      case usersInRole:
      case customersByRole: {
        const count = query.id === hygienist.id ? (route === usersInRole ? 12 : 3) : 0;
        const data =
          query.CountOnly === 'true' ? [] : [{ id: idOf(50), name: route === usersInRole ? 'Ebba Ek' : 'Alm' }];
        return { count, data };
      }
      case roleClaimsUpdate:
        return change({ claims: sent.roleClaims });
      case roleUpdate:
        return change({ name: sent.name, rank: sent.rank });
      case roleCreate: {
        const made = role(20, sent.name, sent.rank, sent.roleClaims);
        stored = [...stored, made];
        return made;
      }
      case roleDelete:
        stored = stored.filter((one) => one.id !== (body as { deletingRoleId: string }).deletingRoleId);
        return {};
      default:
        throw new Error(`unexpected call: ${route.path}`);
    }
  };
  const archive = anArchive((called) => answer(called) ?? usual(called));
  const own = as.role ?? 'SuperAdmin';
  const session = await signedInAs(own, as.permission ? { permission: as.permission } : {});
  const queries = {
    account: () => ({ queryKey: ['account'], queryFn: async () => aUser(own, null) }),
  } as unknown as AppQueries;
  await show(
    <AppQueriesProvider value={queries}>
      <WithAdministration call={archive.call}>
        <RolesPage session={session} />
      </WithAdministration>
    </AppQueriesProvider>,
  );
  await screen.findByRole('navigation');
  return { calls: () => archive.calls.filter(({ route }) => route.method === 'POST') };
};

export const user = userEvent.setup();
export const press = (name: string | RegExp) => user.click(screen.getByRole('button', { name }));
export const chosen = (name: string | RegExp) => within(screen.getByRole('navigation')).getByRole('button', { name });
export const tick = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

export const disabledReason = (name: string) => {
  const button = screen.getByRole('button', { name });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  return document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent;
};
