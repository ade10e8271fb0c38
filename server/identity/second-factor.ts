import type { Kysely } from 'kysely';
import type { PasskeyAssertion, PasskeyRequest, SecondFactorKind } from '../../contract/passkey-messages.ts';
import type { Schema } from '../db/schema.ts';
import type { Account } from '../db/stores/account-store.ts';
import { useRecoveryCode } from '../db/stores/recovery-codes.ts';
import { secondFactorState, twoFactorContext, useTimeStep } from '../db/stores/two-factor-store.ts';
import type { Vault } from '../db/vault.ts';
import { ProblemError } from '../domain/problem-error.ts';
import { noSignInListener, type SignInListener } from '../domain/sign-in-failure.ts';
import { signInAttempts } from './attempts.ts';
import { identityLog } from './identity-log.ts';
import { type ChallengeOwner, type PasskeyRefusal, passkeyCeremonies } from './passkeys/passkey-ceremonies.ts';
import type { PasskeyParty } from './passkeys/passkey-party.ts';
import { hashRecoveryCode, readRecoveryCode } from './recovery-code.ts';
import { timeStepOf } from './totp.ts';

export interface SecondFactor {
  /**
   * Verifies an authenticator code or a recovery code; each is valid once. Returns false when two-factor is off. Counts failures; a correct code
   * resets those of codes and of the password, as it completes the sign-in.
   * @throws ProblemError 'too-many-requests'
   */
  accepts(account: Account, code: string): Promise<boolean>;
  /** Starts the call of a passkey of the account. */
  passkeyRequest(account: Account, party: PasskeyParty): Promise<PasskeyRequest>;
  /** Verifies the reply of a passkey, counted like a code. Returns why it is refused; null when it is accepted. @throws ProblemError 'too-many-requests' */
  refusalOfPasskey(account: Account, party: PasskeyParty, response: PasskeyAssertion): Promise<PasskeyRefusal | null>;
}

/** Returns the second factors that an account has, beside its recovery codes. */
export const factorsOf = ({ hasAuthenticator, hasPasskey }: Account): SecondFactorKind[] => [
  ...(hasAuthenticator ? (['authenticator'] as const) : []),
  ...(hasPasskey ? (['passkey'] as const) : []),
];

/** Returns the second factor of accounts: authenticator app, passkeys and recovery codes. */
export const secondFactorOf = (
  db: Kysely<Schema>,
  vault: Vault,
  listener: SignInListener = noSignInListener,
): SecondFactor => {
  const attempts = signInAttempts(db, listener);
  const log = identityLog(db);
  const ceremonies = passkeyCeremonies(db);
  const challengeOwner = ({ id }: Account): ChallengeOwner => `second:${id}`;

  const isAuthenticatorCode = async (account: Account, code: string): Promise<boolean> => {
    const key = (await secondFactorState(db, account.id)).key;
    if (key === null) return false;
    const step = timeStepOf(await vault.open(db, twoFactorContext(account.id), key), code);
    return step !== null && (await useTimeStep(db, account.id, key, step));
  };

  const isRecoveryCode = async (account: Account, text: string): Promise<boolean> => {
    const code = readRecoveryCode(text);
    if (code === null || !(await useRecoveryCode(db, account.id, await hashRecoveryCode(account.id, code))))
      return false;
    await log.note({ action: 'recovery-code.used', account });
    return true;
  };

  const forgetFailures = (account: Account) =>
    Promise.all([attempts.forgetCodes(account.id), attempts.forget(account.email)]);

  return {
    accepts: async (account, code) => {
      if (!(await attempts.beginCode(account.id))) throw new ProblemError('too-many-requests');
      if (!account.twoFactorEnabled) return false;
      const accepted = (await isAuthenticatorCode(account, code)) || (await isRecoveryCode(account, code));
      if (accepted) await forgetFailures(account);
      return accepted;
    },
    passkeyRequest: (account, party) => ceremonies.request(challengeOwner(account), party, account),
    refusalOfPasskey: async (account, party, response) => {
      if (!(await attempts.beginCode(account.id))) throw new ProblemError('too-many-requests');
      const { refusal } = await ceremonies.verify(challengeOwner(account), party, response);
      if (refusal === null) await forgetFailures(account);
      return refusal;
    },
  };
};
