import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Restriction } from '../../contract/route.ts';
import type { Schema } from '../db/schema.ts';
import type { Account } from '../db/stores/account-store.ts';
import { endSession, noteSession, openSession, type SessionFacts } from '../db/stores/sessions.ts';
import { hashedToken } from '../db/stores/token-hash.ts';
import type { Principal } from '../domain/policy/principal.ts';
import type { ServiceCaller } from '../domain/policy/service-caller.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { isTooLong, restrictionOf } from '../domain/session-limits.ts';
import type { Admission } from '../route-binding.ts';
import { accessTokenPayload } from './access-token-payload.ts';
import type { Keys } from './keys.ts';
import { serviceOf } from './service-accounts/authenticate-service.ts';

export interface Authenticator {
  /**
   * Returns the user of an `Authorization` header. Tokens of other programs call only routes of which they have the scope.
   * @throws ProblemError 'not-signed-in'; 'session-locked', 'two-factor-needed'
   */
  authenticate(authorization: string | undefined, route?: Admission): Promise<Principal>;
  /** Returns the service account of an `Authorization` header; undefined for any other. */
  serviceOf(authorization: string | undefined): Promise<ServiceCaller | undefined>;
  /** Returns the account of a bare access token, whichever client it was issued to. @throws ProblemError 'not-signed-in' */
  accountOf(token: string | undefined): Promise<Account>;
}

/** Scope with which every route may be called; tokens for other programs of the clinic do not have it. */
const callScope = 'api.read';

const sessionClaims = z.object({ sub: z.uuid(), grant: z.string(), scope: z.string() });
type SessionClaims = z.infer<typeof sessionClaims>;

interface SessionCaller {
  readonly account: Account;
  readonly claims: SessionClaims;
  readonly restriction: Restriction | null;
}

const principalOf = (account: Account, grantId: string, restriction: Restriction | null): Principal => ({
  accountId: account.id,
  customerId: account.customer?.id ?? null,
  role: account.role,
  permissions: account.claims,
  closedClinics: account.closedClinics,
  grantId,
  restriction,
});

const minute = 60_000;

/**
 * Authenticates requests. The token identifies account and session; the database is asked on every request whether the session exists, whether the
 * security stamp is unchanged, whether the account is active and what it may do. Sign-out and `renewStamp` therefore take effect on the next request.
 */
export const authenticator = (db: Kysely<Schema>, keys: Keys, issuer: string): Authenticator => {
  const payloadOf = accessTokenPayload(keys, issuer);
  const claimsOf = async (token: string): Promise<SessionClaims | undefined> =>
    sessionClaims.safeParse(await payloadOf(token)).data;
  /** Notes the time of the last use, once a minute. A failure, for example of a full disk, must not stop reading. */
  const noteUse = async (grantId: string, { usedAt }: SessionFacts): Promise<void> => {
    const now = new Date();
    if (usedAt !== null && now.getTime() - Date.parse(usedAt) < minute) return;
    await noteSession(db, grantId, { usedAt: now.toISOString() }).catch(() => undefined);
  };
  const caller = async (token: string | undefined): Promise<SessionCaller> => {
    const claims = token ? await claimsOf(token) : undefined;
    if (!claims) throw new ProblemError('not-signed-in');
    const session = await openSession(db, claims.sub, claims.grant);
    if (!session) throw new ProblemError('not-signed-in');
    const { account, facts } = session;
    const state = { ...account, ...facts };
    if (isTooLong(state, new Date())) {
      await endSession(db, claims.sub, { id: hashedToken(claims.grant), reason: 'session-too-long' });
      throw new ProblemError('not-signed-in');
    }
    const restriction = restrictionOf(state, new Date());
    if (restriction !== 'session-locked') await noteUse(claims.grant, facts);
    return { account, claims, restriction };
  };
  const bearerOf = (authorization: string | undefined) => /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  return {
    accountOf: async (token) => (await caller(token)).account,
    authenticate: async (authorization, { allowedWhen = [], service = callScope } = {}) => {
      const { account, claims, restriction } = await caller(bearerOf(authorization));
      if (!claims.scope.split(' ').some((scope) => scope === callScope || scope === service))
        throw new ProblemError('not-signed-in');
      if (restriction && !allowedWhen.includes(restriction)) throw new ProblemError(restriction);
      return principalOf(account, claims.grant, restriction);
    },
    serviceOf: async (authorization) => {
      const token = bearerOf(authorization);
      return token === undefined ? undefined : serviceOf(db, await payloadOf(token));
    },
  };
};
