import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

/** The key that encrypts the secrets of the installation, itself encrypted with the master key. There is at most one. */
export interface EncryptedDataKey {
  readonly id: string;
  readonly master_key_id: string;
  readonly encrypted: string;
}

/** Returns the data key; undefined before the first start with a master key. */
export const readDataKey = (db: Kysely<Schema>): Promise<EncryptedDataKey | undefined> =>
  db.selectFrom('data_key').select(['id', 'master_key_id', 'encrypted']).executeTakeFirst();

/** Replaces the data key; null removes it. */
export const replaceDataKey = async (transaction: Transaction<Schema>, key: EncryptedDataKey | null): Promise<void> => {
  await transaction.deleteFrom('data_key').execute();
  if (key) await transaction.insertInto('data_key').values(key).execute();
};

/** Advisory lock id: one node creates the key. */
const creationLock = 5_011_048;

/**
 * Stores the first data key. False while a node runs that cannot read encrypted secrets, as during an upgrade; true when there is a key, also
 * another one.
 */
export const insertFirstDataKey = (db: Kysely<Schema>, key: EncryptedDataKey): Promise<boolean> =>
  db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${creationLock})`.execute(transaction);
    if (await readDataKey(transaction)) return true;
    const older = await transaction
      .selectFrom('node')
      .select('id')
      .where('reads_encrypted', '=', false)
      .where('seen_at', '>', sql<Date>`now() - interval '2 minutes'`)
      .executeTakeFirst();
    if (older) return false;
    await replaceDataKey(transaction, key);
    return true;
  });
