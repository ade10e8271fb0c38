import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { accountById } from '../db/stores/account-store.ts';
import { replaceRecoveryCodes } from '../db/stores/recovery-codes.ts';
import { renewStamp } from '../db/stores/sessions.ts';
import { offerKey, secondFactorState, turnOff, turnOn } from '../db/stores/two-factor-store.ts';
import type { Principal } from '../policy/principal.ts';
import { Refusal } from '../refusal.ts';
import { signInAttempts } from './attempts.ts';
import { identityLog } from './identity-log.ts';
import { hashRecoveryCode, newRecoveryCode } from './recovery-code.ts';
import { secondFactorOf } from './second-factor.ts';
import { authenticatorUri, newSharedKey, timeStepOf } from './totp.ts';

type Owner = Pick<Principal, 'accountId' | 'grantId'>;

/** Everybody's own two-factor. Turning it on or off ends the other sessions of the account; the one that asked goes on. */
export interface TwoFactor {
  /** A new key; an earlier one that waited is void. @throws Refusal 'conflict' while two-factor is on */
  setUp(owner: Owner): Promise<{ sharedKey: string; authenticatorUri: string }>;
  /** -> recovery codes, told this once. @throws Refusal 'incorrect-code', 'too-many-requests'; 'conflict' when no key waits */
  turnOn(owner: Owner, code: string): Promise<string[]>;
  /** By a code of the authenticator or a recovery code. @throws Refusal 'incorrect-code', 'too-many-requests' */
  turnOff(owner: Owner, code: string): Promise<void>;
}

const recoveryCodes = 10;

export const twoFactorOf = (db: Kysely<Schema>): TwoFactor => {
  const attempts = signInAttempts(db);
  const secondFactor = secondFactorOf(db);

  const accountOf = async ({ accountId }: Owner) => {
    const account = await accountById(db, accountId);
    if (!account) throw new Refusal('not-signed-in');
    return account;
  };

  return {
    setUp: async (owner) => {
      const { email } = await accountOf(owner);
      const sharedKey = newSharedKey();
      if (!(await offerKey(db, owner.accountId, sharedKey))) throw new Refusal('conflict');
      return { sharedKey, authenticatorUri: authenticatorUri(sharedKey, email) };
    },

    turnOn: async (owner, code) => {
      const account = await accountOf(owner);
      const { key, offer } = await secondFactorState(db, account.id);
      if (key !== null || offer === null) throw new Refusal('conflict');
      if (!(await attempts.beginCode(account.id))) throw new Refusal('too-many-requests');
      const step = timeStepOf(offer, code);
      if (step === null) throw new Refusal('incorrect-code');
      await attempts.forgetCodes(account.id);
      const codes = Array.from({ length: recoveryCodes }, newRecoveryCode);
      const hashes = await Promise.all(codes.map((text) => hashRecoveryCode(account.id, text)));
      await db.transaction().execute(async (transaction) => {
        if (!(await turnOn(transaction, account.id, offer, step))) throw new Refusal('conflict');
        await replaceRecoveryCodes(transaction, account.id, hashes);
        await renewStamp(transaction, account.id, { exceptGrant: owner.grantId });
        await identityLog(transaction).note({ action: 'two-factor.enabled', account });
      });
      return codes;
    },

    turnOff: async (owner, code) => {
      const account = await accountOf(owner);
      if (!(await secondFactor.accepts(account, code))) throw new Refusal('incorrect-code');
      await db.transaction().execute(async (transaction) => {
        await turnOff(transaction, account.id);
        await replaceRecoveryCodes(transaction, account.id, []);
        await renewStamp(transaction, account.id, { exceptGrant: owner.grantId });
        await identityLog(transaction).note({ action: 'two-factor.disabled', account });
      });
    },
  };
};
