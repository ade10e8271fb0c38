import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** What a sign-in has reached between two calls, the same on every node. `key` is never shown to anyone. */
export const putPending = async (
  db: Kysely<Schema>,
  key: string,
  payload: Record<string, unknown>,
  goodForSeconds: number,
): Promise<void> => {
  const row = { payload: JSON.stringify(payload), expires_at: new Date(Date.now() + goodForSeconds * 1000) };
  await db
    .insertInto('pending_sign_in')
    .values({ key, ...row })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
};

export const readPending = async (db: Kysely<Schema>, key: string): Promise<Record<string, unknown> | undefined> => {
  const row = await db
    .selectFrom('pending_sign_in')
    .select('payload')
    .where('key', '=', key)
    .where('expires_at', '>', new Date())
    .executeTakeFirst();
  return row?.payload;
};

/** Reads and removes: of two calls at the same moment one gets it. */
export const takePending = async (db: Kysely<Schema>, key: string): Promise<Record<string, unknown> | undefined> => {
  const row = await db
    .deleteFrom('pending_sign_in')
    .where('key', '=', key)
    .returning(['payload', 'expires_at'])
    .executeTakeFirst();
  return row && row.expires_at > new Date() ? row.payload : undefined;
};
