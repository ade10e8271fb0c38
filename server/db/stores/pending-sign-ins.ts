import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** State of a sign-in between two calls, shared by all nodes. `key` is secret. */
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

/** Reads and removes the state: only one of two concurrent calls gets it. */
export const takePending = async (db: Kysely<Schema>, key: string): Promise<Record<string, unknown> | undefined> => {
  const row = await db
    .deleteFrom('pending_sign_in')
    .where('key', '=', key)
    .returning(['payload', 'expires_at'])
    .executeTakeFirst();
  return row && row.expires_at > new Date() ? row.payload : undefined;
};

/** Counts a guess; false when there were `most` before, or the state is gone. */
export const countGuess = async (db: Kysely<Schema>, key: string, maxGuesses: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('pending_sign_in')
    .set({ payload: sql`jsonb_set(payload, '{guesses}', to_jsonb((payload ->> 'guesses')::int + 1))` })
    .where('key', '=', key)
    .where(sql<boolean>`(payload ->> 'guesses')::int < ${maxGuesses}`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
