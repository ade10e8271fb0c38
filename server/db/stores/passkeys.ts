import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** Whether the account of a row of `account` has a passkey. */
export const hasPasskey = sql<boolean>`exists (select from passkey where passkey.account_id = account.id)`;

export interface Passkey {
  readonly id: string;
  readonly accountId: string;
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  readonly transports: readonly string[];
  readonly name: string;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

const passkeys = (db: Kysely<Schema>) =>
  db
    .selectFrom('passkey')
    .select(['id', 'name', 'transports', 'account_id as accountId', 'credential_id as credentialId'])
    .select(['public_key as publicKey', 'created_at as createdAt', 'used_at as usedAt']);

/** Oldest first. */
export const passkeysOf = (db: Kysely<Schema>, accountId: string): Promise<Passkey[]> =>
  passkeys(db).where('account_id', '=', accountId).orderBy('created_at').orderBy('id').execute();

export const passkeyByCredential = (db: Kysely<Schema>, credentialId: string): Promise<Passkey | undefined> =>
  passkeys(db).where('credential_id', '=', credentialId).executeTakeFirst();

/** Returns whether any account has a passkey. */
export const anyPasskey = async (db: Kysely<Schema>): Promise<boolean> =>
  (await db.selectFrom('passkey').select('id').limit(1).executeTakeFirst()) !== undefined;

export type NewPasskey = Pick<Passkey, 'accountId' | 'credentialId' | 'publicKey' | 'transports' | 'name'> & {
  readonly counter: number;
};

/** Returns false when a passkey with this credential id exists, of any account. */
export const insertPasskey = async (db: Kysely<Schema>, passkey: NewPasskey): Promise<boolean> => {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('passkey')
    .values({
      account_id: passkey.accountId,
      credential_id: passkey.credentialId,
      public_key: Buffer.from(passkey.publicKey),
      counter: passkey.counter,
      transports: [...passkey.transports],
      name: passkey.name,
      used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
};

/** Notes a use. False when the counter is not above the stored one: the passkey may have been copied. Passkeys without a counter report 0. */
export const usePasskey = async (db: Kysely<Schema>, id: string, counter: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ counter, used_at: new Date() })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} or (counter = 0 and ${counter} = 0))`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const renamePasskey = async (
  db: Kysely<Schema>,
  { id, accountId, name }: Pick<Passkey, 'id' | 'accountId' | 'name'>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const removePasskey = async (
  db: Kysely<Schema>,
  { id, accountId }: Pick<Passkey, 'id' | 'accountId'>,
): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

export const removePasskeysOf = async (db: Kysely<Schema>, accountId: string): Promise<void> => {
  await db.deleteFrom('passkey').where('account_id', '=', accountId).execute();
};
