import type { QueryClient } from '@tanstack/query-core';
import { about } from '../../contract/about.ts';
import {
  customerCreate,
  customerDelete,
  customerDependentsGet,
  customerGet,
  customerGetAll,
  customerUpdate,
  reassignUser,
} from '../../contract/customers.ts';
import {
  claimsByRole,
  customersByRole,
  roleClaimsUpdate,
  roleCreate,
  roleDelete,
  roles,
  roleUpdate,
  usersInRole,
} from '../../contract/roles.ts';
import type { BodyOf, QueryOf, ReplyOf, Route } from '../../contract/route.ts';
import { statisticsGet, statisticsOfCustomer } from '../../contract/statistics.ts';
import {
  accountCreate,
  accountDelete,
  accountUpdate,
  changeUserStatus,
  customerUsers,
  type Employee,
  pictureDelete,
  pictureSave,
  setPassword,
  superAdministrators,
  usersAll,
} from '../../contract/users.ts';
import type { Call } from './call.ts';
import { licencesOfBuild } from './licences.ts';
import { query } from './query.ts';
import { queryRoots } from './query-roots.ts';

/** Of a list of people, what every call of them takes. */
export type PeopleAsked = QueryOf<typeof customerUsers>;

/** Which people: of one clinic, of all of them, or the super administrators. */
export type PeopleList = { readonly customerId: string } | 'all' | 'super-administrators';

/** Clinics, people, roles and numbers: what administrators read and write. Every write makes old what it changes, and throws ServiceError. */
export const createAdministration = (call: Call, client: QueryClient) => {
  const old = (...roots: readonly (keyof typeof queryRoots)[]) => {
    for (const root of roots) void client.invalidateQueries({ queryKey: [queryRoots[root]] });
  };
  const write = async <R extends Route>(
    route: R,
    body: BodyOf<R>,
    roots: readonly (keyof typeof queryRoots)[],
  ): Promise<ReplyOf<R>> => {
    const reply = await call(route, { body });
    old(...roots);
    return reply;
  };
  const peopleOf = (list: PeopleList, asked: PeopleAsked, signal: AbortSignal): Promise<ReplyOf<typeof usersAll>> => {
    if (list === 'all') return call(usersAll, { query: asked, signal });
    if (list !== 'super-administrators') return call(customerUsers, { params: list, query: asked, signal });
    const { page, ppage, ...rest } = asked;
    return call(superAdministrators, { query: { ...rest, Page: page, PPage: ppage }, signal });
  };
  const holders = (route: typeof usersInRole | typeof customersByRole, id: string, countOnly: boolean) =>
    query<ReplyOf<typeof usersInRole>>([queryRoots.roles, route.path, id, countOnly], (signal) =>
      call(route, { query: { id, CountOnly: String(countOnly) }, signal }),
    );

  return {
    about: () => query<ReplyOf<typeof about>>(['about'], (signal) => call(about, { signal })),
    licences: () => licencesOfBuild(),

    customers: (asked: QueryOf<typeof customerGetAll>) =>
      query<ReplyOf<typeof customerGetAll>>([queryRoots.customers, asked], (signal) =>
        call(customerGetAll, { query: asked, signal }),
      ),
    customer: (id: string) =>
      query<ReplyOf<typeof customerGet>>([queryRoots.customer, id], (signal) =>
        call(customerGet, { params: { id }, signal }),
      ),
    /** What hangs on a clinic. */
    dependents: (id: string) =>
      query<ReplyOf<typeof customerDependentsGet>>([queryRoots.customer, id, 'dependents'], (signal) =>
        call(customerDependentsGet, { params: { id }, signal }),
      ),
    createCustomer: (body: BodyOf<typeof customerCreate>) => write(customerCreate, body, ['customers', 'statistics']),
    updateCustomer: (body: BodyOf<typeof customerUpdate>) =>
      write(customerUpdate, body, ['customers', 'customer', 'people']),
    deleteCustomer: async (id: string, version: number): Promise<void> => {
      await call(customerDelete, { params: { id }, body: { version } });
      old('customers', 'customer', 'people', 'statistics');
    },
    reassignUser: (body: BodyOf<typeof reassignUser>) =>
      write(reassignUser, body, ['people', 'customers', 'statistics', 'roles']),

    people: (list: PeopleList, asked: PeopleAsked) =>
      query<ReplyOf<typeof usersAll>>([queryRoots.people, list, asked], (signal) => peopleOf(list, asked, signal)),
    createAccount: (body: BodyOf<typeof accountCreate>) =>
      write(accountCreate, body, ['people', 'customers', 'statistics', 'roles']),
    updateAccount: (body: BodyOf<typeof accountUpdate>) => write(accountUpdate, body, ['people', 'roles', 'account']),
    changeStatus: (body: BodyOf<typeof changeUserStatus>) => write(changeUserStatus, body, ['people', 'statistics']),
    deleteAccount: async (id: string): Promise<void> => {
      await call(accountDelete, { params: { id } });
      old('people', 'customers', 'statistics', 'roles');
    },
    setPassword: (body: BodyOf<typeof setPassword>) => write(setPassword, body, ['people']),
    savePicture: async (id: string, picture: Blob): Promise<Employee> => {
      const form = new FormData();
      form.append('file', picture);
      const saved = await call(pictureSave, { params: { id }, form });
      old('people', 'account');
      return saved;
    },
    deletePicture: async (id: string): Promise<Employee> => {
      const saved = await call(pictureDelete, { params: { id } });
      old('people', 'account');
      return saved;
    },

    roles: () => query<ReplyOf<typeof roles>>([queryRoots.roles], (signal) => call(roles, { signal })),
    claimsByRole: (id: string) =>
      query<ReplyOf<typeof claimsByRole>>([queryRoots.roles, 'claims', id], (signal) =>
        call(claimsByRole, { params: { id }, signal }),
      ),
    usersInRole: (id: string, countOnly: boolean) => holders(usersInRole, id, countOnly),
    customersByRole: (id: string, countOnly: boolean) => holders(customersByRole, id, countOnly),
    createRole: (body: BodyOf<typeof roleCreate>) => write(roleCreate, body, ['roles']),
    updateRole: (body: BodyOf<typeof roleUpdate>) => write(roleUpdate, body, ['roles', 'people']),
    updateRoleClaims: (body: BodyOf<typeof roleClaimsUpdate>) => write(roleClaimsUpdate, body, ['roles']),
    deleteRole: (body: BodyOf<typeof roleDelete>) => write(roleDelete, body, ['roles', 'people']),

    /** Of all clinics, or of one. */
    statistics: (customerId: string | null) =>
      query<ReplyOf<typeof statisticsGet>>([queryRoots.statistics, customerId], (signal) =>
        customerId === null
          ? call(statisticsGet, { signal })
          : call(statisticsOfCustomer, { params: { customerId }, signal }),
      ),
  };
};

export type Administration = ReturnType<typeof createAdministration>;
