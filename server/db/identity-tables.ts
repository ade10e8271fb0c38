import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { AccountPolicy } from '../../contract/account-policy.ts';
import type { Country } from '../../contract/customers.ts';
import type { StudyViewer } from '../../contract/study-viewers.ts';
import type { Json, JsonByDefault, Moment, MomentByDefault } from './column-types.ts';

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
  /** Images may be shared by link. */
  shares_links: Generated<boolean>;
  viewers: JsonByDefault<StudyViewer[]>;
  /** Retention of a patient after the last entry; null: never destroyed. */
  retention_years: ColumnType<number | null, number | null | undefined, number | null>;
  country: Generated<Country>;
  account_policy: JsonByDefault<Partial<AccountPolicy>>;
  /** Sort form: `list_key(name)`. */
  name_key: GeneratedAlways<string>;
  /** Search form: `folded_words(...)`, a space before each word. */
  search_text: GeneratedAlways<string>;
  version: Generated<number>;
  created_at: MomentByDefault;
  deleted_at: Moment | null;
  /** The account that deleted it; null when not deleted or unknown. */
  deleted_by: string | null;
}

export interface RoleTable {
  id: string;
  name: string;
  /** 0 is the highest. */
  rank: number;
  claims: string[];
  is_built_in: Generated<boolean>;
  account_policy: JsonByDefault<Partial<AccountPolicy>>;
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
  /** Id in the clinic's directory. */
  external_id: string | null;
  password_hash: string;
  /** Of the PIN that unlocks a session; null without one. */
  pin_hash: ColumnType<string | null, string | null | undefined, string | null>;
  /** Changes with the password, the role and two-factor; tokens with another value are void. */
  security_stamp: string;
  /** Shared key of the authenticator, base32 and encrypted; null while two-factor is off. */
  two_factor_key: string | null;
  /** A key that is not yet confirmed by a code. */
  two_factor_offer: string | null;
  /** Time step (RFC 6238) of the last accepted code: a code is valid once. */
  two_factor_step: number | null;
  /** Last name, then first, in sort form. */
  name_key: GeneratedAlways<string>;
  /** Words of names and e-mail address, a space before each; then ` # ` and the digits of the personal number. */
  search_text: GeneratedAlways<string>;
  /** Rank and name of the role in sort form; maintained by triggers. */
  role_key: GeneratedAlways<string>;
  /** Version of what administrators edit. */
  version: Generated<number>;
  created_at: MomentByDefault;
  deleted_at: Moment | null;
}

/** Uploaded picture of a user. */
export interface AccountPictureTable {
  account_id: string;
  /** Changes with each picture, which voids earlier links. */
  id: string;
  /** A square of 256 pixels. */
  webp: Uint8Array;
}

/** Storage of the OpenID provider: grants, sessions, refresh tokens. */
export interface OidcTable {
  type: string;
  id: string;
  /** Encrypted as a whole, but for those of grants. */
  payload: Json<Record<string, unknown>>;
  /** Hashed. */
  grant_id: string | null;
  uid: string | null;
  user_code: string | null;
  account_id: string | null;
  expires_at: Moment | null;
  consumed_at: Moment | null;
}

/** A token by which a directory administers the users of a clinic (SCIM). */
export interface DirectoryTokenTable {
  id: string;
  customer_id: string;
  name: string;
  token_hash: string;
  /** Language of the invitations of new users; null: none are sent. */
  invites_in: string | null;
  created_by: string;
  created_at: MomentByDefault;
  expires_at: Moment;
  /** To the minute. */
  used_at: Moment | null;
}

/** An account by which another program calls DICOMweb. Its id is the account of its entries in the access log. */
export interface ServiceAccountTable {
  id: string;
  name: string;
  secret_hash: string;
  scopes: string[];
  /** Images that it sends may go in without a user's decision. */
  at_once: Generated<boolean>;
  created_by: string;
  created_at: MomentByDefault;
  expires_at: Moment;
  /** To the minute. */
  used_at: Moment | null;
  /** Null: it works until `expires_at`. */
  revoked_at: Moment | null;
}

/** A clinic whose data a service account may use. */
export interface ServiceAccountClinicTable {
  service_account_id: string;
  customer_id: string;
}

/** A device or program that speaks DICOM with the archive. Its id is the account of its entries in the access log. */
export interface DicomDeviceTable {
  id: string;
  customer_id: string;
  name: string;
  ae_title: string;
  /** IP address as the system writes it. */
  address: string;
  /** Null: it accepts no associations. */
  port: number | null;
  /** It is called by TLS. */
  tls: Generated<boolean>;
  can_retrieve: boolean;
  can_store: boolean;
  /** Images of exactly one patient go in without a user. */
  at_once: boolean;
  /** Whether it may ask for the worklist and report its steps. */
  sees_worklist: Generated<boolean>;
  /** It is asked whether it has for good what the archive sends to it. */
  asks_commitment: Generated<boolean>;
  created_by: string;
  created_at: MomentByDefault;
  /** Null: it is admitted. */
  removed_at: Moment | null;
  contact_at: Moment | null;
  contact: string | null;
}

/** Failed sign-in attempts, by the hash of an account name or of an address. */
export interface SignInAttemptTable {
  key: string;
  failures: number;
  blocked_until: Moment;
  last_at: MomentByDefault;
}

/** Secrets generated by the installation (token signing, link signing), encrypted with the data key; one-time links as hashes. */
export interface SecretTable {
  name: string;
  value: string;
}

/** The data key, encrypted with the master key, which is outside of the database. At most one row. */
export interface DataKeyTable {
  id: string;
  master_key_id: string;
  encrypted: string;
  created_at: MomentByDefault;
}

/** Recovery codes of two-factor, hashed; each is valid once. */
export interface RecoveryCodeTable {
  account_id: string;
  code_hash: string;
  used_at: Moment | null;
}

/** A passkey (WebAuthn) of an account. */
export interface PasskeyTable {
  id: Generated<string>;
  account_id: string;
  /** Base64url, as the browser names it. */
  credential_id: string;
  /** COSE key. */
  public_key: Uint8Array;
  /** Signature counter of its last use; 0 for passkeys that have none. */
  counter: number;
  transports: string[];
  name: string;
  created_at: MomentByDefault;
  used_at: Moment | null;
}

/** Password reset links, hashed. */
export interface PasswordResetTable {
  key_hash: string;
  account_id: string;
  expires_at: Moment;
}

/** State of a sign-in between two calls. */
export interface PendingSignInTable {
  key: string;
  payload: Json<Record<string, unknown>>;
  expires_at: Moment;
}

/** Settings that administrators change at run time. */
export interface SettingTable {
  name: string;
  value: Json<unknown>;
  changed_at: MomentByDefault;
  changed_by: string | null;
}
