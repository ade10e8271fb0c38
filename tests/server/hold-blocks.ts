import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../server/db/schema.ts';

/** Whoever has to wait before guessing again (a second, at first) waits on for an hour: a slow machine changes nothing. */
export const holdBlocks = (db: Kysely<Schema>) =>
  db
    .updateTable('sign_in_attempt')
    .set({ blocked_until: sql<Date>`now() + interval '1 hour'` })
    .where(sql<boolean>`blocked_until >= last_at + interval '1 second'`)
    .execute();
