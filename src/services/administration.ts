import type { QueryClient } from '@tanstack/query-core';
import { about, openapiDocument } from '../../contract/about.ts';
import {
  type AccountPolicy,
  clinicPolicyGet,
  clinicPolicySet,
  rolePolicyGet,
  rolePolicySet,
} from '../../contract/account-policy.ts';
import {
  customerCreate,
  customerDelete,
  customerDependentsGet,
  customerGet,
  customerGetAll,
  customerUpdate,
  reassignUser,
} from '../../contract/customers.ts';
import { customerRestore, deletedClinicsGet } from '../../contract/deleted-clinics.ts';
import {
  dicomDeviceCreate,
  dicomDeviceEcho,
  dicomDeviceRemove,
  dicomDevices,
  dicomDeviceUpdate,
} from '../../contract/dicom-devices.ts';
import { directoryTokenCreate, directoryTokenRevoke, directoryTokens } from '../../contract/directory.ts';
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
import { serviceAccountCreate, serviceAccountRevoke, serviceAccounts } from '../../contract/service-accounts.ts';
import { sessionsEnd, sessionsGet } from '../../contract/sessions.ts';
import { statisticsGet, statisticsOfCustomer } from '../../contract/statistics.ts';
import { systemDetails, systemStatus } from '../../contract/system-status.ts';
import { twoFactorReset } from '../../contract/two-factor.ts';
import { type UserFileLine, userFileAdd, userFileCheck } from '../../contract/user-files.ts';
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
  userSessionsEnd,
  usersAll,
} from '../../contract/users.ts';
import type { Call } from './call.ts';
import { licencesOfBuild } from './licences.ts';
import { newPasswordPage } from './passwords.ts';
import { query } from './query.ts';
import { queryRoots } from './query-roots.ts';

/** Returns the parameters that every call for a scope of users takes. */
export type UsersQuery = QueryOf<typeof customerUsers>;

/** The users of one clinic, of all clinics, or the super administrators. */
export type UsersScope = { readonly customerId: string } | 'all' | 'super-administrators';

/** Creates calls of the administration: clinics, users, roles and statistics. Writes invalidate what they change and throw ServiceError. */
export const createAdministration = (call: Call, client: QueryClient) => {
  const invalidate = (...roots: readonly (keyof typeof queryRoots)[]) => {
    for (const root of roots) void client.invalidateQueries({ queryKey: [queryRoots[root]] });
  };
  const write = async <R extends Route>(
    route: R,
    body: BodyOf<R>,
    roots: readonly (keyof typeof queryRoots)[],
  ): Promise<ReplyOf<R>> => {
    const reply = await call(route, { body });
    invalidate(...roots);
    return reply;
  };
  const fetchUsers = (
    scope: UsersScope,
    params: UsersQuery,
    signal: AbortSignal,
  ): Promise<ReplyOf<typeof usersAll>> => {
    if (scope === 'all') return call(usersAll, { query: params, signal });
    if (scope !== 'super-administrators') return call(customerUsers, { params: scope, query: params, signal });
    const { page, ppage, ...rest } = params;
    return call(superAdministrators, { query: { ...rest, Page: page, PPage: ppage }, signal });
  };
  const holders = (route: typeof usersInRole | typeof customersByRole, id: string, countOnly: boolean) =>
    query<ReplyOf<typeof usersInRole>>([queryRoots.roles, route.path, id, countOnly], (signal) =>
      call(route, { query: { id, CountOnly: String(countOnly) }, signal }),
    );

  return {
    openapi: () => query<ReplyOf<typeof openapiDocument>>(['openapi'], (signal) => call(openapiDocument, { signal })),
    /** System status for administrators. */
    systemStatus: () =>
      query<ReplyOf<typeof systemStatus>>([queryRoots.systemStatus], (signal) => call(systemStatus, { signal })),
    /** State of each part of the installation. */
    systemDetails: () =>
      query<ReplyOf<typeof systemDetails>>([queryRoots.systemDetails], (signal) => call(systemDetails, { signal })),
    about: () => query<ReplyOf<typeof about>>(['about'], (signal) => call(about, { signal })),
    licences: () => licencesOfBuild(),

    customers: (params: QueryOf<typeof customerGetAll>) =>
      query<ReplyOf<typeof customerGetAll>>([queryRoots.customers, params], (signal) =>
        call(customerGetAll, { query: params, signal }),
      ),
    customer: (id: string) =>
      query<ReplyOf<typeof customerGet>>([queryRoots.customer, id], (signal) =>
        call(customerGet, { params: { id }, signal }),
      ),
    /** Returns the records that depend on a clinic. */
    dependents: (id: string) =>
      query<ReplyOf<typeof customerDependentsGet>>([queryRoots.customer, id, 'dependents'], (signal) =>
        call(customerDependentsGet, { params: { id }, signal }),
      ),
    createCustomer: (body: BodyOf<typeof customerCreate>) => write(customerCreate, body, ['customers', 'statistics']),
    updateCustomer: (body: BodyOf<typeof customerUpdate>) =>
      write(customerUpdate, body, ['customers', 'customer', 'users']),
    deleteCustomer: async (id: string, version: number): Promise<void> => {
      await call(customerDelete, { params: { id }, body: { version } });
      invalidate('customers', 'customer', 'users', 'statistics');
    },
    deletedClinics: () =>
      query<ReplyOf<typeof deletedClinicsGet>>([queryRoots.customers, 'deleted'], (signal) =>
        call(deletedClinicsGet, { signal }),
      ),
    restoreClinic: async (id: string): Promise<void> => {
      await call(customerRestore, { params: { id } });
      invalidate('customers', 'customer', 'users', 'statistics');
    },
    reassignUser: (body: BodyOf<typeof reassignUser>) =>
      write(reassignUser, body, ['users', 'customers', 'statistics', 'roles']),

    users: (scope: UsersScope, params: UsersQuery) =>
      query<ReplyOf<typeof usersAll>>([queryRoots.users, scope, params], (signal) => fetchUsers(scope, params, signal)),
    createAccount: (body: BodyOf<typeof accountCreate>) =>
      write(accountCreate, body, ['users', 'customers', 'statistics', 'roles']),
    updateAccount: (body: BodyOf<typeof accountUpdate>) => write(accountUpdate, body, ['users', 'roles', 'account']),
    changeStatus: (body: BodyOf<typeof changeUserStatus>) => write(changeUserStatus, body, ['users', 'statistics']),
    endUserSessions: (id: string) => write(userSessionsEnd, { id }, []),
    deleteAccount: async (id: string): Promise<void> => {
      await call(accountDelete, { params: { id } });
      invalidate('users', 'customers', 'statistics', 'roles');
    },
    checkUserLines: (customerId: string, lines: readonly UserFileLine[]): Promise<ReplyOf<typeof userFileCheck>> =>
      call(userFileCheck, { body: { customerId, lines: [...lines] } }),
    addUserLines: (body: Omit<BodyOf<typeof userFileAdd>, 'redirectUrl'>): Promise<ReplyOf<typeof userFileAdd>> =>
      write(userFileAdd, { ...body, redirectUrl: newPasswordPage(window.location.origin) }, [
        'users',
        'customers',
        'statistics',
        'roles',
      ]),
    directoryTokens: (customerId: string) =>
      query<ReplyOf<typeof directoryTokens>>([queryRoots.directoryTokens, customerId], (signal) =>
        call(directoryTokens, { params: { customerId }, signal }),
      ),
    createDirectoryToken: (body: BodyOf<typeof directoryTokenCreate>) =>
      write(directoryTokenCreate, body, ['directoryTokens']),
    revokeDirectoryToken: (body: BodyOf<typeof directoryTokenRevoke>) =>
      write(directoryTokenRevoke, body, ['directoryTokens']),
    serviceAccounts: (customerId: string) =>
      query<ReplyOf<typeof serviceAccounts>>([queryRoots.serviceAccounts, customerId], (signal) =>
        call(serviceAccounts, { params: { customerId }, signal }),
      ),
    createServiceAccount: (body: BodyOf<typeof serviceAccountCreate>) =>
      write(serviceAccountCreate, body, ['serviceAccounts']),
    revokeServiceAccount: (body: BodyOf<typeof serviceAccountRevoke>) =>
      write(serviceAccountRevoke, body, ['serviceAccounts']),
    dicomDevices: (customerId: string) =>
      query<ReplyOf<typeof dicomDevices>>([queryRoots.dicomDevices, customerId], (signal) =>
        call(dicomDevices, { params: { customerId }, signal }),
      ),
    addDicomDevice: (body: BodyOf<typeof dicomDeviceCreate>) => write(dicomDeviceCreate, body, ['dicomDevices']),
    updateDicomDevice: (body: BodyOf<typeof dicomDeviceUpdate>) => write(dicomDeviceUpdate, body, ['dicomDevices']),
    removeDicomDevice: (body: BodyOf<typeof dicomDeviceRemove>) => write(dicomDeviceRemove, body, ['dicomDevices']),
    echoDicomDevice: (body: BodyOf<typeof dicomDeviceEcho>) => write(dicomDeviceEcho, body, ['dicomDevices']),
    setPassword: (body: BodyOf<typeof setPassword>) => write(setPassword, body, ['users']),
    resetTwoFactor: (body: BodyOf<typeof twoFactorReset>) => write(twoFactorReset, body, ['users']),
    savePicture: async (id: string, picture: Blob): Promise<Employee> => {
      const form = new FormData();
      form.append('file', picture);
      const saved = await call(pictureSave, { params: { id }, form });
      invalidate('users', 'account');
      return saved;
    },
    deletePicture: async (id: string): Promise<Employee> => {
      const saved = await call(pictureDelete, { params: { id } });
      invalidate('users', 'account');
      return saved;
    },

    sessions: () => query<ReplyOf<typeof sessionsGet>>(['sessions'], (signal) => call(sessionsGet, { signal })),
    /** Ends one session, or with null all others. */
    endSessions: async (id: string | null): Promise<void> => {
      await call(sessionsEnd, { body: { id } });
    },
    policy: (kind: 'clinic' | 'role', id: string) =>
      query<AccountPolicy>(['policy', kind, id], (signal) =>
        call(kind === 'clinic' ? clinicPolicyGet : rolePolicyGet, { params: { id }, signal }),
      ),
    setPolicy: (kind: 'clinic' | 'role', body: BodyOf<typeof clinicPolicySet>) =>
      write(kind === 'clinic' ? clinicPolicySet : rolePolicySet, body, ['account']),

    roles: () => query<ReplyOf<typeof roles>>([queryRoots.roles], (signal) => call(roles, { signal })),
    claimsByRole: (id: string) =>
      query<ReplyOf<typeof claimsByRole>>([queryRoots.roles, 'claims', id], (signal) =>
        call(claimsByRole, { params: { id }, signal }),
      ),
    usersInRole: (id: string, countOnly: boolean) => holders(usersInRole, id, countOnly),
    customersByRole: (id: string, countOnly: boolean) => holders(customersByRole, id, countOnly),
    createRole: (body: BodyOf<typeof roleCreate>) => write(roleCreate, body, ['roles']),
    updateRole: (body: BodyOf<typeof roleUpdate>) => write(roleUpdate, body, ['roles', 'users']),
    updateRoleClaims: (body: BodyOf<typeof roleClaimsUpdate>) => write(roleClaimsUpdate, body, ['roles']),
    deleteRole: (body: BodyOf<typeof roleDelete>) => write(roleDelete, body, ['roles', 'users']),

    /** `customerId` null: statistics of all clinics. */
    statistics: (customerId: string | null) =>
      query<ReplyOf<typeof statisticsGet>>([queryRoots.statistics, customerId], (signal) =>
        customerId === null
          ? call(statisticsGet, { signal })
          : call(statisticsOfCustomer, { params: { customerId }, signal }),
      ),
  };
};

export type Administration = ReturnType<typeof createAdministration>;
