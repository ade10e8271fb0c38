import type { Kysely } from 'kysely';
import type { PasskeyAssertion, PasskeyRequest } from '../../../contract/passkey-messages.ts';
import type { Schema } from '../../db/schema.ts';
import type { Account } from '../../db/stores/account-store.ts';
import { hashedToken } from '../../db/stores/token-hash.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { SignInListener } from '../../domain/sign-in-failure.ts';
import { signInAttempts } from '../attempts.ts';
import { identityLog } from '../identity-log.ts';
import { type ChallengeOwner, passkeyCeremonies } from './passkey-ceremonies.ts';
import type { PasskeyParty } from './passkey-party.ts';

type Session = Pick<Principal, 'grantId'>;

interface PasskeyClaim {
  readonly account: Account;
  readonly party: PasskeyParty;
  readonly response: PasskeyAssertion;
  /** Client address as reported by trusted proxies. */
  readonly address: string;
}

const unlockOwner = ({ grantId }: Session): ChallengeOwner => `unlock:${hashedToken(grantId)}`;

/** Unlocks a session by a passkey of its own user. Challenges belong to the session. */
export const passkeyUnlock = (db: Kysely<Schema>, listener: SignInListener) => {
  const ceremonies = passkeyCeremonies(db);
  const attempts = signInAttempts(db, listener);
  const log = identityLog(db, listener);
  return {
    /** @throws ProblemError 'not-found' without a passkey */
    request: async (session: Session, party: PasskeyParty, account: Account): Promise<PasskeyRequest> => {
      if (!account.hasPasskey) throw new ProblemError('not-found');
      return ceremonies.request(unlockOwner(session), party, account);
    },

    /** Limited and logged like a password. @throws ProblemError 'incorrect-passkey', 'too-many-requests' */
    check: async (session: Session, { account, party, response, address }: PasskeyClaim): Promise<void> => {
      const attempt = await attempts.begin(account.email, address);
      if (!attempt) throw new ProblemError('too-many-requests');
      const { refusal } = await ceremonies.verify(unlockOwner(session), party, response);
      if (refusal) {
        await log.note({ action: 'sign-in.refused', method: 'passkey', account, detail: refusal, address });
        throw new ProblemError('incorrect-passkey');
      }
      await attempt.undo();
    },
  };
};
export type PasskeyUnlock = ReturnType<typeof passkeyUnlock>;
