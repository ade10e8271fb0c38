import type { Generated } from 'kysely';
import type { Moment, MomentByDefault } from './column-types.ts';

export type LinkEndReason = 'user' | 'wrong-codes' | 'clinic';

/** A link to images of one patient. Rows are never deleted: entries of the access log refer to them. */
export interface SharedLinkTable {
  id: string;
  customer_id: string;
  patient_id: string;
  /** Who made it. */
  account_id: string;
  made_at: MomentByDefault;
  expires_at: Moment;
  recipient: string;
  purpose: string | null;
  question: string | null;
  /** The page names the patient, and the download has the original files. */
  shows_patient: boolean;
  /** Images that may have text in their pixels, as the sender confirmed. */
  confirmed_burned_in: number;
  /** SHA-256 of the secret; removed some time after the end, as is the hash of the code. */
  secret_hash: string | null;
  /** Argon2id. */
  code_hash: string | null;
  /** Since the last right one. */
  wrong_codes: Generated<number>;
  opened: Generated<number>;
  last_opened_at: Moment | null;
  ended_at: Moment | null;
  end_reason: LinkEndReason | null;
}

export interface SharedLinkImageTable {
  link_id: string;
  position: number;
  image_id: string;
}

/** A short access of a recipient who knew the code. */
export interface SharedLinkOpeningTable {
  /** SHA-256 of the bearer. */
  token_hash: string;
  link_id: string;
  expires_at: Moment;
}
