import type { Generated, GeneratedAlways } from 'kysely';
import type { Country } from '../../contract/customers.ts';
import type { Json, Moment, MomentByDefault } from './column-types.ts';

export interface CustomerTable {
  id: string;
  name: string;
  organisation_number: string | null;
  customer_number: string | null;
  address: string | null;
  city: string | null;
  zipcode: string | null;
  telephone: string | null;
  description: string | null;
  license: string | null;
  proxy_use: Generated<boolean>;
  country: Generated<Country>;
  /** As lists are sorted by it: `list_key(name)`. */
  name_key: GeneratedAlways<string>;
  /** As it is searched: `folded_words(...)`, a space before each word. */
  search_text: GeneratedAlways<string>;
  version: Generated<number>;
  created_at: MomentByDefault;
  deleted_at: Moment | null;
}

export interface RoleTable {
  id: string;
  name: string;
  /** 0 is the highest. */
  rank: number;
  claims: string[];
  is_built_in: Generated<boolean>;
  version: Generated<number>;
}

export interface AccountTable {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  personal_number: string | null;
  telephone: string | null;
  hired_since: string | null;
  is_active: Generated<boolean>;
  /** Null for a super administrator, who belongs to no clinic. */
  customer_id: string | null;
  role_id: string;
  avatar_link: string | null;
  azure_username: string | null;
  password_hash: string;
  /** Changes with the password, the role and two-factor; tokens that carry another one are void. */
  security_stamp: string;
  /** Shared key of the authenticator, base32; null while two-factor is off. */
  two_factor_key: string | null;
  /** A key that waits for its first code. */
  two_factor_offer: string | null;
  /** Time step (RFC 6238) of the last code that was accepted: a code is good once. */
  two_factor_step: number | null;
  /** Last name, then first, as lists are sorted by it. */
  name_key: GeneratedAlways<string>;
  /** Words of names and e-mail address, a space before each; then ` # ` and the digits of the personal number. */
  search_text: GeneratedAlways<string>;
  /** Rank and name of the role, as lists are sorted by it; kept by triggers. */
  role_key: GeneratedAlways<string>;
  /** Counts changes of what an administrator edits. */
  version: Generated<number>;
  created_at: MomentByDefault;
  deleted_at: Moment | null;
}

/** The picture of a person that was given to the archive. */
export interface AccountPictureTable {
  account_id: string;
  /** Another one with each picture: links to the one before are void. */
  id: string;
  /** A square of 256. */
  webp: Uint8Array;
}

/** What the OpenID provider stores: grants, sessions, refresh tokens. */
export interface OidcTable {
  type: string;
  id: string;
  payload: Json<Record<string, unknown>>;
  grant_id: string | null;
  uid: string | null;
  user_code: string | null;
  account_id: string | null;
  expires_at: Moment | null;
  consumed_at: Moment | null;
}

/** Failed attempts to sign in, by the hash of an account name or of an address. */
export interface SignInAttemptTable {
  key: string;
  failures: number;
  blocked_until: Moment;
  last_at: MomentByDefault;
}

/** Keys that the installation made for itself (token signing, link signing, the hash of the one-time link). */
export interface SecretTable {
  name: string;
  value: string;
}

/** Recovery codes of two-factor, hashed; each is good once. */
export interface RecoveryCodeTable {
  account_id: string;
  code_hash: string;
  used_at: Moment | null;
}

/** Links to a new password, hashed. */
export interface PasswordResetTable {
  key_hash: string;
  account_id: string;
  expires_at: Moment;
}

/** What a sign-in has reached between two calls. */
export interface PendingSignInTable {
  key: string;
  payload: Json<Record<string, unknown>>;
  expires_at: Moment;
}

/** What administrators set while the archive runs. */
export interface SettingTable {
  name: string;
  value: Json<unknown>;
  changed_at: MomentByDefault;
  changed_by: string | null;
}
