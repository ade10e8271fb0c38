import { type Kysely, sql } from 'kysely';

// `try_at` of a message that was given up is infinity, so that older nodes do not claim it.
const statement = 'alter table letter add column failure text, add column failed_at timestamptz';

/** Why the last attempt to send a message failed, and when it was given up. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql.raw(statement).execute(db);
};
