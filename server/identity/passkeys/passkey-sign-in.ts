import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { interactionPasskey, interactionPasskeyOptions } from '../../../contract/interactions.ts';
import type { PasskeyAssertion } from '../../../contract/passkey-messages.ts';
import type { Schema } from '../../db/schema.ts';
import { type Account, accountById } from '../../db/stores/account-store.ts';
import { anyPasskey, passkeyByCredential } from '../../db/stores/passkeys.ts';
import { ProblemError } from '../../domain/problem-error.ts';
import type { SignInListener } from '../../domain/sign-in-failure.ts';
import { bindOpen } from '../../route-binding.ts';
import { clientAddress } from '../../web/client-address.ts';
import { requestOrigin } from '../../web/request-origin.ts';
import { signInAttempts } from '../attempts.ts';
import type { IdentityLog } from '../identity-log.ts';
import type { OwnInteractions } from '../interactions-of.ts';
import type { Methods } from '../methods.ts';
import type { SecondFactor } from '../second-factor.ts';
import { type ChallengeOwner, passkeyCeremonies } from './passkey-ceremonies.ts';
import { type PasskeyParty, passkeyPartyAt, requirePasskeyParty } from './passkey-party.ts';

interface PasskeySignInDependencies {
  readonly db: Kysely<Schema>;
  /** Public URL of the archive. */
  readonly issuer: string;
  readonly interactions: OwnInteractions;
  readonly secondFactor: SecondFactor;
  readonly log: IdentityLog;
  readonly signIns?: SignInListener | undefined;
  readonly checkReplies: boolean;
}

const signInOwner = (uid: string): ChallengeOwner => `sign-in:${uid}`;

/** Sign-in with a passkey: without a password, and as second factor after it. */
export const passkeySignIn = (deps: PasskeySignInDependencies): Methods => {
  const { db, issuer, interactions, secondFactor, log, checkReplies } = deps;
  const attempts = signInAttempts(db, deps.signIns);
  const ceremonies = passkeyCeremonies(db);
  const partyOf = (request: FastifyRequest) => requirePasskeyParty(requestOrigin(request, issuer));

  const ownerOf = async ({ id }: PasskeyAssertion): Promise<Account | null> => {
    const passkey = await passkeyByCredential(db, id);
    return (passkey && (await accountById(db, passkey.accountId))) ?? null;
  };

  /** Returns the account of the passkey. Limited and logged like a password. @throws ProblemError 'too-many-requests', 'incorrect-passkey' */
  const accountBy = async (
    owner: ChallengeOwner,
    { party, response, address }: { party: PasskeyParty; response: PasskeyAssertion; address: string },
  ): Promise<Account> => {
    const account = await ownerOf(response);
    const attempt = await (account ? attempts.begin(account.email, address) : attempts.beginFromAddress(address));
    if (!attempt) throw new ProblemError('too-many-requests');
    const { refusal } = await ceremonies.verify(owner, party, response);
    if (!account || refusal) {
      const detail = refusal ?? 'incorrect-passkey';
      await log.note({ action: 'sign-in.refused', method: 'passkey', account, detail, address });
      throw new ProblemError('incorrect-passkey');
    }
    await attempt.undo();
    await attempts.forget(account.email);
    return account;
  };

  const routes = (server: FastifyInstance): void => {
    bindOpen(server, { checkReplies }, interactionPasskeyOptions, async ({ request, reply }) => {
      const { uid } = await interactions.current(request, reply);
      const party = partyOf(request);
      const account = await interactions.accountAtCode(request, reply);
      return account ? secondFactor.passkeyRequest(account, party) : ceremonies.request(signInOwner(uid), party, null);
    });

    bindOpen(server, { checkReplies }, interactionPasskey, async ({ body: { response }, request, reply }) => {
      const { uid } = await interactions.current(request, reply);
      const party = partyOf(request);
      if (await interactions.accountAtCode(request, reply))
        return interactions.passkey(request, reply, (account) =>
          secondFactor.refusalOfPasskey(account, party, response),
        );
      const address = clientAddress(request);
      const account = await accountBy(signInOwner(uid), { party, response, address });
      // A key in the user's possession, and what unlocks it.
      const proof = { accounts: [account], method: 'passkey', amr: ['mfa', 'pop'], strong: true } as const;
      return interactions.proved(request, reply, proof);
    });
  };

  return {
    // Offered once a user has a passkey: other archives keep their short list.
    offered: async () =>
      passkeyPartyAt(issuer) && (await anyPasskey(db)) ? [{ method: 'passkey', label: null, test: false }] : [],
    routes,
  };
};
