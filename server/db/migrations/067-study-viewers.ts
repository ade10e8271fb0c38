import { type Kysely, sql } from 'kysely';

/** Other viewers in which a clinic opens its studies, as `contract/study-viewers.ts` has them. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`alter table customer add column viewers jsonb not null default '[]'`.execute(db);
};
