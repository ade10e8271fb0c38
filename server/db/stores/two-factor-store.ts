import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

export interface SecondFactorState {
  /** Base32; null while two-factor is off. */
  readonly key: string | null;
  /** A key that waits for its first code. */
  readonly offer: string | null;
}

export const secondFactorState = async (db: Kysely<Schema>, accountId: string): Promise<SecondFactorState> => {
  const row = await db
    .selectFrom('account')
    .select(['two_factor_key', 'two_factor_offer'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  return { key: row?.two_factor_key ?? null, offer: row?.two_factor_offer ?? null };
};

/** A code is good once, and an older one no more: of two calls with the code of one step one gets true. */
export const useTimeStep = async (
  db: Kysely<Schema>,
  accountId: string,
  key: string,
  step: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ two_factor_step: step })
    .where('id', '=', accountId)
    .where('two_factor_key', '=', key)
    .where((row) => row.or([row('two_factor_step', 'is', null), row('two_factor_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Keeps a key that counts from its first code on; false while two-factor is on. */
export const offerKey = async (db: Kysely<Schema>, accountId: string, key: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ two_factor_offer: key })
    .where('id', '=', accountId)
    .where('two_factor_key', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** The key that was offered counts from now on, and the code of `step` is used. False when another one was offered meanwhile. */
export const turnOn = async (db: Kysely<Schema>, accountId: string, offer: string, step: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ two_factor_key: offer, two_factor_offer: null, two_factor_step: step })
    .where('id', '=', accountId)
    .where('two_factor_offer', '=', offer)
    .where('two_factor_key', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const turnOff = async (db: Kysely<Schema>, accountId: string): Promise<void> => {
  await db
    .updateTable('account')
    .set({ two_factor_key: null, two_factor_offer: null, two_factor_step: null })
    .where('id', '=', accountId)
    .execute();
};
