import { z } from 'zod';
import { bounds, uuid } from './bounds.ts';
import { emptyReply, needs, route, signedIn } from './route.ts';
import { mailLanguage } from './sign-in.ts';

/** Replies of these routes contain a status beside the data; every value but success is a failure. */
const success = z.literal('success');

/**
 * Creates a shared key; it takes effect when its first code is verified. Fails with `conflict` while it is on, and with
 * `proof-needed` for a user with a passkey without a recent proof (`contract/passkeys.ts`).
 */
export const twoFactorSetup = route({
  method: 'GET',
  path: '/auth/api/tfa/setup',
  access: signedIn,
  allowedWhen: ['two-factor-needed'],
  reply: z.object({
    status: success,
    data: z.object({
      /** Base32 (RFC 4648), for typing. */
      sharedKey: z.string(),
      /** `otpauth://totp/...`, for the QR code. */
      authenticatorUri: z.string(),
    }),
  }),
});

/** Turns two-factor on. The recovery codes are returned only here. Fails with `incorrect-code`. */
export const twoFactorVerify = route({
  method: 'POST',
  path: '/auth/api/tfa/verify',
  access: signedIn,
  allowedWhen: ['two-factor-needed'],
  body: z.strictObject({ verificationCode: z.string().trim().min(1).max(40) }),
  reply: z.object({ status: success, data: z.object({ recoveryCodes: z.array(z.string()) }) }),
});

/** Turns two-factor off, by a code of the authenticator or a recovery code. Fails with `incorrect-code`. */
export const twoFactorDisable = route({
  method: 'POST',
  path: '/auth/api/tfa/disable',
  access: signedIn,
  body: z.strictObject({ verificationCode: z.string().trim().min(1).max(40) }),
  reply: z.object({ status: success }),
});

/**
 * Turns off two-factor authentication of a user whom the caller administers and ends the user's sessions; both get an e-mail. `proof`: a code, for a
 * caller with two-factor authentication, else the password; absent after a recent proof (`contract/passkeys.ts`), else `proof-needed`. Fails with `incorrect-code` or `incorrect-password`, and with `conflict` when it is off.
 */
export const twoFactorReset = route({
  method: 'POST',
  path: '/api/Account/reset_two_factor',
  access: needs('user.update'),
  body: z.strictObject({
    id: uuid,
    proof: z.string().min(1).max(bounds.password[1]).optional(),
    language: mailLanguage.optional(),
  }),
  reply: emptyReply,
});
