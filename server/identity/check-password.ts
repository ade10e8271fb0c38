import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { type Account, accountByEmail } from '../db/stores/account-store.ts';
import { anyOlderHashes, replacePasswordHash } from '../db/stores/password-hashes.ts';
import { Refusal } from '../refusal.ts';
import { signInAttempts } from './attempts.ts';
import { identityLog } from './identity-log.ts';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';

export interface PasswordClaim {
  readonly email: string;
  readonly password: string;
  /** Of the caller, as the web server in front understands it. */
  readonly address: string;
}

export interface PasswordCheck {
  /**
   * The account whose password it is. Unknown names cost the same work. Failures of an account with two-factor are forgotten only when its
   * code was accepted too (`SecondFactor.accepts`). Refusals are written to the log, but for those that come while the caller has to wait.
   * @throws Refusal 'too-many-requests', 'incorrect-login'; 'account-inactive' after the right password only
   */
  checkPassword(claim: PasswordClaim): Promise<Account>;
}

export const passwordCheckOf = (db: Kysely<Schema>): PasswordCheck => {
  const attempts = signInAttempts(db);
  const log = identityLog(db);
  let olderOnesExist = true;

  return {
    checkPassword: async ({ email, password, address }) => {
      const attempt = await attempts.begin(email, address);
      if (!attempt) throw new Refusal('too-many-requests');
      // Nothing writes hashes of the older kind any more: once there is none, there is none for ever.
      olderOnesExist &&= await anyOlderHashes(db);
      const account = await accountByEmail(db, email);
      const isRight = await verifyPassword(password, account?.passwordHash, { olderOnesExist }).catch(async (error) => {
        // Too many at once: nothing was tried.
        await attempt.undo();
        throw error;
      });
      if (!account || !isRight) {
        await log.note({ action: 'sign-in.refused', account: account ?? null, detail: 'incorrect-login' });
        throw new Refusal('incorrect-login');
      }
      await attempt.undo();
      if (!account.isActive) {
        await log.note({ action: 'sign-in.refused', account, detail: 'account-inactive' });
        throw new Refusal('account-inactive');
      }
      if (!account.twoFactorEnabled) await attempts.forget(email);
      if (isOutdated(account.passwordHash))
        await replacePasswordHash(db, account.id, account.passwordHash, await hashPassword(password));
      return account;
    },
  };
};
