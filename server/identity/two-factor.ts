import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { removePasskeysOf } from '../db/stores/passkeys.ts';
import { replaceRecoveryCodes } from '../db/stores/recovery-codes.ts';
import { renewStamp } from '../db/stores/sessions.ts';
import {
  disableSecondFactor,
  enableSecondFactor,
  offerKey,
  secondFactorState,
  twoFactorContext,
} from '../db/stores/two-factor-store.ts';
import type { Vault } from '../db/vault.ts';
import type { Principal } from '../domain/policy/principal.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { signInAttempts } from './attempts.ts';
import { identityLog } from './identity-log.ts';
import { ownAccount } from './own-account.ts';
import { removeCodesWithoutFactor } from './passkeys/passkey-changes.ts';
import { newRecoveryCodes } from './recovery-code.ts';
import { secondFactorOf } from './second-factor.ts';
import { authenticatorUri, newSharedKey, timeStepOf } from './totp.ts';

type Owner = Pick<Principal, 'accountId' | 'grantId'>;

/** The authenticator app of the caller. Turning it on or off ends the other sessions of the account. */
export interface TwoFactor {
  /** Creates a new key and discards a pending one. @throws ProblemError 'conflict' while two-factor is on */
  setUp(owner: Owner): Promise<{ sharedKey: string; authenticatorUri: string }>;
  /** Returns the recovery codes, this one time only. @throws ProblemError 'incorrect-code', 'too-many-requests'; 'conflict' when no key is pending */
  enable(owner: Owner, code: string): Promise<{ readonly email: string; readonly recoveryCodes: string[] }>;
  /** Requires an authenticator code or a recovery code. Passkeys stay. Returns the e-mail address. @throws ProblemError 'incorrect-code', 'too-many-requests' */
  disable(owner: Owner, code: string): Promise<string>;
}

/** Removes the key, the passkeys and the recovery codes, and ends the sessions of the account, except that of `exceptGrant`. */
export const turnOffTwoFactor = async (
  transaction: Transaction<Schema>,
  accountId: string,
  exceptGrant?: string,
): Promise<void> => {
  await disableSecondFactor(transaction, accountId);
  await removePasskeysOf(transaction, accountId);
  await replaceRecoveryCodes(transaction, accountId, []);
  await renewStamp(transaction, accountId, { reason: 'two-factor-changed', exceptGrant });
};

export const twoFactorOf = (db: Kysely<Schema>, vault: Vault): TwoFactor => {
  const attempts = signInAttempts(db);
  const secondFactor = secondFactorOf(db, vault);

  return {
    setUp: async (owner) => {
      const { email } = await ownAccount(db, owner);
      const sharedKey = newSharedKey();
      const sealed = await vault.seal(db, twoFactorContext(owner.accountId), sharedKey);
      if (!(await offerKey(db, owner.accountId, sealed))) throw new ProblemError('conflict');
      return { sharedKey, authenticatorUri: authenticatorUri(sharedKey, email) };
    },

    enable: async (owner, code) => {
      const account = await ownAccount(db, owner);
      const { key, offer } = await secondFactorState(db, account.id);
      if (key !== null || offer === null) throw new ProblemError('conflict');
      if (!(await attempts.beginCode(account.id))) throw new ProblemError('too-many-requests');
      const step = timeStepOf(await vault.open(db, twoFactorContext(account.id), offer), code);
      if (step === null) throw new ProblemError('incorrect-code');
      await attempts.forgetCodes(account.id);
      const { texts, hashes } = await newRecoveryCodes(account.id);
      await db.transaction().execute(async (transaction) => {
        if (!(await enableSecondFactor(transaction, account.id, offer, step))) throw new ProblemError('conflict');
        await replaceRecoveryCodes(transaction, account.id, hashes);
        await renewStamp(transaction, account.id, { reason: 'two-factor-changed', exceptGrant: owner.grantId });
        await identityLog(transaction).note({ action: 'two-factor.enabled', account });
      });
      return { email: account.email, recoveryCodes: texts };
    },

    disable: async (owner, code) => {
      const account = await ownAccount(db, owner);
      if (account.hasPasskey && !account.hasAuthenticator) throw new ProblemError('conflict');
      if (!(await secondFactor.accepts(account, code))) throw new ProblemError('incorrect-code');
      await db.transaction().execute(async (transaction) => {
        await disableSecondFactor(transaction, account.id);
        await removeCodesWithoutFactor(transaction, account.id);
        await renewStamp(transaction, account.id, { reason: 'two-factor-changed', exceptGrant: owner.grantId });
        await identityLog(transaction).note({ action: 'two-factor.disabled', account });
      });
      return account.email;
    },
  };
};
