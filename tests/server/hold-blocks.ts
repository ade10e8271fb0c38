import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../server/db/schema.ts';

/** Extends the first lockout (a second) to an hour, so that a slow machine does not change the result. */
export const holdBlocks = (db: Kysely<Schema>) =>
  db
    .updateTable('sign_in_attempt')
    .set({ blocked_until: sql<Date>`now() + interval '1 hour'` })
    .where(sql<boolean>`blocked_until >= last_at + interval '1 second'`)
    .execute();
