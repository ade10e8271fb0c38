import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/**
 * Hash of an account without a password: it matches none, and verifying it costs as much as verifying another. Argon2id with salt and key of zeros.
 */
export const noPasswordHash = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

export const hasPassword = async (db: Kysely<Schema>, accountId: string): Promise<boolean> => {
  const row = await db.selectFrom('account').select('password_hash').where('id', '=', accountId).executeTakeFirst();
  return row !== undefined && row.password_hash !== noPasswordHash;
};

/** Returns whether an active account still has a hash of the older kind (scrypt). */
export const anyOlderHashes = async (db: Kysely<Schema>): Promise<boolean> => {
  const found = await db
    .selectFrom('account')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('password_hash', 'like', 'scrypt$%')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};

/** Replaces the hash of an unchanged password. Does nothing when the password was changed meanwhile. */
export const replacePasswordHash = async (
  db: Kysely<Schema>,
  accountId: string,
  from: string,
  to: string,
): Promise<void> => {
  await db
    .updateTable('account')
    .set({ password_hash: to })
    .where('id', '=', accountId)
    .where('password_hash', '=', from)
    .execute();
};

export const setPasswordHash = async (db: Kysely<Schema>, accountId: string, hash: string): Promise<void> => {
  await db.updateTable('account').set({ password_hash: hash }).where('id', '=', accountId).execute();
};
