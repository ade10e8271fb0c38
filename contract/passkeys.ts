import { z } from 'zod';
import { bounds, moment, uuid } from './bounds.ts';
import { passkeyAssertion, passkeyAttestation, passkeyCreation, passkeyRequest } from './passkey-messages.ts';
import { emptyBody, emptyReply, idBody, route, signedIn } from './route.ts';

const name = z.string().trim().min(1).max(60);

export const passkey = z.object({ id: uuid, name, createdAt: moment, usedAt: moment.nullable() });
export type Passkey = z.infer<typeof passkey>;

/** How users prove again who they are: by a second factor, where they have one, else by the password. */
export const passkeyProofBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('password'), password: z.string().min(1).max(bounds.password[1]) }),
  /** Of the authenticator, or a recovery code. */
  z.strictObject({ kind: z.literal('code'), code: z.string().trim().min(1).max(40) }),
  z.strictObject({ kind: z.literal('passkey'), response: passkeyAssertion }),
]);

const whileTwoFactorNeeded = ['two-factor-needed'] as const;

/** Passkeys of the caller, oldest first. `isAvailable`: browsers allow passkeys at the address of the archive. */
export const passkeysGet = route({
  method: 'GET',
  path: '/auth/api/passkeys',
  access: signedIn,
  allowedWhen: whileTwoFactorNeeded,
  reply: z.object({ isAvailable: z.boolean(), passkeys: z.array(passkey) }),
});

/** Starts a proof by passkey. */
export const passkeyProofOptions = route({
  method: 'POST',
  path: '/auth/api/passkeys/proof_options',
  access: signedIn,
  allowedWhen: whileTwoFactorNeeded,
  body: emptyBody,
  reply: passkeyRequest,
});

/** Proves again who the user is, for changes of the next five minutes. Fails with `incorrect-password`, `incorrect-code`, `incorrect-passkey`. */
export const passkeyProof = route({
  method: 'POST',
  path: '/auth/api/passkeys/proof',
  access: signedIn,
  allowedWhen: whileTwoFactorNeeded,
  body: passkeyProofBody,
  reply: emptyReply,
});

/** Starts a new passkey. Fails with `proof-needed` without a recent proof, and with `passkey-unavailable`. */
export const passkeyOptions = route({
  method: 'POST',
  path: '/auth/api/passkeys/options',
  access: signedIn,
  allowedWhen: whileTwoFactorNeeded,
  body: emptyBody,
  reply: passkeyCreation,
});

/** Stores the new passkey. `recoveryCodes`: of an account that had no second factor before; returned only here. */
export const passkeyAdd = route({
  method: 'POST',
  path: '/auth/api/passkeys/add',
  access: signedIn,
  allowedWhen: whileTwoFactorNeeded,
  body: z.strictObject({ name, response: passkeyAttestation }),
  reply: z.object({ recoveryCodes: z.array(z.string()).nullable() }),
});

/** Fails with `proof-needed`, `not-found`. */
export const passkeyRename = route({
  method: 'POST',
  path: '/auth/api/passkeys/rename',
  access: signedIn,
  body: z.strictObject({ id: uuid, name }),
  reply: emptyReply,
});

/** Removes a passkey and ends the other sessions of the caller. Fails with `proof-needed`, `not-found`. */
export const passkeyRemove = route({
  method: 'POST',
  path: '/auth/api/passkeys/remove',
  access: signedIn,
  body: idBody,
  reply: emptyReply,
});
