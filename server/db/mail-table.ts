import type { Generated } from 'kysely';
import type { MailFailure } from '../../contract/mail.ts';
import type { Moment, MomentByDefault } from './column-types.ts';

/** A queued or sent e-mail. */
export interface MailTable {
  id: string;
  kind: string;
  /** The requested address; null once the e-mail was sent or given up. */
  email: string | null;
  /** The account it was sent to. */
  account_id: string | null;
  language: string;
  /** URL of the page that the e-mail links to. */
  page: string;
  asked_at: MomentByDefault;
  /** Earliest time of the next attempt. */
  try_at: MomentByDefault;
  tries: Generated<number>;
  sent_at: Moment | null;
  /** Why the last attempt failed. */
  failure: MailFailure | null;
  /** When it was given up. */
  failed_at: Moment | null;
}
