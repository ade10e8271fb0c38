import { jwtVerify } from 'jose';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { openid } from '../../contract/sign-in.ts';
import { isDatabaseUnavailable } from '../db/database-unavailable.ts';
import type { Schema } from '../db/schema.ts';
import type { Account } from '../db/stores/account-store.ts';
import { accountInSession } from '../db/stores/sessions.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { signingAlgorithm } from './key-generations.ts';
import type { Keys } from './keys.ts';
import { accessTokenSeconds } from './resource-server.ts';

export interface Authenticator {
  /** Returns the caller of an `Authorization` header. @throws ProblemError 'not-signed-in' */
  authenticate(authorization: string | undefined): Promise<Principal>;
  /** Returns the account of a bare access token, whichever client it was issued to. @throws ProblemError 'not-signed-in' */
  accountOf(token: string | undefined): Promise<Account>;
}

/** Scope required for API requests; tokens for other programs of the clinic do not have it. */
const callScope = 'api.read';

const sessionClaims = z.object({ sub: z.uuid(), grant: z.string(), scope: z.string() });
type SessionClaims = z.infer<typeof sessionClaims>;

const principalOf = (account: Account, grantId: string): Principal => ({
  accountId: account.id,
  customerId: account.customer?.id ?? null,
  role: account.role,
  permissions: account.claims,
  closedClinics: account.closedClinics,
  grantId,
});

/**
 * Authenticates requests. The token identifies account and session; the database is asked on every request whether the session exists, whether the
 * security stamp is unchanged, whether the account is active and what it may do. Sign-out and `renewStamp` therefore take effect on the next request.
 */
export const authenticator = (db: Kysely<Schema>, keys: Keys, issuer: string): Authenticator => {
  const claimsOf = async (token: string): Promise<SessionClaims | undefined> => {
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid = '' }) => {
          const key = await keys.verifying(kid);
          if (!key) throw new Error('signed by an unknown key');
          return key;
        },
        {
          issuer,
          audience: openid.audience,
          algorithms: [signingAlgorithm],
          typ: 'at+jwt',
          maxTokenAge: accessTokenSeconds,
          // Between nodes, in both directions.
          clockTolerance: 10,
        },
      );
      return sessionClaims.parse(payload);
    } catch (error) {
      // Unknown keys are looked up in the database; if it is unavailable, the token cannot be judged.
      if (isDatabaseUnavailable(error)) throw error;
      return undefined;
    }
  };
  const caller = async (token: string | undefined): Promise<{ account: Account; claims: SessionClaims }> => {
    const claims = token ? await claimsOf(token) : undefined;
    if (!claims) throw new ProblemError('not-signed-in');
    const account = await accountInSession(db, claims.sub, claims.grant);
    if (!account) throw new ProblemError('not-signed-in');
    return { account, claims };
  };
  return {
    accountOf: async (token) => (await caller(token)).account,
    authenticate: async (authorization) => {
      const { account, claims } = await caller(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]);
      if (!claims.scope.split(' ').includes(callScope)) throw new ProblemError('not-signed-in');
      return principalOf(account, claims.grant);
    },
  };
};
