import type { Kysely } from 'kysely';
import { type ClientAuth, ClientSecretBasic, ClientSecretPost, type ServerMetadata } from 'openid-client';
import type { UpstreamMethod } from '../../../contract/sign-in.ts';
import type { Schema } from '../../db/schema.ts';
import type { Account } from '../../db/stores/account-store.ts';

/** What a provider said about a person: claims of the id token, and of its userinfo where the token says too little. */
export type Claims = Readonly<Record<string, unknown>>;

/** A provider elsewhere, as it is set up at this moment. */
export interface Upstream {
  readonly method: UpstreamMethod;
  readonly issuer: string;
  readonly clientId: string;
  /** How the archive proves itself at the token endpoint. */
  readonly authentication: (metadata: ServerMetadata) => Promise<ClientAuth>;
  readonly scope: string;
  readonly label: string | null;
  /** Whether the id token alone names somebody; where it does not, userinfo is asked. */
  names(claims: Claims): boolean;
  /** Everybody here whom the claims mean. @throws Refusal 'sign-in-not-verified' when they are not of the place that was asked */
  accountsOf(db: Kysely<Schema>, claims: Claims): Promise<readonly Account[]>;
  /** The provider asked for two factors itself. */
  isStrong(claims: Claims): boolean;
}

/** A claim's text; undefined when it is none, or empty. */
export const textOf = (claims: Claims, name: string): string | undefined => {
  const value = claims[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

/** A secret in the way that the provider takes it: Basic, unless it says that it only reads the form (Discovery 1.0, section 3). */
export const bySecret = (secret: string, metadata: ServerMetadata): ClientAuth => {
  const ways = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return ways.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
};
