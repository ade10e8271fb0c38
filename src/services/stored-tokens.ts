import { z } from 'zod';
import { accessTokenClaims, type TokenReply } from '../../contract/sign-in.ts';
import { ServiceError } from './failure.ts';

/** Local storage, or a test double. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The format of oidc-client-ts: `expires_at` in seconds since 1970, `profile` with the claims of the ID token. */
const storedTokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.string(),
  scope: z.string().optional(),
  expires_at: z.number(),
  id_token: z.string().optional(),
  session_state: z.string().nullish(),
  profile: z.record(z.string(), z.unknown()).optional(),
});
export type StoredTokens = z.infer<typeof storedTokens>;

/** Returns the stored tokens; null if missing or unreadable. */
export const readStored = (text: string | null): StoredTokens | null => {
  try {
    return storedTokens.parse(JSON.parse(text ?? 'null'));
  } catch {
    return null;
  }
};

const payloadOf = (token: string): unknown => {
  const payload = token.split('.')[1] ?? '';
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
};

/** Returns the claims of an access token without verification, for display only. */
export const claimsOf = (accessToken: string) => {
  try {
    return accessTokenClaims.parse(payloadOf(accessToken));
  } catch (cause) {
    throw new ServiceError({ kind: 'drift', where: 'access token' }, { cause });
  }
};

/** Returns the account id of the tokens; null if unreadable. */
export const accountOf = ({ access_token }: Pick<StoredTokens, 'access_token'>): string | null => {
  try {
    return claimsOf(access_token).sub;
  } catch {
    return null;
  }
};

const profileOf = (idToken: string | undefined): StoredTokens['profile'] => {
  try {
    return z.record(z.string(), z.unknown()).parse(payloadOf(idToken ?? ''));
  } catch {
    return undefined;
  }
};

/** Returns the record for a token reply; null without a refresh token. `previous`: the renewed tokens. */
export const recordOf = (reply: TokenReply, previous: StoredTokens | null, nowMs: number): StoredTokens | null => {
  const { access_token, token_type, expires_in } = reply;
  const refresh_token = reply.refresh_token ?? previous?.refresh_token;
  if (!refresh_token) return null;
  const id_token = reply.id_token ?? previous?.id_token;
  return {
    id_token,
    session_state: null,
    access_token,
    refresh_token,
    token_type,
    scope: reply.scope ?? previous?.scope,
    profile: profileOf(id_token) ?? previous?.profile,
    expires_at: Math.floor(nowMs / 1000) + expires_in,
  };
};
