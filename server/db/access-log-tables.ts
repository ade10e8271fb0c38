import type { Generated } from 'kysely';
import type { MomentByDefault } from './column-types.ts';

/** Append-only: who did what with which patient's data, at which clinic, when. Ids only; the database rejects changes. */
export interface AccessLogTable {
  id: Generated<number>;
  at: MomentByDefault;
  /** Of a user or a service account. Null: a sign-in attempt with an unknown name. */
  account_id: string | null;
  /** Null: no clinic. */
  customer_id: string | null;
  patient_id: string | null;
  action: string;
  object_id: string | null;
  /** Sign-in method, or problem code. */
  detail: string | null;
  /** Name of the account's role at that time. */
  role: string | null;
  /** Of a sign-in or a refused call: the address of the client. */
  address: string | null;
  /** Of a refused call: method and route pattern. */
  request: string | null;
}

/**
 * Entries from `from_id` to `until_id` as sealed. `hash` covers what versions before migration 049 knew, and the previous hash; `mac` covers that, the
 * other columns and the previous one.
 */
export interface AccessLogSealTable {
  id: Generated<number>;
  from_id: number;
  until_id: number;
  entries: number;
  newest_at: MomentByDefault;
  /** Empty in the first. */
  previous_hash: string;
  hash: string;
  sealed_at: MomentByDefault;
  /** Null: sealed before migration 049. */
  key_id: string | null;
  /** HMAC-SHA-256. */
  mac: string | null;
}
