import { type Kysely, sql } from 'kysely';

/** Removes links to pictures that are not https, which the contract no longer accepts. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`update account set avatar_link = null where avatar_link !~* '^https://'`.execute(db);
};
