import type { Kysely } from 'kysely';
import { type ClientAuth, ClientSecretBasic, ClientSecretPost, type ServerMetadata } from 'openid-client';
import type { UpstreamMethod } from '../../../contract/sign-in.ts';
import type { Schema } from '../../db/schema.ts';
import type { Account } from '../../db/stores/account-store.ts';

/** Claims of the id token, and of userinfo where the token is incomplete. */
export type Claims = Readonly<Record<string, unknown>>;

/** An external provider as currently configured. */
export interface Upstream {
  readonly method: UpstreamMethod;
  readonly issuer: string;
  readonly clientId: string;
  /** Client authentication at the token endpoint. */
  readonly authentication: (metadata: ServerMetadata) => Promise<ClientAuth>;
  readonly scope: string;
  readonly label: string | null;
  /** Returns whether the id token alone identifies a user; otherwise userinfo is requested. */
  names(claims: Claims): boolean;
  /** Returns all accounts that match the claims. @throws ProblemError 'sign-in-not-verified' when they are not from the expected directory */
  accountsOf(db: Kysely<Schema>, claims: Claims): Promise<readonly Account[]>;
  /** Returns whether the provider itself verified two factors. */
  isStrong(claims: Claims): boolean;
}

/** Returns the text of a claim; undefined when it is missing, empty or not a string. */
export const textOf = (claims: Claims, name: string): string | undefined => {
  const value = claims[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

/** Returns client authentication by secret: Basic, unless the provider supports only the form body (Discovery 1.0, section 3). */
export const bySecret = (secret: string, metadata: ServerMetadata): ClientAuth => {
  const ways = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return ways.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
};
