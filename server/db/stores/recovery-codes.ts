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
