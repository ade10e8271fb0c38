import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

export const recoveryCodesLeft = async (db: Kysely<Schema>, accountId: string): Promise<number> => {
  const { left } = await db
    .selectFrom('recovery_code')
    .select((row) => row.fn.countAll<number>().as('left'))
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return left;
};

/** Uses a code. Of two concurrent calls with the same code, only one returns true. */
export const useRecoveryCode = async (db: Kysely<Schema>, accountId: string, codeHash: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('recovery_code')
    .set({ used_at: new Date() })
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Replaces all codes; none when two-factor is turned off. */
export const replaceRecoveryCodes = async (
  db: Kysely<Schema>,
  accountId: string,
  codeHashes: readonly string[],
): Promise<void> => {
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
  if (codeHashes.length === 0) return;
  const rows = codeHashes.map((hash) => ({ account_id: accountId, code_hash: hash, used_at: null }));
  await db.insertInto('recovery_code').values(rows).execute();
};
