import { type Kysely, sql } from 'kysely';

/** Attempts to sign in, by hashed account name and by hashed address: shared by all nodes, and equal for names that do not exist. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql
    .raw(`create table sign_in_attempt (
      key text primary key, failures integer not null, blocked_until timestamptz not null, last_at timestamptz not null default now())`)
    .execute(db);
};
