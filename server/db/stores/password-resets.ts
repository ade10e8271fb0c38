import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

interface Link {
  readonly accountId: string;
  readonly keyHash: string;
}

/** Stores a link and returns when it expires. */
export const addResetLink = async (
  db: Kysely<Schema>,
  { accountId, keyHash }: Link,
  goodForSeconds: number,
): Promise<Date> => {
  const expiresAt = new Date(Date.now() + goodForSeconds * 1000);
  await db
    .insertInto('password_reset')
    .values({ key_hash: keyHash, account_id: accountId, expires_at: expiresAt })
    .execute();
  return expiresAt;
};

export const isValidLink = async (db: Kysely<Schema>, { accountId, keyHash }: Link): Promise<boolean> => {
  const found = await db
    .selectFrom('password_reset')
    .select('key_hash')
    .where('key_hash', '=', keyHash)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', new Date())
    .executeTakeFirst();
  return found !== undefined;
};

/** Uses a link. Of two concurrent calls with one link, only one returns true. Locks the account first, as `lockEmployee` does. */
export const useResetLink = async (
  transaction: Transaction<Schema>,
  { accountId, keyHash }: Link,
): Promise<boolean> => {
  await transaction.selectFrom('account').select('id').where('id', '=', accountId).forUpdate().execute();
  const { numDeletedRows } = await transaction
    .deleteFrom('password_reset')
    .where('key_hash', '=', keyHash)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', new Date())
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

export const removeResetLink = async (db: Kysely<Schema>, keyHash: string): Promise<void> => {
  await db.deleteFrom('password_reset').where('key_hash', '=', keyHash).execute();
};

/** Voids all links of the account except `exceptHash`. */
export const voidResetLinks = async (db: Kysely<Schema>, accountId: string, exceptHash?: string): Promise<void> => {
  const all = db.deleteFrom('password_reset').where('account_id', '=', accountId);
  await (exceptHash === undefined ? all : all.where('key_hash', '<>', exceptHash)).execute();
};
