import type { Kysely } from 'kysely';
import type { PinState } from '../../../contract/pins.ts';
import type { Schema } from '../../db/schema.ts';
import type { Account } from '../../db/stores/account-store.ts';
import { countPinAttempt, pinHashOf } from '../../db/stores/pins.ts';
import { openSession } from '../../db/stores/sessions.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { SignInListener } from '../../domain/sign-in-failure.ts';
import { signInAttempts } from '../attempts.ts';
import { identityLog } from '../identity-log.ts';
import { verifyPassword } from '../password.ts';

/** Wrong PINs after which a locked session is unlocked otherwise. */
const freeAttempts = 5;

/** Returns whether the caller has a PIN, and may use it in this session. */
export const pinStateOf = async (
  db: Kysely<Schema>,
  { accountId, grantId }: Pick<Principal, 'accountId' | 'grantId'>,
): Promise<PinState> => {
  if ((await pinHashOf(db, accountId)) === null) return 'none';
  const session = await openSession(db, accountId, grantId);
  return (session?.facts.pinAttempts ?? 0) < freeAttempts ? 'usable' : 'blocked';
};

interface PinClaim {
  readonly account: Account;
  readonly pin: string;
  /** Client address as reported by trusted proxies. */
  readonly address: string;
}

/** Creates the check of a PIN, which unlocks a session and proves nothing else. Wrong ones count as wrong passwords too, and are logged like them. */
export const pinCheckOf = (db: Kysely<Schema>, listener: SignInListener) => {
  const attempts = signInAttempts(db, listener);
  const log = identityLog(db, listener);

  /** @throws ProblemError 'conflict' when the session is not locked; 'pin-unavailable', 'incorrect-pin', 'too-many-requests' */
  return async (principal: Principal, { account, pin, address }: PinClaim): Promise<void> => {
    if (principal.restriction !== 'session-locked') throw new ProblemError('conflict');
    const hash = await pinHashOf(db, account.id);
    if (hash === null) throw new ProblemError('pin-unavailable');
    const attempt = await attempts.begin(account.email, address);
    if (!attempt) throw new ProblemError('too-many-requests');
    const counted = await countPinAttempt(db, principal.grantId, freeAttempts);
    const isRight =
      counted !== undefined &&
      (await verifyPassword(pin, hash).catch(async (error) => {
        // The hashing queue was full, so nothing was checked.
        await attempt.undo();
        throw error;
      }));
    if (counted === undefined || isRight) await attempt.undo();
    if (isRight) return;
    if (counted !== undefined)
      await log.note({ action: 'sign-in.refused', method: 'pin', account, detail: 'incorrect-pin', address });
    throw counted === undefined || counted === freeAttempts
      ? new ProblemError('pin-unavailable')
      : new ProblemError('incorrect-pin', [{ fieldKey: 'pin' }]);
  };
};
export type PinCheck = ReturnType<typeof pinCheckOf>;
