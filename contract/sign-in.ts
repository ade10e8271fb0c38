import { z } from 'zod';

/** OpenID Connect, as this archive's provider speaks it. */
export const openid = {
  clientId: 'dentarium-web',
  scope: 'openid profile offline_access api.read',
  audience: 'urn:dentarium:archive',
  authorizePath: '/connect/authorize',
  tokenPath: '/connect/token',
  userInfoPath: '/connect/userinfo',
  revocationPath: '/connect/revocation',
  /** Where the code flow comes back to the browser's own client. */
  callbackPath: '/auth/callback',
  /** Parameter of the authorization request: the method that the person chose already. */
  methodParameter: 'method',
  /** Parameter of a renewal: the same for every repetition of one attempt whose reply was lost, and known to nobody else. */
  attemptParameter: 'attempt',
} as const;

/** Ways to sign in. `openid` is the clinic's own OpenID provider. */
export const signInMethods = ['password', 'bankid', 'siths', 'aad', 'sms', 'openid'] as const;
export const signInMethod = z.enum(signInMethods);
export type SignInMethod = z.infer<typeof signInMethod>;

/** Methods that are a provider elsewhere: the browser is sent there and comes back. */
export const upstreamMethods = ['siths', 'aad', 'openid'] as const;
export const upstreamMethod = z.enum(upstreamMethods);
export type UpstreamMethod = z.infer<typeof upstreamMethod>;

/** A method that this archive offers. */
export const offeredMethod = z.object({
  method: signInMethod,
  /** What a person calls it, where that is not the method's own name. */
  label: z.string().nullable(),
  /** It speaks to a test server: whoever signs in proves nothing. */
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

export const tokenRefusal = z.object({ error: z.string(), error_description: z.string().optional() });

/** What the access token (a JWT) carries for the browser. */
export const accessTokenClaims = z.object({
  sub: z.uuid(),
  exp: z.number(),
  permission: z.array(z.string()),
  role: z.array(z.string()),
  customer_id: z.uuid().nullable(),
});

/** What the browser may ask for a password to be reset, or a one-time code, in: the language of the letter. */
export const languageOfLetters = z.enum(['sv', 'en', 'da', 'no']);
export type LanguageOfLetters = z.infer<typeof languageOfLetters>;
