import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import {
  sessionLock,
  sessionsEnd,
  sessionsGet,
  sessionUnlock,
  sessionUnlockOptions,
  type UnlockBody,
} from '../../contract/sessions.ts';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import type { Account } from '../db/stores/account-store.ts';
import { endSession, endSessions, noteSession, sessionsOfAccount } from '../db/stores/sessions.ts';
import { hashedToken } from '../db/stores/token-hash.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { type Binding, bind } from '../route-binding.ts';
import { clientAddress } from '../web/client-address.ts';
import { requestOrigin } from '../web/request-origin.ts';
import type { BankIdUnlock } from './bank-id/bank-id-unlock.ts';
import { checkOwnPassword, type PasswordCheck } from './check-password.ts';
import { identityLog } from './identity-log.ts';
import { noticeLanguage, type TellUser } from './notices.ts';
import { ownAccount } from './own-account.ts';
import { requirePasskeyParty } from './passkeys/passkey-party.ts';
import type { PasskeyUnlock } from './passkeys/passkey-unlock.ts';
import type { PinCheck } from './pins/pin-check.ts';

interface SessionDependencies {
  readonly db: Kysely<Schema>;
  readonly binding: Binding;
  /** Public URL of the archive. */
  readonly issuer: string;
  readonly passwords: PasswordCheck;
  readonly checkPin: PinCheck;
  readonly passkey: PasskeyUnlock;
  readonly bankId: BankIdUnlock;
  readonly tell: TellUser;
}

interface Unlocking {
  readonly account: Account;
  readonly body: UnlockBody;
  readonly request: FastifyRequest;
}

/** Returns how the user proved that it is the one of the session. @throws ProblemError by the way */
const proofAtLock =
  ({ issuer, passwords, checkPin, passkey, bankId }: SessionDependencies) =>
  async (
    principal: Principal,
    { account, body, request }: Unlocking,
  ): Promise<'password' | 'pin' | 'passkey' | 'bankid'> => {
    const address = clientAddress(request);
    if ('pin' in body) {
      await checkPin(principal, { account, pin: body.pin, address });
      return 'pin';
    }
    if ('passkey' in body) {
      const party = requirePasskeyParty(requestOrigin(request, issuer));
      await passkey.check(principal, { account, party, response: body.passkey, address });
      return 'passkey';
    }
    if ('bankId' in body) {
      await bankId.check(principal, { account, address });
      return 'bankid';
    }
    await checkOwnPassword(passwords, { email: account.email, password: body.password, address }, 'password');
    return 'password';
  };

/** Registers the routes by which users see, end, lock and unlock their own sessions. */
export const sessionRoutes = (server: FastifyInstance, deps: SessionDependencies): void => {
  const { db, binding, issuer, passkey, tell } = deps;
  const prove = proofAtLock(deps);
  bind(server, binding, sessionsGet, async ({ principal }) => {
    const sessions = await sessionsOfAccount(db, principal.accountId);
    const current = hashedToken(principal.grantId);
    return sessions.map(({ id, clientId, facts }) => ({
      id,
      device: facts.device,
      address: facts.address,
      program: clientId === openid.clientId ? null : clientId,
      method: facts.method,
      signedInAt: facts.startedAt,
      lastUsedAt: facts.usedAt,
      isCurrent: id === current,
    }));
  });

  bind(server, binding, sessionsEnd, async ({ principal, body: { id }, request }) => {
    const account = await ownAccount(db, principal);
    const reason = 'signed-out-elsewhere' as const;
    await db.transaction().execute(async (transaction) => {
      if (id === null) await endSessions(transaction, account.id, { reason, exceptGrant: principal.grantId });
      else {
        const own = await sessionsOfAccount(transaction, account.id);
        if (!own.some((session) => session.id === id)) throw new ProblemError('not-found');
        await endSession(transaction, account.id, { id, reason });
      }
      await identityLog(transaction).note({ action: 'session.ended', account });
    });
    if (id === null) await tell('sessions-ended', account.email, noticeLanguage(request));
    return {};
  });

  bind(server, binding, sessionLock, async ({ principal }) => {
    await noteSession(db, principal.grantId, { lockedAt: new Date().toISOString() });
    return {};
  });

  deps.bankId.routes(server);

  bind(server, binding, sessionUnlockOptions, async ({ principal, request }) =>
    passkey.request(principal, requirePasskeyParty(requestOrigin(request, issuer)), await ownAccount(db, principal)),
  );

  bind(server, binding, sessionUnlock, async ({ principal, body, request }) => {
    const account = await ownAccount(db, principal);
    const detail = await prove(principal, { account, body, request });
    await noteSession(db, principal.grantId, { lockedAt: null, usedAt: new Date().toISOString(), pinAttempts: 0 });
    await identityLog(db).note({ action: 'session.unlocked', account, detail });
    return {};
  });
};
