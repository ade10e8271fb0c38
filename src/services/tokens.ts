import { z } from 'zod';
import { problemCode } from '../../contract/problem.ts';
import { accessTokenClaims, openid, tokenRefusal, tokenReply } from '../../contract/sign-in.ts';
import { type Failure, ServiceError } from './failure.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { send } from './send.ts';

/** How much the clocks of browser and archive may differ. */
export const clockSkewMs = 10_000;

/** The stored record has the shape that OpenID Connect clients of the browser use: `expires_at` in seconds since 1970. */
const storedTokens = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.string(),
  scope: z.string().optional(),
  expires_at: z.number(),
});
export type StoredTokens = z.infer<typeof storedTokens>;

/** Local storage, or what a test puts in its place. */
export type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface Tokens {
  /** The name under which the tokens lie in the store. */
  readonly storageKey: string;
  current(): StoredTokens | null;
  /** E-mail and password for tokens (RFC 6749 section 4.3). */
  grant(email: string, password: string, code?: string | null): Promise<StoredTokens>;
  /**
   * New tokens for old ones. One renewal at a time, over all tabs: a refresh token is good for one use. When somebody else was faster,
   * the result is theirs. `stale` is the access token that the caller found wanting.
   * @throws ServiceError refused when nobody is signed in any more; offline when there was no answer
   */
  renew(stale: string): Promise<StoredTokens>;
  /** Forgets the tokens at once and tells the archive. Never fails: an archive that cannot be told lets them expire. */
  revoke(): Promise<void>;
  /** Milliseconds for which the tokens are good. */
  goodForMs(tokens: StoredTokens): number;
}

export interface TokensOptions {
  readonly origin: string;
  readonly store: TextStore;
  readonly now?: () => number;
}

/** What an access token says about its bearer, unchecked: the archive checks, the browser only shows. */
export const claimsOf = (accessToken: string) => {
  const payload = accessToken.split('.')[1] ?? '';
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    return accessTokenClaims.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new ServiceError({ kind: 'drift', where: 'access token' }, { cause });
  }
};

/** RFC 6749 section 5.2: the archive puts its problem code into the description. */
const refusalOf = (status: number, body: unknown): Failure => {
  const told = problemCode.safeParse(tokenRefusal.safeParse(body).data?.error_description);
  const code = told.success ? told.data : status >= 500 ? 'internal' : 'not-signed-in';
  return { kind: 'refused', status, code, errors: [] };
};

export const createTokens = ({ origin, store, now = Date.now }: TokensOptions): Tokens => {
  const storageKey = `oidc.user:${origin}:${openid.clientId}`;

  const current = (): StoredTokens | null => {
    try {
      return storedTokens.parse(JSON.parse(store.getItem(storageKey) ?? 'null'));
    } catch {
      return null;
    }
  };

  const ask = async (fields: Record<string, string>, previous: StoredTokens | null): Promise<StoredTokens> => {
    const { status, body } = await send(`${origin}${openid.tokenPath}`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: openid.clientId, ...fields }),
    });
    if (status >= 400) throw new ServiceError(refusalOf(status, body));
    const reply = tokenReply.safeParse(body);
    const refreshToken = reply.data?.refresh_token ?? previous?.refresh_token;
    if (!reply.success || !refreshToken) throw new ServiceError({ kind: 'drift', where: `POST ${openid.tokenPath}` });
    const { access_token, token_type, scope, expires_in } = reply.data;
    const expires_at = Math.floor(now() / 1000) + expires_in;
    const tokens = { access_token, refresh_token: refreshToken, token_type, scope, expires_at };
    store.setItem(storageKey, JSON.stringify(tokens));
    return tokens;
  };

  const nobody = (): ServiceError =>
    new ServiceError({ kind: 'refused', status: 401, code: 'not-signed-in', errors: [] });

  return {
    storageKey,
    current,
    grant: (username, password, code) =>
      ask({ grant_type: 'password', username, password, ...(code && { code }), scope: openid.scope }, null),
    renew: (stale) =>
      oneAtATime(`${storageKey}:renewal`, async () => {
        const tokens = current();
        if (!tokens) throw nobody();
        if (tokens.access_token !== stale) return tokens;
        return ask({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }, tokens);
      }),
    revoke: async () => {
      const tokens = current();
      store.removeItem(storageKey);
      if (!tokens) return;
      const body = new URLSearchParams({
        client_id: openid.clientId,
        token: tokens.refresh_token,
        token_type_hint: 'refresh_token',
      });
      await send(`${origin}${openid.revocationPath}`, { method: 'POST', body, timeoutMs: 5_000 }).catch(() => {});
    },
    goodForMs: ({ expires_at }) => Math.max(0, expires_at * 1000 - now() - clockSkewMs),
  };
};
