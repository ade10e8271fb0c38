import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { accountInfo, type CurrentUser, firstAdministrator } from '../../contract/account.ts';
import type { Restriction } from '../../contract/route.ts';
import type { Schema } from '../db/schema.ts';
import { type Account, accountById } from '../db/stores/account-store.ts';
import { viewersOf } from '../db/stores/customer-store.ts';
import { passkeysOf } from '../db/stores/passkeys.ts';
import { recoveryCodesLeft } from '../db/stores/recovery-codes.ts';
import { canSeeAccount } from '../domain/policy/can-see-account.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { type Binding, bind, bindOpen } from '../route-binding.ts';
import type { FirstAdministrator } from './first-administrator.ts';
import { pinStateOf } from './pins/pin-check.ts';

export interface AccountDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly firstAdministrator: FirstAdministrator;
  /** The account can be unlocked by BankID. */
  readonly isBankIdOffered: (accountId: string) => Promise<boolean>;
}

const currentUserOf = (
  account: Account,
  more: Pick<CurrentUser, 'viewers' | 'recoveryCodesLeft' | 'passkeys' | 'pin' | 'bankId'>,
  restriction: Restriction | null,
): CurrentUser => ({
  id: account.id,
  email: account.email,
  firstName: account.firstName,
  lastName: account.lastName,
  avatarLink: account.avatarLink,
  roles: [account.role],
  permission: [...account.claims],
  customerId: account.customer?.id ?? null,
  customer: account.customer,
  customerRights: {
    super_admin: account.role === 'SuperAdmin',
    customer_admin: account.role === 'CustomerAdmin',
    customer_id: account.customer?.id ?? null,
  },
  twoFactorEnabled: account.twoFactorEnabled,
  hasAuthenticator: account.hasAuthenticator,
  ...more,
  policy: account.policy,
  restriction,
});

export const accountRoutes = (
  server: FastifyInstance,
  { db, binding, firstAdministrator: first, isBankIdOffered }: AccountDependencies,
): void => {
  bind(server, binding, accountInfo, async ({ principal, query }) => {
    const account = await accountById(db, query.id ?? principal.accountId);
    if (!account || !canSeeAccount(principal, { id: account.id, customerId: account.customer?.id ?? null }))
      throw new ProblemError('not-found');
    const isOwn = account.id === principal.accountId;
    const more = {
      viewers: account.customer ? [...(await viewersOf(db, account.customer.id))] : [],
      recoveryCodesLeft: await recoveryCodesLeft(db, account.id),
      passkeys: (await passkeysOf(db, account.id)).length,
      pin: isOwn ? await pinStateOf(db, principal) : ('none' as const),
      bankId: isOwn && (await isBankIdOffered(account.id)),
    };
    return currentUserOf(account, more, principal.restriction ?? null);
  });

  bindOpen(server, binding, firstAdministrator, async ({ body }) => ({ id: await first.create(body) }));
};
