import { createActor, fromCallback, fromPromise, waitFor } from 'xstate';
import type { CurrentUser } from '../../contract/account.ts';
import { noPolicy } from '../../contract/account-policy.ts';
import { defaultClaims, type RoleName } from '../../contract/claims.ts';
import { sessionMachine } from '../../src/machines/session/session.machine.ts';
import type { Account, Clinic } from '../../src/machines/session/session.rules.ts';
import type { FoundGrant } from '../../src/machines/session/session.setup.ts';

const id = '00000000-0000-4000-8000-0000000000aa';

export const aUser = (role: RoleName, clinic: Clinic | null): CurrentUser => ({
  id,
  email: 'ingrid@prov.example',
  firstName: 'Ingrid',
  lastName: 'Norrsken',
  avatarLink: null,
  roles: [role],
  permission: [...defaultClaims[role]],
  customerId: clinic?.id ?? null,
  customer: clinic,
  customerRights: {
    super_admin: role === 'SuperAdmin',
    customer_admin: role === 'CustomerAdmin',
    customer_id: clinic?.id ?? null,
  },
  twoFactorEnabled: false,
  passkeys: 0,
  pin: 'none',
  bankId: false,
  recoveryCodesLeft: 0,
  viewers: [],
  policy: noPolicy,
  restriction: null,
});

interface SignedIn {
  readonly userId?: string;
  readonly clinic?: Clinic | null;
  /** Overrides the claims of the role. */
  readonly permission?: readonly string[];
  readonly viewers?: CurrentUser['viewers'];
}

/** A session of a user in `role`. */
export const signedInAs = async (
  role: RoleName,
  { userId = id, clinic = null, permission = defaultClaims[role], viewers = [] }: SignedIn = {},
) => {
  const user = { ...aUser(role, clinic), id: userId, viewers };
  const actor = createActor(
    sessionMachine.provide({
      actors: {
        restoreSession: fromPromise<FoundGrant | null, void>(async () => ({ renewInMs: 600_000 })),
        resolveAccount: fromPromise<Account, void>(async () => ({ user, permission, clinic, knownClaims: permission })),
        watchSession: fromCallback(() => {}),
      },
    }),
  ).start();
  await waitFor(actor, (snapshot) => snapshot.context.account !== null && snapshot.matches('signedIn'));
  return actor;
};
