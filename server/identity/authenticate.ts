import { jwtVerify } from 'jose';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import type { Account } from '../db/stores/account-store.ts';
import { accountInSession } from '../db/stores/sessions.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import { signingAlgorithm } from './key-generations.ts';
import type { Keys } from './keys.ts';

export interface Authenticator {
  /** `Authorization` header -> who calls. Throws Refusal `not-signed-in`. */
  authenticate(authorization: string | undefined): Promise<Principal>;
  /** An access token by itself -> the account, whichever client it was given to. Throws Refusal `not-signed-in`. */
  accountOf(token: string | undefined): Promise<Account>;
}

/** The scope that calls of the archive need: a token for another program of the clinic has none. */
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
 * The token says who and of which session; the database says, at every call, whether the session goes on, under which security stamp it was
 * begun, whether the person is still active and what they may do. Signing out and `renewStamp` are felt at the next call.
 */
export const authenticator = (db: Kysely<Schema>, keys: Keys, issuer: string): Authenticator => {
  const claimsOf = async (token: string): Promise<SessionClaims | undefined> => {
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid = '' }) => {
          const key = await keys.verifying(kid);
          if (!key) throw new Error('signed by a key that is none of ours');
          return key;
        },
        // Clocks of nodes may differ, either way.
        { issuer, audience: openid.audience, algorithms: [signingAlgorithm], typ: 'at+jwt', clockTolerance: 10 },
      );
      return sessionClaims.parse(payload);
    } catch {
      return undefined;
    }
  };
  const caller = async (token: string | undefined): Promise<{ account: Account; claims: SessionClaims }> => {
    const claims = token ? await claimsOf(token) : undefined;
    if (!claims) throw new Refusal('not-signed-in');
    const account = await accountInSession(db, claims.sub, claims.grant);
    if (!account) throw new Refusal('not-signed-in');
    return { account, claims };
  };
  return {
    accountOf: async (token) => (await caller(token)).account,
    authenticate: async (authorization) => {
      const { account, claims } = await caller(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]);
      if (!claims.scope.split(' ').includes(callScope)) throw new Refusal('not-signed-in');
      return principalOf(account, claims.grant);
    },
  };
};
