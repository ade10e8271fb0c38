import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { type Account, accountByEmail } from '../db/stores/account-store.ts';
import { anyOlderHashes, replacePasswordHash } from '../db/stores/password-hashes.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { noSignInListener, type SignInListener } from '../domain/sign-in-failure.ts';
import { signInAttempts } from './attempts.ts';
import { identityLog } from './identity-log.ts';
import { hashPassword, isOutdated, verifyPassword } from './password.ts';

export interface PasswordClaim {
  readonly email: string;
  readonly password: string;
  /** Client address as reported by trusted proxies. */
  readonly address: string;
}

export interface PasswordCheck {
  /**
   * Checks e-mail and password and returns the account. Unknown names cost the same work. Failures of an account with two-factor are reset only after
   * its code was accepted (`SecondFactor.accepts`). Failures are logged, except while the caller is blocked.
   * @throws ProblemError 'too-many-requests', 'incorrect-login'; 'account-inactive' only after the correct password
   */
  checkPassword(claim: PasswordClaim): Promise<Account>;
}

export const passwordCheckOf = (db: Kysely<Schema>, listener: SignInListener = noSignInListener): PasswordCheck => {
  const attempts = signInAttempts(db, listener);
  const log = identityLog(db, listener);
  let olderOnesExist = true;

  return {
    checkPassword: async ({ email, password, address }) => {
      const attempt = await attempts.begin(email, address);
      if (!attempt) throw new ProblemError('too-many-requests');
      // No new hashes of the older kind are written: once none is left, this stays so.
      olderOnesExist &&= await anyOlderHashes(db);
      const account = await accountByEmail(db, email);
      const isRight = await verifyPassword(password, account?.passwordHash, { olderOnesExist }).catch(async (error) => {
        // The hashing queue was full, so nothing was checked.
        await attempt.undo();
        throw error;
      });
      if (!account || !isRight) {
        await log.note({
          action: 'sign-in.refused',
          method: 'password',
          account: account ?? null,
          detail: 'incorrect-login',
          address,
        });
        throw new ProblemError('incorrect-login');
      }
      await attempt.undo();
      if (!account.isActive) {
        await log.note({
          action: 'sign-in.refused',
          method: 'password',
          account,
          detail: 'account-inactive',
          address,
        });
        throw new ProblemError('account-inactive');
      }
      if (!account.twoFactorEnabled) await attempts.forget(email);
      if (isOutdated(account.passwordHash))
        await replacePasswordHash(db, account.id, account.passwordHash, await hashPassword(password));
      return account;
    },
  };
};

/**
 * Checks the password of a signed-in user again, limited and logged like a sign-in. `fieldKey`: the field of the form.
 * @throws ProblemError 'incorrect-password' of that field, 'too-many-requests'
 */
export const checkOwnPassword = async (
  passwords: PasswordCheck,
  claim: PasswordClaim,
  fieldKey: string,
): Promise<void> => {
  try {
    await passwords.checkPassword(claim);
  } catch (error) {
    const isWrong = error instanceof ProblemError && error.code === 'incorrect-login';
    throw isWrong ? new ProblemError('incorrect-password', [{ fieldKey }]) : error;
  }
};
