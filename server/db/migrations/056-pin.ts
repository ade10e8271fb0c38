import { type Kysely, sql } from 'kysely';

/** PIN of an account, which unlocks its sessions. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table account add column pin_hash text`.execute(db);
};
