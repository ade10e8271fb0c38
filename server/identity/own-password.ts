import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { ownPassword } from '../../contract/passwords.ts';
import type { Schema } from '../db/schema.ts';
import { setPasswordHash } from '../db/stores/password-hashes.ts';
import { voidResetLinks } from '../db/stores/password-resets.ts';
import { accountInSession, renewStamp } from '../db/stores/sessions.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { type Binding, bind } from '../route-binding.ts';
import { clientAddress } from '../web/client-address.ts';
import { checkOwnPassword, type PasswordCheck } from './check-password.ts';
import { identityLog } from './identity-log.ts';
import { ensureAllowedPassword } from './new-password.ts';
import { noticeLanguage, type TellUser } from './notices.ts';
import { ownAccount } from './own-account.ts';
import { hashPassword } from './password.ts';

interface OwnPasswordDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  readonly passwords: PasswordCheck;
  readonly tell: TellUser;
}

interface OwnPasswordChange {
  readonly current: string;
  readonly password: string;
  readonly address: string;
}

/**
 * Changes the password of the caller, ends the caller's other sessions and revokes the reset links.
 * Returns the e-mail address.
 * @throws ProblemError 'incorrect-password', 'too-many-requests', 'invalid-request' by the policy; 'not-signed-in' when the session ended meanwhile
 */
const changeOwnPassword = async (
  { db, passwords }: Pick<OwnPasswordDependencies, 'db' | 'passwords'>,
  { accountId, grantId }: Pick<Principal, 'accountId' | 'grantId'>,
  { current, password, address }: OwnPasswordChange,
): Promise<string> => {
  const account = await ownAccount(db, { accountId });
  await checkOwnPassword(passwords, { email: account.email, password: current, address }, 'current');
  await ensureAllowedPassword(account.policy, password, account, account.customer?.name ?? null);
  const hash = await hashPassword(password);
  await db.transaction().execute(async (transaction) => {
    await setPasswordHash(transaction, accountId, hash);
    // The update has waited for other changes of the account, which may have ended this session.
    if (!(await accountInSession(transaction, accountId, grantId))) throw new ProblemError('not-signed-in');
    await voidResetLinks(transaction, accountId);
    await renewStamp(transaction, accountId, { reason: 'password-changed', exceptGrant: grantId });
    await identityLog(transaction).note({ action: 'password.changed', account });
  });
  return account.email;
};

/** Registers the route by which users change their own password. */
export const ownPasswordRoute = (server: FastifyInstance, deps: OwnPasswordDependencies): void =>
  bind(server, deps.binding, ownPassword, async ({ principal, body, request }) => {
    const email = await changeOwnPassword(deps, principal, { ...body, address: clientAddress(request) });
    await deps.tell('password-changed', email, noticeLanguage(request));
    return {};
  });
