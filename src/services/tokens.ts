import { problemCode } from '../../contract/problem.ts';
import { openid, type TokenReply, tokenRefusal, tokenReply } from '../../contract/sign-in.ts';
import { type Failure, failureOf, isWorthRetrying, ServiceError } from './failure.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { renewalAttempts } from './renewal-attempt.ts';
import { send } from './send.ts';
import { storedName } from './stored-name.ts';
import { holderOf, readStored, recordOf, type StoredTokens, type TextStore } from './stored-tokens.ts';

export { claimsOf, type StoredTokens, type TextStore } from './stored-tokens.ts';

/** How much the clocks of browser and archive may differ. */
export const clockSkewMs = 10_000;

export interface Tokens {
  /** The name under which the tokens lie in the store. */
  readonly storageKey: string;
  /** The tokens of the person at the screen; null for nobody, and for somebody else who signed in by another tab. */
  current(): StoredTokens | null;
  /** From now on only tokens of this account count; null: anybody's, whoever signs in next. */
  hold(accountId: string | null): void;
  /** E-mail, password and, where the archive asked for it, a code for tokens (RFC 6749 section 4.3). */
  grant(email: string, password: string, code?: string | null): Promise<StoredTokens>;
  /** Stores what a sign-in by another way gave. */
  keep(reply: TokenReply): StoredTokens;
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

/** Asks the archive for new tokens. `attempt` is the same at each repetition of one renewal. @throws ServiceError */
export type Refresh = (held: StoredTokens, attempt: string) => Promise<TokenReply>;

export interface TokensOptions {
  readonly origin: string;
  readonly store: TextStore;
  readonly refresh: Refresh;
  readonly now?: () => number;
}

/** RFC 6749 section 5.2: the archive puts its problem code into the description. */
export const refusalOfTokens = (status: number, body: unknown): Failure => {
  const told = problemCode.safeParse(tokenRefusal.safeParse(body).data?.error_description);
  const code = told.success ? told.data : status >= 500 ? 'internal' : status === 429 ? 'too-many-requests' : null;
  return { kind: 'refused', status, code: code ?? 'not-signed-in', errors: [] };
};

const nobody = (): ServiceError =>
  new ServiceError({ kind: 'refused', status: 401, code: 'not-signed-in', errors: [] });

/** Is the answer the last word on a refresh token? */
const isFinal = (failure: Failure): boolean =>
  failure.kind === 'refused' && !isWorthRetrying(failure) && failure.status !== 429;

export const createTokens = ({ origin, store, refresh, now = Date.now }: TokensOptions): Tokens => {
  const storageKey = storedName(origin, openid.clientId);
  const attempts = renewalAttempts(store, storageKey);
  let heldBy: string | null = null;

  const current = (): StoredTokens | null => {
    const tokens = readStored(store.getItem(storageKey));
    return tokens && (heldBy === null || holderOf(tokens) === heldBy) ? tokens : null;
  };

  const keep = (reply: TokenReply, previous: StoredTokens | null): StoredTokens => {
    const tokens = recordOf(reply, previous, now());
    if (!tokens) throw new ServiceError({ kind: 'drift', where: `POST ${openid.tokenPath}` });
    store.setItem(storageKey, JSON.stringify(tokens));
    attempts.forget();
    return tokens;
  };

  const renewed = async (tokens: StoredTokens): Promise<StoredTokens> => {
    try {
      const reply = await refresh(tokens, attempts.of(tokens.refresh_token));
      const meanwhile = current();
      // Signed out while the reply was on its way: it must not sign in again.
      if (!meanwhile) throw nobody();
      return meanwhile.refresh_token === tokens.refresh_token ? keep(reply, tokens) : meanwhile;
    } catch (error) {
      if (isFinal(failureOf(error)) && current()?.refresh_token === tokens.refresh_token) attempts.forget();
      throw error;
    }
  };

  return {
    storageKey,
    current,
    hold: (accountId) => {
      heldBy = accountId;
    },
    grant: async (username, password, code) => {
      const { status, body } = await send(`${origin}${openid.tokenPath}`, {
        method: 'POST',
        body: new URLSearchParams({
          ...{ client_id: openid.clientId, grant_type: 'password', username, password },
          ...{ ...(code && { code }), scope: openid.scope },
        }),
      });
      if (status >= 400) throw new ServiceError(refusalOfTokens(status, body));
      const reply = tokenReply.safeParse(body);
      if (!reply.success) throw new ServiceError({ kind: 'drift', where: `POST ${openid.tokenPath}` });
      return keep(reply.data, null);
    },
    keep: (reply) => keep(reply, null),
    renew: (stale) =>
      oneAtATime(`${storageKey}:renewal`, async () => {
        const tokens = current();
        if (!tokens) throw nobody();
        return tokens.access_token === stale ? renewed(tokens) : tokens;
      }),
    revoke: async () => {
      const tokens = current();
      if (!tokens) return;
      store.removeItem(storageKey);
      attempts.forget();
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
