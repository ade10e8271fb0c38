import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { QueuedMail } from '../db/stores/mail-queue.ts';
import type { PreparedEmail } from '../mail/mailer.ts';
import { prepareNotice } from './notices.ts';
import { prepareResetEmail } from './password-reset.ts';

/** Renders an e-mail of the queue, whatever its kind; null when it has no recipient any more. */
export const prepareEmail = (db: Kysely<Schema>, resetMinutes: number) => {
  const [ofReset, ofNotice] = [prepareResetEmail(db, resetMinutes), prepareNotice(db)];
  return async (request: QueuedMail): Promise<PreparedEmail | null> =>
    (await ofReset(request)) ?? (await ofNotice(request));
};
