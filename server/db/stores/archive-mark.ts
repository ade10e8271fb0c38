import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../schema.ts';

const name = 'archive-id';
const mark = z.string();

/** Returns the id of this archive; null when none is set. */
export const archiveMark = async (db: Kysely<Schema>): Promise<string | null> => {
  const row = await db.selectFrom('seed_state').select('value').where('name', '=', name).executeTakeFirst();
  return row ? mark.parse(row.value) : null;
};

/** Sets the id once; of several nodes the first wins. Returns the stored id. */
export const ensureArchiveMark = async (db: Kysely<Schema>, given: string): Promise<string> => {
  await db
    .insertInto('seed_state')
    .values({ name, value: JSON.stringify(given) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await archiveMark(db)) ?? given;
};

/** Returns the hashes of a few image files. */
export const someImageHashes = async (db: Kysely<Schema>): Promise<readonly string[]> => {
  const rows = await db.selectFrom('image').select('sha256').orderBy('id').limit(20).execute();
  return rows.map(({ sha256 }) => sha256);
};
