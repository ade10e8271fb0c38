import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** Returns the picture of an account that is not deleted. */
export const pictureOfAccount = (
  db: Kysely<Schema>,
  accountId: string,
): Promise<{ id: string; webp: Uint8Array } | undefined> =>
  db.selectFrom('account_picture').select(['id', 'webp']).where('account_id', '=', accountId).executeTakeFirst();

export const savePicture = async (db: Kysely<Schema>, accountId: string, webp: Uint8Array): Promise<void> => {
  const picture = { id: randomUUID(), webp };
  await db
    .insertInto('account_picture')
    .values({ account_id: accountId, ...picture })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(picture))
    .execute();
};

export const removePicture = async (db: Kysely<Schema>, accountId: string): Promise<void> => {
  await db.deleteFrom('account_picture').where('account_id', '=', accountId).execute();
};
