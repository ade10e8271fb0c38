import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { purgeEndedLinks } from './shared-links.ts';

/** Deletes expired tokens, pending sign-ins, reset links and secrets of shared links, and attempt counters that are unused for a day. */
export const purgeExpiredSignIns = async (db: Kysely<Schema>): Promise<void> => {
  await db.deleteFrom('oidc').where('expires_at', '<', new Date()).execute();
  await db.deleteFrom('pending_sign_in').where('expires_at', '<', new Date()).execute();
  await db.deleteFrom('password_reset').where('expires_at', '<', new Date()).execute();
  await db
    .deleteFrom('sign_in_attempt')
    .where('last_at', '<', new Date(Date.now() - 24 * 3_600_000))
    .execute();
  await purgeEndedLinks(db);
};
