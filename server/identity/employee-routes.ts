import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { hasClaim } from '../../contract/claims.ts';
import {
  accountCreate,
  accountDelete,
  accountUpdate,
  changeUserStatus,
  customerUsers,
  customerUsersAny,
  setPassword,
  superAdministrators,
  userSessionsEnd,
  usersAll,
} from '../../contract/users.ts';
import type { ListCursors } from '../db/list-cursors.ts';
import type { Schema } from '../db/schema.ts';
import { customerById } from '../db/stores/customer-store.ts';
import { type EmployeeRequest, type EmployeesOf, employeesPage } from '../db/stores/employee-lists.ts';
import type { EmployeeRow } from '../db/stores/employee-store.ts';
import { canUseClinic } from '../domain/policy/can-use-clinic.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { type Binding, bind } from '../route-binding.ts';
import { employeeChanges } from './employee-changes.ts';
import { colleagueOf, employeeOf } from './employee-view.ts';
import type { PictureLinks } from './picture-links.ts';

export interface EmployeeDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly cursors: ListCursors;
  readonly links: PictureLinks;
}

/** Registers the routes that list and administer the users of clinics and super administrators. */
export const employeeRoutes = (
  server: FastifyInstance,
  { db, binding, cursors: places, links }: EmployeeDependencies,
): void => {
  const changes = employeeChanges(db);
  const shown = (row: EmployeeRow, principal: Principal) => employeeOf(row, links, principal);

  /** @throws ProblemError 'not-found' */
  const ofClinic = async (principal: Principal, customerId: string): Promise<EmployeesOf> => {
    if (!canUseClinic(principal, customerId) || !(await customerById(db, customerId)))
      throw new ProblemError('not-found');
    return { customerId };
  };
  const listed = async (principal: Principal, list: EmployeesOf, request: EmployeeRequest) => {
    const { data, ...page } = await employeesPage(db, places, list, request);
    return { ...page, data: data.map((row) => shown(row, principal)) };
  };

  bind(server, binding, customerUsers, async ({ principal, params, query, language }) =>
    listed(principal, await ofClinic(principal, params.customerId), { ...query, language }),
  );

  bind(server, binding, customerUsersAny, async ({ principal, params, query, language }) => {
    const list = await ofClinic(principal, params.customerId);
    const { data, ...page } = await employeesPage(db, places, list, { ...query, language }, true);
    return { ...page, data: data.map(colleagueOf) };
  });

  bind(server, binding, usersAll, ({ principal, query, language }) =>
    listed(principal, hasClaim(principal.permissions, 'user.get_sa') ? 'everybody' : 'clinics', {
      ...query,
      language,
    }),
  );

  bind(server, binding, superAdministrators, ({ principal, query: { Page: page, PPage: ppage, ...rest }, language }) =>
    listed(principal, 'super-administrators', { ...rest, page, ppage, language }),
  );

  bind(server, binding, accountCreate, async ({ principal, body }) =>
    shown(await changes.create(principal, body), principal),
  );

  bind(server, binding, accountUpdate, async ({ principal, body }) =>
    shown(await changes.update(principal, body), principal),
  );

  bind(server, binding, changeUserStatus, async ({ principal, body }) =>
    shown(await changes.changeStatus(principal, body), principal),
  );

  bind(server, binding, userSessionsEnd, async ({ principal, body: { id } }) => {
    await changes.endSessions(principal, id);
    return {};
  });

  bind(server, binding, accountDelete, async ({ principal, params }) => {
    await changes.remove(principal, params.id);
    return {};
  });

  bind(server, binding, setPassword, async ({ principal, body }) => {
    await changes.setPassword(principal, body);
    return {};
  });
};
