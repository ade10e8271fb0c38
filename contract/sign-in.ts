import { z } from 'zod';

/** OpenID Connect, as this archive's provider speaks it. */
export const openid = {
  clientId: 'dentarium-web',
  scope: 'openid profile offline_access api.read',
  audience: 'urn:dentarium:archive',
  tokenPath: '/connect/token',
  userInfoPath: '/connect/userinfo',
  revocationPath: '/connect/revocation',
} as const;

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
