import { z } from 'zod';
import { passkeyRequest, secondFactor } from './passkey-messages.ts';

/** OpenID Connect parameters of the archive's provider. */
export const openid = {
  clientId: 'dentarium-web',
  scope: 'openid profile offline_access api.read',
  audience: 'urn:dentarium:archive',
  authorizePath: '/connect/authorize',
  tokenPath: '/connect/token',
  userInfoPath: '/connect/userinfo',
  revocationPath: '/connect/revocation',
  /** Redirect URI of the browser's own client. */
  callbackPath: '/auth/callback',
  /** Parameter of the authorization request: the sign-in method already chosen. */
  methodParameter: 'method',
  /** Parameter of a token renewal: a secret idempotency key, the same for every retry of one attempt. */
  attemptParameter: 'attempt',
} as const;

/** Ways to sign in. `openid` is the clinic's own OpenID provider. */
export const signInMethods = ['password', 'passkey', 'bankid', 'siths', 'aad', 'sms', 'openid'] as const;
export const signInMethod = z.enum(signInMethods);
export type SignInMethod = z.infer<typeof signInMethod>;

/** Methods of an external provider: the browser is redirected there and back. */
export const upstreamMethods = ['siths', 'aad', 'openid'] as const;
export const upstreamMethod = z.enum(upstreamMethods);
export type UpstreamMethod = z.infer<typeof upstreamMethod>;

/** A method that this archive offers. */
export const offeredMethod = z.object({
  method: signInMethod,
  /** Display name, when it differs from that of the method. */
  label: z.string().nullable(),
  /** True when it uses a test server: a sign-in proves no identity. */
  test: z.boolean(),
});
export type OfferedMethod = z.infer<typeof offeredMethod>;

export const tokenReply = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  id_token: z.string().optional(),
  token_type: z.string(),
  expires_in: z.number(),
  scope: z.string().optional(),
});
export type TokenReply = z.infer<typeof tokenReply>;

/**
 * Why a session was ended; `account-inactive`: the account was deactivated or deleted; `signed-out-elsewhere`: by its user, in another session;
 * `session-too-long`: the policy of clinic or role allows no longer one.
 */
export const sessionEndReason = z.enum([
  'password-changed',
  'two-factor-changed',
  'rights-changed',
  'account-inactive',
  'signed-out-elsewhere',
  'ended-by-administrator',
  'session-too-long',
]);
export type SessionEndReason = z.infer<typeof sessionEndReason>;

/**
 * `error_description`: a problem code, or why the session that is renewed has ended. `second_factors` and `passkey`, the options of the browser call:
 * after the correct password of an account with two factors.
 */
export const tokenError = z.object({
  error: z.string(),
  error_description: z.string().optional(),
  second_factors: z.array(secondFactor).optional(),
  passkey: passkeyRequest.optional(),
});

/** Claims of the access token (a JWT) for the browser. */
export const accessTokenClaims = z.object({
  sub: z.uuid(),
  exp: z.number(),
  permission: z.array(z.string()),
  role: z.array(z.string()),
  customer_id: z.uuid().nullable(),
});

/** Language of e-mails with a password reset link or a one-time code. */
export const mailLanguage = z.enum(['sv', 'en', 'da', 'no']);
export type MailLanguage = z.infer<typeof mailLanguage>;
