import { createLocalJWKSet, jwtVerify } from 'jose';
import type { Kysely } from 'kysely';
import { openid } from '../../contract/sign-in.ts';
import type { Schema } from '../db/schema.ts';
import { type Account, accountById } from '../db/stores/account-store.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import { type Keys, signingAlgorithm } from './keys.ts';

export interface Authenticator {
  /** `Authorization` header -> who calls. Throws Refusal `not-signed-in`. */
  authenticate(authorization: string | undefined): Promise<Principal>;
  /** An access token by itself -> the account. Throws Refusal `not-signed-in`. */
  accountOf(token: string | undefined): Promise<Account>;
}

export const principalOf = (account: Account): Principal => ({
  accountId: account.id,
  customerId: account.customer?.id ?? null,
  role: account.role,
  permissions: account.claims,
});

/** The token says who; the database says, at every call, whether they are still active and what they may do. */
export const authenticator = (db: Kysely<Schema>, keys: Keys, issuer: string): Authenticator => {
  const keySet = createLocalJWKSet({ keys: [keys.verifying] });
  const subjectOf = async (token: string): Promise<string | undefined> => {
    try {
      const options = { issuer, audience: openid.audience, algorithms: [signingAlgorithm], clockTolerance: 10 };
      return (await jwtVerify(token, keySet, options)).payload.sub;
    } catch {
      return undefined;
    }
  };
  const accountOf = async (token: string | undefined): Promise<Account> => {
    const subject = token && (await subjectOf(token));
    const account = subject ? await accountById(db, subject) : undefined;
    if (!account?.isActive) throw new Refusal('not-signed-in');
    return account;
  };
  return {
    accountOf,
    authenticate: async (authorization) =>
      principalOf(await accountOf(/^Bearer (\S+)$/i.exec(authorization ?? '')?.[1])),
  };
};
