import type { Kysely } from 'kysely';
import { None } from 'openid-client';
import type { Schema } from '../../db/schema.ts';
import {
  type Account,
  accountByEmail,
  accountsByAzureUsername,
  accountsByPersonalNumber,
} from '../../db/stores/account-store.ts';
import { isMultiFactor } from './strength.ts';
import { bySecret, type Claims, textOf, type Upstream } from './upstream.ts';
import type { AccountField, OwnProviderSettings } from './upstream-settings.ts';

const finders: Readonly<Record<AccountField, (db: Kysely<Schema>, text: string) => Promise<readonly Account[]>>> = {
  email: async (db, text) => {
    const account = await accountByEmail(db, text);
    return account ? [account] : [];
  },
  azure_username: accountsByAzureUsername,
  personal_number: accountsByPersonalNumber,
};

/** The clinic's own OpenID provider. The clinic configures which claim identifies a user. */
export const ownProvider = (settings: OwnProviderSettings): Upstream => {
  const secret = settings.clientSecret;
  const meant = (claims: Claims): string | undefined =>
    // An unverified address is merely what the user typed at the provider.
    settings.claim === 'email' && claims.email_verified !== true ? undefined : textOf(claims, settings.claim);
  return {
    method: 'openid',
    issuer: settings.issuer,
    clientId: settings.clientId,
    authentication: async (metadata) => (secret === null ? None() : bySecret(secret, metadata)),
    scope: settings.scope,
    label: settings.label,
    names: (claims) => meant(claims) !== undefined,
    accountsOf: async (db, claims) => {
      const text = meant(claims);
      return text === undefined ? [] : finders[settings.accountField](db, text);
    },
    isStrong: isMultiFactor,
  };
};
