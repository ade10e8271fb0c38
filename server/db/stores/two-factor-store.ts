import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** Shared keys are stored encrypted. */
export const twoFactorContext = (accountId: string): string => `two-factor:${accountId}`;

export interface SecondFactorState {
  /** As stored; null while two-factor is off. */
  readonly key: string | null;
  /** A key that is not yet confirmed by a code, as stored. */
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

/** Uses a time step of the stored key. A code is valid once, and older ones no more: of two concurrent calls only one returns true. */
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

/** Stores a key that becomes active with its first code; false while two-factor is on. */
export const offerKey = async (db: Kysely<Schema>, accountId: string, key: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ two_factor_offer: key })
    .where('id', '=', accountId)
    .where('two_factor_key', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Activates the offered key and uses the code of `step`. False when another key was offered meanwhile. */
export const enableSecondFactor = async (
  db: Kysely<Schema>,
  accountId: string,
  offer: string,
  step: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ two_factor_key: offer, two_factor_offer: null, two_factor_step: step })
    .where('id', '=', accountId)
    .where('two_factor_offer', '=', offer)
    .where('two_factor_key', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const disableSecondFactor = async (db: Kysely<Schema>, accountId: string): Promise<void> => {
  await db
    .updateTable('account')
    .set({ two_factor_key: null, two_factor_offer: null, two_factor_step: null })
    .where('id', '=', accountId)
    .execute();
};
