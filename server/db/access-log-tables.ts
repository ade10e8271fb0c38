import type { Generated } from 'kysely';
import type { MomentByDefault } from './column-types.ts';

/** Append-only: who did what with which patient's data, at which clinic, when. Ids only; the database rejects changes. */
export interface AccessLogTable {
  id: Generated<number>;
  at: MomentByDefault;
  /** Null: a sign-in attempt with an unknown name. */
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
}

/** Entries from `from_id` to `until_id` as sealed; each seal includes the hash of the previous one. */
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
}
