import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { hashedToken } from './token-hash.ts';

/** Returns the hash of an account's PIN; null without a PIN. */
export const pinHashOf = async (db: Kysely<Schema>, accountId: string): Promise<string | null> => {
  const row = await db.selectFrom('account').select('pin_hash').where('id', '=', accountId).executeTakeFirst();
  return row?.pin_hash ?? null;
};

export const setPinHash = async (db: Kysely<Schema>, accountId: string, hash: string): Promise<void> => {
  await db.updateTable('account').set({ pin_hash: hash }).where('id', '=', accountId).execute();
};

/** Returns whether there was one. */
export const removePin = async (db: Kysely<Schema>, accountId: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ pin_hash: null })
    .where('id', '=', accountId)
    .where('pin_hash', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Numbers of an account that its PIN must not repeat. */
export const numbersOf = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom('account')
    .select(['personal_number as personalNumber', 'telephone'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();

/** Counts an attempt by PIN of a locked session, also of parallel ones. Returns its number; undefined when `free` attempts are used up. */
export const countPinAttempt = async (
  db: Kysely<Schema>,
  grantId: string,
  free: number,
): Promise<number | undefined> => {
  const used = sql<number>`coalesce((payload -> 'session' ->> 'pinAttempts')::int, 0)`;
  const row = await db
    .updateTable('oidc')
    .set({
      payload: sql`payload || jsonb_build_object('session',
        coalesce(payload -> 'session', '{}') || jsonb_build_object('pinAttempts', ${used} + 1))`,
    })
    .where('type', '=', 'Grant')
    .where('id', '=', hashedToken(grantId))
    .where(sql<boolean>`${used} < ${free}::int`)
    .returning(used.as('attempt'))
    .executeTakeFirst();
  return row?.attempt;
};
