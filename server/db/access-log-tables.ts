import type { Generated } from 'kysely';
import type { MomentByDefault } from './column-types.ts';

/** Append-only: who did what with which patient's data, at which clinic, when. Ids only; the database refuses to change it. */
export interface AccessLogTable {
  id: Generated<number>;
  at: MomentByDefault;
  /** Null: nobody, in a sign-in under a name that there is not. */
  account_id: string | null;
  /** Null: of no clinic. */
  customer_id: string | null;
  patient_id: string | null;
  action: string;
  object_id: string | null;
  /** Method of a sign-in, code of a refusal. */
  detail: string | null;
  /** Name of the role that the account had then. */
  role: string | null;
}

/** Entries from `from_id` to `until_id` as they stood when they were sealed; each seal holds the hash of the one before. */
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
