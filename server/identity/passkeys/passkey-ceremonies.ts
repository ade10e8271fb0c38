import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import {
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyCreation,
  type PasskeyRequest,
  passkeyCreation,
  passkeyRequest,
} from '../../../contract/passkey-messages.ts';
import type { Schema } from '../../db/schema.ts';
import type { Account } from '../../db/stores/account-store.ts';
import {
  type NewPasskey,
  type Passkey,
  passkeyByCredential,
  passkeysOf,
  usePasskey,
} from '../../db/stores/passkeys.ts';
import { putPending, takePending } from '../../db/stores/pending-sign-ins.ts';
import type { PasskeyParty } from './passkey-party.ts';

/** Why a reply of a passkey is refused. `passkey-counter`: its counter went backwards, so it may have been copied. */
export type PasskeyRefusal = 'incorrect-passkey' | 'passkey-counter';

export type VerifiedPasskey =
  | { readonly passkey: Passkey; readonly refusal: null }
  /** `passkey`: the one that the reply names; null when there is none. */
  | { readonly passkey: Passkey | null; readonly refusal: PasskeyRefusal };

/** For whom a challenge was made: `sign-in:<interaction>`, `new:<session>`, `unlock:<session>` or `second:<account>`. */
export type ChallengeOwner = `${'sign-in' | 'new' | 'unlock' | 'second'}:${string}`;

const goodForSeconds = 300;
const pendingChallenge = z.object({ challenge: z.string(), accountId: z.string().nullable() });

const keyOf = (owner: ChallengeOwner): string => `passkey:${owner}`;
const userHandleOf = (accountId: string) => Buffer.from(accountId);
const timeout = goodForSeconds * 1000;
/** EdDSA, ES256 and RS256 (RFC 8152, RFC 8812), which all authenticators support one of. */
const algorithms = [-8, -7, -257];

/** Creates the challenges of passkeys, one for each owner at a time and used once, and verifies the replies to them. */
export const passkeyCeremonies = (db: Kysely<Schema>) => {
  const saveChallenge = (owner: ChallengeOwner, challenge: string, accountId: string | null) =>
    putPending(db, keyOf(owner), { challenge, accountId }, goodForSeconds);

  const takeChallenge = async (owner: ChallengeOwner) =>
    pendingChallenge.safeParse(await takePending(db, keyOf(owner))).data;

  const descriptorsOf = async (accountId: string) =>
    (await passkeysOf(db, accountId)).map(({ credentialId, transports }) => ({
      id: credentialId,
      type: 'public-key' as const,
      transports: [...transports],
    }));

  return {
    /** `account`: whose passkeys are accepted; null: of any account, chosen by the user. */
    request: async (
      owner: ChallengeOwner,
      party: PasskeyParty,
      account: Pick<Account, 'id'> | null,
    ): Promise<PasskeyRequest> => {
      const options = await generateAuthenticationOptions({ rpID: party.id, userVerification: 'required', timeout });
      await saveChallenge(owner, options.challenge, account?.id ?? null);
      return passkeyRequest.parse({ ...options, allowCredentials: account ? await descriptorsOf(account.id) : [] });
    },

    /** Verifies a reply, and notes the use of the passkey. */
    verify: async (
      owner: ChallengeOwner,
      party: PasskeyParty,
      response: PasskeyAssertion,
    ): Promise<VerifiedPasskey> => {
      const expected = await takeChallenge(owner);
      const passkey = (await passkeyByCredential(db, response.id)) ?? null;
      const { userHandle } = response.response;
      const isOwn =
        passkey !== null &&
        (expected?.accountId ?? passkey.accountId) === passkey.accountId &&
        (!userHandle || Buffer.from(userHandle, 'base64url').equals(userHandleOf(passkey.accountId)));
      if (!expected || !isOwn) return { passkey, refusal: 'incorrect-passkey' };
      const { userHandle: _, ...reply } = response.response;
      const verified = await verifyAuthenticationResponse({
        response: { ...response, response: reply, clientExtensionResults: {} },
        expectedChallenge: expected.challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        // The counter is compared where it is stored, so that of two concurrent replies one is refused.
        credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
        requireUserVerification: true,
      }).catch(() => null);
      if (!verified?.verified) return { passkey, refusal: 'incorrect-passkey' };
      const isForward = await usePasskey(db, passkey.id, verified.authenticationInfo.newCounter);
      return isForward ? { passkey, refusal: null } : { passkey, refusal: 'passkey-counter' };
    },

    creation: async (owner: ChallengeOwner, party: PasskeyParty, account: Account): Promise<PasskeyCreation> => {
      const options = await generateRegistrationOptions({
        rpName: 'Dentarium',
        rpID: party.id,
        userID: new Uint8Array(userHandleOf(account.id)),
        userName: account.email,
        userDisplayName: `${account.firstName} ${account.lastName}`,
        attestationType: 'none',
        supportedAlgorithmIDs: algorithms,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        timeout,
      });
      await saveChallenge(owner, options.challenge, account.id);
      return passkeyCreation.parse({ ...options, excludeCredentials: await descriptorsOf(account.id) });
    },

    /** Returns the verified new passkey; null when the reply is not one to the last challenge. */
    register: async (
      owner: ChallengeOwner,
      party: PasskeyParty,
      response: PasskeyAttestation,
    ): Promise<Omit<NewPasskey, 'name'> | null> => {
      const expected = await takeChallenge(owner);
      if (!expected?.accountId) return null;
      const verified = await verifyRegistrationResponse({
        response: { ...response, clientExtensionResults: {} },
        expectedChallenge: expected.challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: true,
        supportedAlgorithmIDs: algorithms,
      }).catch(() => null);
      if (!verified?.verified) return null;
      const { id, publicKey, counter } = verified.registrationInfo.credential;
      const { transports } = response.response;
      return { accountId: expected.accountId, credentialId: id, publicKey, counter, transports };
    },
  };
};
export type PasskeyCeremonies = ReturnType<typeof passkeyCeremonies>;
