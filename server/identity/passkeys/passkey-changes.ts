import type { Kysely, Transaction } from 'kysely';
import type { PasskeyAttestation } from '../../../contract/passkey-messages.ts';
import type { Schema } from '../../db/schema.ts';
import { type Account, accountById } from '../../db/stores/account-store.ts';
import { insertPasskey, passkeysOf, removePasskey, renamePasskey } from '../../db/stores/passkeys.ts';
import { replaceRecoveryCodes } from '../../db/stores/recovery-codes.ts';
import { renewStamp } from '../../db/stores/sessions.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { identityLog } from '../identity-log.ts';
import { ownAccount } from '../own-account.ts';
import { newRecoveryCodes } from '../recovery-code.ts';
import type { PasskeyCeremonies } from './passkey-ceremonies.ts';
import type { PasskeyParty } from './passkey-party.ts';
import { newPasskeyOwner } from './recent-proof.ts';

type Owner = Pick<Principal, 'accountId' | 'grantId'>;

/** Removes the recovery codes of an account that has no second factor any more. */
export const removeCodesWithoutFactor = async (transaction: Transaction<Schema>, accountId: string): Promise<void> => {
  const account = await accountById(transaction, accountId);
  if (!account?.twoFactorEnabled) await replaceRecoveryCodes(transaction, accountId, []);
};

interface AddedPasskey {
  readonly account: Account;
  readonly recoveryCodes: string[] | null;
}

/** Creates the changes of the caller's passkeys, each with its entry in the access log. */
export const passkeyChanges = (db: Kysely<Schema>, ceremonies: PasskeyCeremonies) => ({
  /** Ends the other sessions. @throws ProblemError 'incorrect-passkey'; 'conflict' when the passkey is known */
  add: async (
    owner: Owner,
    party: PasskeyParty,
    { name, response }: { readonly name: string; readonly response: PasskeyAttestation },
  ): Promise<AddedPasskey> => {
    const account = await ownAccount(db, owner);
    const made = await ceremonies.register(newPasskeyOwner(owner), party, response);
    if (made?.accountId !== account.id) throw new ProblemError('incorrect-passkey');
    const codes = account.twoFactorEnabled ? null : await newRecoveryCodes(account.id);
    await db.transaction().execute(async (transaction) => {
      if (!(await insertPasskey(transaction, { ...made, name }))) throw new ProblemError('conflict');
      if (codes) await replaceRecoveryCodes(transaction, account.id, codes.hashes);
      await renewStamp(transaction, account.id, { reason: 'two-factor-changed', exceptGrant: owner.grantId });
      await identityLog(transaction).note({ action: 'passkey.added', account, detail: name });
    });
    return { account, recoveryCodes: codes?.texts ?? null };
  },

  /** @throws ProblemError 'not-found' */
  rename: async (owner: Owner, { id, name }: { readonly id: string; readonly name: string }): Promise<Account> => {
    const account = await ownAccount(db, owner);
    await db.transaction().execute(async (transaction) => {
      if (!(await renamePasskey(transaction, { id, accountId: account.id, name }))) throw new ProblemError('not-found');
      await identityLog(transaction).note({ action: 'passkey.renamed', account, detail: name });
    });
    return account;
  },

  /** Ends the other sessions. @throws ProblemError 'not-found' */
  remove: async (owner: Owner, id: string): Promise<Account> => {
    const account = await ownAccount(db, owner);
    await db.transaction().execute(async (transaction) => {
      const name = (await passkeysOf(transaction, account.id)).find((one) => one.id === id)?.name;
      if (name === undefined || !(await removePasskey(transaction, { id, accountId: account.id })))
        throw new ProblemError('not-found');
      await removeCodesWithoutFactor(transaction, account.id);
      await renewStamp(transaction, account.id, { reason: 'two-factor-changed', exceptGrant: owner.grantId });
      await identityLog(transaction).note({ action: 'passkey.removed', account, detail: name });
    });
    return account;
  },
});
