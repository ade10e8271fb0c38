import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

/** Returns the installation's secret of that name, if any. */
export const readSecret = async (db: Kysely<Schema>, name: string): Promise<string | undefined> => {
  const row = await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
};

/** Returns the installation's secret of that name; generated at the first call, the same on every node. */
export const ensureSecret = async (
  db: Kysely<Schema>,
  name: string,
  make: () => string | Promise<string>,
): Promise<string> => {
  const known = await readSecret(db, name);
  if (known !== undefined) return known;
  await db
    .insertInto('secret')
    .values({ name, value: await make() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await readSecret(db, name)) ?? ensureSecret(db, name, make);
};

/** Adds a value to a secret that is a list separated by spaces; its newest `maxCount` values remain. */
export const appendToSecret = async (
  db: Kysely<Schema>,
  name: string,
  value: string,
  maxCount: number,
): Promise<void> => {
  const values = sql`(string_to_array(secret.value, ' ') || ${value}::text)`;
  // A slice may begin before the first element.
  const newest = sql<string>`array_to_string(${values}[cardinality${values} - ${maxCount - 1}::int:], ' ')`;
  await db
    .insertInto('secret')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: newest }))
    .execute();
};

/** Deletes a secret. Of two concurrent transactions, the second waits for the first and returns false. */
export const deleteSecret = async (transaction: Transaction<Schema>, name: string): Promise<boolean> => {
  const deleted = await transaction.deleteFrom('secret').where('name', '=', name).executeTakeFirst();
  return deleted.numDeletedRows > 0n;
};

/** Changes an existing secret; the row is locked until the transaction ends. */
export const changeSecret = async (
  transaction: Transaction<Schema>,
  name: string,
  next: (value: string) => Promise<string>,
): Promise<void> => {
  const row = await transaction
    .selectFrom('secret')
    .select('value')
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const value = await next(row.value);
  if (value === row.value) return;
  await transaction.updateTable('secret').set({ value }).where('name', '=', name).execute();
};

/** Returns 32 random bytes in base64url. */
export const randomKey = (): string => randomBytes(32).toString('base64url');
