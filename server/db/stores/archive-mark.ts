import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../schema.ts';

const name = 'archive-id';
const mark = z.string();

/** What tells this archive from others; null when it has not been given. */
export const archiveMark = async (db: Kysely<Schema>): Promise<string | null> => {
  const row = await db.selectFrom('seed_state').select('value').where('name', '=', name).executeTakeFirst();
  return row ? mark.parse(row.value) : null;
};

/** Gives the mark, once; of several nodes the first. Returns the one that holds. */
export const ensureArchiveMark = async (db: Kysely<Schema>, given: string): Promise<string> => {
  await db
    .insertInto('seed_state')
    .values({ name, value: JSON.stringify(given) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await archiveMark(db)) ?? given;
};

/** A few of the archive's files. */
export const someImageHashes = async (db: Kysely<Schema>): Promise<readonly string[]> => {
  const rows = await db.selectFrom('image').select('sha256').orderBy('id').limit(20).execute();
  return rows.map(({ sha256 }) => sha256);
};
