import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import type { Vault } from '../vault.ts';

/** Secrets whose values are hashes, which need no encryption. */
export const hashedSecrets: readonly string[] = ['first-administrator-key'];

export const secretContext = (name: string): string => `secret:${name}`;

/** Returns the stored value of that name, if any: a hash, or perhaps encrypted. */
export const readStoredSecret = async (db: Kysely<Schema>, name: string): Promise<string | undefined> => {
  const row = await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
};

/** Returns the installation's secret of that name; generated at the first call, the same on every node. @throws SecretsLocked */
export const ensureSecret = async (
  db: Kysely<Schema>,
  vault: Vault,
  name: string,
  make: () => string | Promise<string>,
): Promise<string> => {
  const stored = await readStoredSecret(db, name);
  if (stored !== undefined) return vault.open(db, secretContext(name), stored);
  await db
    .insertInto('secret')
    .values({ name, value: await vault.seal(db, secretContext(name), await make()) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return ensureSecret(db, vault, name, make);
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

/** Changes an existing secret; the row is locked until the transaction ends. @throws SecretsLocked */
export const changeSecret = async (
  transaction: Transaction<Schema>,
  vault: Vault,
  name: string,
  next: (value: string) => Promise<string>,
): Promise<void> => {
  const row = await transaction
    .selectFrom('secret')
    .select('value')
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const known = await vault.open(transaction, secretContext(name), row.value);
  const changed = await next(known);
  if (changed === known) return;
  const value = await vault.seal(transaction, secretContext(name), changed);
  await transaction.updateTable('secret').set({ value }).where('name', '=', name).execute();
};

/** Returns 32 random bytes in base64url. */
export const randomKey = (): string => randomBytes(32).toString('base64url');
