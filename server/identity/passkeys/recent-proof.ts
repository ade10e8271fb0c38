import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { passkeyProofBody } from '../../../contract/passkeys.ts';
import type { Schema } from '../../db/schema.ts';
import { putPending, readPending } from '../../db/stores/pending-sign-ins.ts';
import { openSession } from '../../db/stores/sessions.ts';
import { hashedToken } from '../../db/stores/token-hash.ts';
import type { Principal } from '../../domain/policy/principal.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import { checkOwnPassword, type PasswordCheck } from '../check-password.ts';
import { ownAccount } from '../own-account.ts';
import type { SecondFactor } from '../second-factor.ts';
import type { ChallengeOwner } from './passkey-ceremonies.ts';
import type { PasskeyParty } from './passkey-party.ts';

type Owner = Pick<Principal, 'accountId' | 'grantId'>;

const recentSeconds = 300;

/** Challenges of changes belong to the session. */
export const newPasskeyOwner = ({ grantId }: Owner): ChallengeOwner => `new:${hashedToken(grantId)}`;

interface Proving {
  readonly proof: z.output<typeof passkeyProofBody>;
  readonly address: string;
  /** @throws ProblemError 'passkey-unavailable' */
  readonly party: () => PasskeyParty;
}

interface RecentProofDependencies {
  readonly db: Kysely<Schema>;
  readonly passwords: PasswordCheck;
  readonly secondFactor: SecondFactor;
}

/** Asks users again who they are before they change how they sign in. */
export const recentProofs = ({ db, passwords, secondFactor }: RecentProofDependencies) => {
  const keyOf = ({ grantId }: Owner) => `proved:${hashedToken(grantId)}`;

  /** A sign-in with two factors proves the same; users without a password have no other proof at first. */
  const hasJustSignedIn = async ({ accountId, grantId }: Owner): Promise<boolean> => {
    const facts = (await openSession(db, accountId, grantId))?.facts;
    return facts?.isStrong === true && Date.now() - Date.parse(facts.startedAt ?? '') < recentSeconds * 1000;
  };

  return {
    /**
     * Verifies a proof: a second factor of an account that has one, else the password. Limited and logged like a sign-in.
     * @throws ProblemError 'code-needed' for a password that is not enough; 'incorrect-password', 'incorrect-code', 'incorrect-passkey',
     * 'too-many-requests'
     */
    prove: async (owner: Owner, { proof, address, party }: Proving): Promise<void> => {
      const account = await ownAccount(db, owner);
      if (proof.kind === 'password') {
        if (account.twoFactorEnabled) throw new ProblemError('code-needed');
        await checkOwnPassword(passwords, { email: account.email, password: proof.password, address }, 'password');
      } else if (proof.kind === 'code') {
        if (!(await secondFactor.accepts(account, proof.code)))
          throw new ProblemError('incorrect-code', [{ fieldKey: 'code' }]);
      } else if ((await secondFactor.refusalOfPasskey(account, party(), proof.response)) !== null)
        throw new ProblemError('incorrect-passkey');
      await putPending(db, keyOf(owner), {}, recentSeconds);
    },

    /** @throws ProblemError 'proof-needed' */
    require: async (owner: Owner): Promise<void> => {
      if ((await readPending(db, keyOf(owner))) === undefined && !(await hasJustSignedIn(owner)))
        throw new ProblemError('proof-needed');
    },
  };
};
export type RecentProofs = ReturnType<typeof recentProofs>;
