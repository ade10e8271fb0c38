import { type Kysely, sql } from 'kysely';

/** Nodes of earlier versions have both roles. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table node add column roles text not null default 'both'`.execute(db);
};
