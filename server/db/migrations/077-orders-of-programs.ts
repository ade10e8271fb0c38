import { type Kysely, sql } from 'kysely';

/** Service accounts order images too: as in the access log, the id of who did is that of a user or of a service account. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table imaging_order drop constraint imaging_order_created_by_fkey`.execute(db);
};
