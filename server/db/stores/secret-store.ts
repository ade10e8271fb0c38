import { randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
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

/** Sets a secret, which replaces an earlier one. */
export const putSecret = async (db: Kysely<Schema>, name: string, value: string): Promise<void> => {
  await db
    .insertInto('secret')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
};

/** Deletes a secret with this value. Of two concurrent transactions, the second waits for the first and returns false. */
export const useSecret = async (transaction: Transaction<Schema>, name: string, value: string): Promise<boolean> => {
  const used = await transaction
    .deleteFrom('secret')
    .where('name', '=', name)
    .where('value', '=', value)
    .executeTakeFirst();
  return used.numDeletedRows > 0n;
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
