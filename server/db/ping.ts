import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/** Resolves when the database answers a query. @throws DatabaseUnavailable */
export const ping = async (db: Kysely<Schema>): Promise<void> => {
  await sql`select 1`.execute(db);
};
