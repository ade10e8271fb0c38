import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** Settings that administrators change at run time. The caller parses the value. */
export const readSetting = async (db: Kysely<Schema>, name: string): Promise<unknown> =>
  (await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst())?.value;

export const saveSetting = async (
  db: Kysely<Schema>,
  name: string,
  value: unknown,
  changedBy: string,
): Promise<void> => {
  const row = { value: JSON.stringify(value), changed_by: changedBy, changed_at: new Date() };
  await db
    .insertInto('setting')
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute();
};

export const deleteSetting = async (db: Kysely<Schema>, name: string): Promise<void> => {
  await db.deleteFrom('setting').where('name', '=', name).execute();
};
