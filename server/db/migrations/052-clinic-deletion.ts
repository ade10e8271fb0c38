import { type Kysely, sql } from 'kysely';

/** Who deleted a clinic; unknown for those deleted before. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table customer add column deleted_by uuid`.execute(db);
};
