import { createLocalJWKSet, jwtVerify } from 'jose';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { type Account, accountById } from '../db/stores/account-store.ts';
import { shownStamp } from '../db/stores/sessions.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import { type Keys, signingAlgorithm } from './keys.ts';

export interface Authenticator {
  /** `Authorization` header -> who calls. Throws Refusal `not-signed-in`. */
  authenticate(authorization: string | undefined): Promise<Principal>;
  /** An access token by itself -> the account. Throws Refusal `not-signed-in`. */
  accountOf(token: string | undefined): Promise<Account>;
}

const sessionClaims = z.object({ sub: z.uuid(), grant: z.string(), stamp: z.string() });

const principalOf = (account: Account, grantId: string): Principal => ({
  accountId: account.id,
  customerId: account.customer?.id ?? null,
  role: account.role,
  permissions: account.claims,
  grantId,
});

/**
 * The token says who; the database says, at every call, whether they are still active, whether the token is of before the last change of the
 * security stamp, and what they may do.
 */
export const authenticator = (db: Kysely<Schema>, keys: Keys, issuer: string): Authenticator => {
  const keySet = createLocalJWKSet({ keys: [keys.verifying] });
  const claimsOf = async (token: string): Promise<z.infer<typeof sessionClaims> | undefined> => {
    try {
      const options = { issuer, audience: openid.audience, algorithms: [signingAlgorithm], clockTolerance: 10 };
      return sessionClaims.parse((await jwtVerify(token, keySet, options)).payload);
    } catch {
      return undefined;
    }
  };
  const caller = async (token: string | undefined): Promise<{ account: Account; grantId: string }> => {
    const claims = token ? await claimsOf(token) : undefined;
    const account = claims && (await accountById(db, claims.sub));
    if (!account?.isActive || claims?.stamp !== shownStamp(account.securityStamp)) throw new Refusal('not-signed-in');
    return { account, grantId: claims.grant };
  };
  return {
    accountOf: async (token) => (await caller(token)).account,
    authenticate: async (authorization) => {
      const { account, grantId } = await caller(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]);
      return principalOf(account, grantId);
    },
  };
};
