import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { type NamedKey, newKey } from '../../domain/named-key.ts';
import type { AccountTable } from '../identity-tables.ts';
import type { Schema } from '../schema.ts';
import { createVault, encryptDataKey, encryptedBeginning, type Vault } from '../vault.ts';
import { replaceDataKey } from './data-keys.ts';
import { openPayload, plainTypes, sealPayload } from './oidc-payload.ts';
import { hasPasskey } from './passkeys.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { hashedSecrets, secretContext } from './secret-store.ts';
import { twoFactorContext } from './two-factor-store.ts';

interface Change {
  readonly transaction: Transaction<Schema>;
  readonly from: Vault;
  readonly to: Vault;
  /** Beginning of what needs no change. */
  readonly kept: string;
}

const changeSecrets = async ({ transaction, from, to, kept }: Change): Promise<void> => {
  const rows = await transaction
    .selectFrom('secret')
    .selectAll()
    .where('name', 'not in', hashedSecrets)
    .where('value', 'not like', `${kept}%`)
    .forUpdate()
    .execute();
  for (const { name, value } of rows) {
    const context = secretContext(name);
    const sealed = await to.seal(transaction, context, await from.open(transaction, context, value));
    await transaction.updateTable('secret').set({ value: sealed }).where('name', '=', name).execute();
  }
};

const changeTwoFactorKeys = async ({ transaction, from, to, kept }: Change): Promise<void> => {
  const rows = await transaction
    .selectFrom('account')
    .select(['id', 'two_factor_key', 'two_factor_offer'])
    .where((row) =>
      row.or([row('two_factor_key', 'not like', `${kept}%`), row('two_factor_offer', 'not like', `${kept}%`)]),
    )
    .forUpdate()
    .execute();
  for (const { id, two_factor_key, two_factor_offer } of rows) {
    const context = twoFactorContext(id);
    const sealed = async (value: string | null) =>
      value === null ? null : to.seal(transaction, context, await from.open(transaction, context, value));
    const keys = { two_factor_key: await sealed(two_factor_key), two_factor_offer: await sealed(two_factor_offer) };
    await transaction.updateTable('account').set(keys).where('id', '=', id).execute();
  }
};

const changeModels = async ({ transaction, from, to, kept }: Change): Promise<void> => {
  const rows = await transaction
    .selectFrom('oidc')
    .select(['type', 'id', 'payload'])
    .where('type', 'not in', plainTypes)
    .where(sql<boolean>`payload ->> 'sealed' is null or payload ->> 'sealed' not like ${`${kept}%`}`)
    .forUpdate()
    .execute();
  for (const { type, id, payload } of rows) {
    const sealed = await sealPayload(transaction, to, type, await openPayload(transaction, from, payload));
    await transaction
      .updateTable('oidc')
      .set({ payload: JSON.stringify(sealed) })
      .where('type', '=', type)
      .where('id', '=', id)
      .execute();
  }
};

const changeAll = async (change: Change): Promise<void> => {
  await changeSecrets(change);
  await changeTwoFactorKeys(change);
  await changeModels(change);
};

/** Encrypts what is not encrypted yet. Does nothing while an older node runs, which could not read it. @throws SecretsLocked */
export const encryptSecrets = async (db: Kysely<Schema>, vault: Vault): Promise<void> => {
  if (!(await vault.enable(db))) return;
  await db
    .transaction()
    .execute((transaction) => changeAll({ transaction, from: vault, to: vault, kept: encryptedBeginning() }));
};

/** Encrypts everything with a new data key under another master key. No server may run. @throws SecretsLocked */
export const changeMasterKey = async (
  transaction: Transaction<Schema>,
  from: NamedKey,
  to: NamedKey,
): Promise<void> => {
  const dataKey = newKey();
  const kept = encryptedBeginning(dataKey.id);
  await changeAll({ transaction, from: createVault(from), to: createVault(to, dataKey), kept });
  await replaceDataKey(transaction, encryptDataKey(to, dataKey));
};

type DiscardedTwoFactor = Pick<Selectable<AccountTable>, 'id' | 'email' | 'customer_id'>;

/**
 * Deletes all encrypted secrets, whose master key is lost. All sessions end. Passkeys stay, with the recovery codes of their users.
 * Returns the users whose two-factor authentication is off now.
 */
export const discardSecrets = async (transaction: Transaction<Schema>): Promise<readonly DiscardedTwoFactor[]> => {
  const encrypted = `${encryptedBeginning()}%`;
  await transaction.deleteFrom('secret').where('value', 'like', encrypted).execute();
  await transaction.deleteFrom('oidc').execute();
  await transaction
    .updateTable('account')
    .set({ two_factor_offer: null })
    .where('two_factor_offer', 'like', encrypted)
    .execute();
  const changed = await transaction
    .updateTable('account')
    .set({ two_factor_key: null, two_factor_step: null })
    .where('two_factor_key', 'like', encrypted)
    .returning(['id', 'email', 'customer_id', hasPasskey.as('has_passkey')])
    .execute();
  const without = changed.filter(({ has_passkey: has }) => !has);
  for (const { id } of without) await replaceRecoveryCodes(transaction, id, []);
  await replaceDataKey(transaction, null);
  return without;
};
