import type { Generated } from 'kysely';
import type { Moment, MomentByDefault } from './column-types.ts';

/** A letter that somebody asked for. */
export interface LetterTable {
  id: string;
  kind: string;
  /** As it was asked for; null once the letter was sent. */
  email: string | null;
  /** Whom it was sent to. */
  account_id: string | null;
  language: string;
  /** Address of the page that the letter leads to. */
  page: string;
  asked_at: MomentByDefault;
  /** Not before. */
  try_at: MomentByDefault;
  tries: Generated<number>;
  sent_at: Moment | null;
}
