import type { PasskeyAssertion } from '../../contract/passkey-messages.ts';
import { problemCode } from '../../contract/problem.ts';
import { openid, sessionEndReason, type TokenReply, tokenError, tokenReply } from '../../contract/sign-in.ts';
import { type Failure, failureOf, isWorthRetrying, ServiceError } from './failure.ts';
import { renewalAttempts } from './renewal-attempt.ts';
import { send } from './send.ts';
import { accountOf, readStored, recordOf, type StoredTokens, type TextStore } from './stored-tokens.ts';
import { tokenStorageKey } from './token-storage-key.ts';
import { withLock } from './with-lock.ts';

export { claimsOf, type StoredTokens, type TextStore } from './stored-tokens.ts';

/** Allowed difference between the clocks of browser and archive. */
export const clockSkewMs = 10_000;

/** A code, or the reply of a passkey. */
export interface GrantSecond {
  readonly code?: string | null;
  readonly passkey?: PasskeyAssertion | null;
}

export interface Tokens {
  /** The storage key of the tokens. */
  readonly storageKey: string;
  /** Returns the tokens of the bound account; null without them or if another account signed in in another tab. */
  current(): StoredTokens | null;
  /** Accepts only tokens of this account; null: of any account. */
  bindTo(accountId: string | null): void;
  /** Password grant (RFC 6749 section 4.3), with a second factor if the archive requires one. */
  grant(email: string, password: string, second?: GrantSecond): Promise<StoredTokens>;
  /** Stores the reply of another sign-in method. */
  save(reply: TokenReply): StoredTokens;
  /**
   * Renews the tokens, one renewal at a time in all tabs, as a refresh token is valid once. Returns tokens that another caller renewed
   * meanwhile. `stale`: the caller's expired access token.
   * @throws ServiceError refused after sign-out; offline without a reply
   */
  renew(stale: string): Promise<StoredTokens>;
  /** Deletes the tokens and revokes them in the archive. Never fails: tokens expire by themselves. */
  revoke(): Promise<void>;
  /** Returns the remaining lifetime in milliseconds. */
  goodForMs(tokens: StoredTokens): number;
}

/** Requests new tokens. `attempt` is the same for all repetitions of a renewal. @throws ServiceError */
export type Refresh = (stored: StoredTokens, attempt: string) => Promise<TokenReply>;

export interface TokensOptions {
  readonly origin: string;
  readonly store: TextStore;
  readonly refresh: Refresh;
  readonly now?: () => number;
}

/** Returns the failure of a token error (RFC 6749 section 5.2); its description is the problem code, or why the session has ended. */
export const failureOfTokenResponse = (status: number, body: unknown): Failure => {
  const {
    error_description: description,
    second_factors: factors,
    passkey = null,
  } = tokenError.safeParse(body).data ?? {};
  const problem = problemCode.safeParse(description);
  const sessionEnd = sessionEndReason.safeParse(description).data;
  const code = problem.success
    ? problem.data
    : status >= 500
      ? 'internal'
      : status === 429
        ? 'too-many-requests'
        : null;
  return {
    kind: 'refused',
    status,
    code: code ?? 'not-signed-in',
    errors: [],
    ...(sessionEnd && { sessionEnd }),
    ...(factors && { secondFactors: { factors, passkey } }),
  };
};

const notSignedIn = (): ServiceError =>
  new ServiceError({ kind: 'refused', status: 401, code: 'not-signed-in', errors: [] });

/** Returns whether the refresh token is finally rejected. */
const isFinalAnswer = (failure: Failure): boolean =>
  failure.kind === 'refused' && !isWorthRetrying(failure) && failure.status !== 429;

export const createTokens = ({ origin, store, refresh, now = Date.now }: TokensOptions): Tokens => {
  const storageKey = tokenStorageKey(origin, openid.clientId);
  const attempts = renewalAttempts(store, storageKey);
  let heldBy: string | null = null;

  const current = (): StoredTokens | null => {
    const tokens = readStored(store.getItem(storageKey));
    return tokens && (heldBy === null || accountOf(tokens) === heldBy) ? tokens : null;
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
      // The user signed out during the renewal: the reply must not sign in again.
      if (!meanwhile) throw notSignedIn();
      return meanwhile.refresh_token === tokens.refresh_token ? keep(reply, tokens) : meanwhile;
    } catch (error) {
      if (isFinalAnswer(failureOf(error)) && current()?.refresh_token === tokens.refresh_token) attempts.forget();
      throw error;
    }
  };

  return {
    storageKey,
    current,
    bindTo: (accountId) => {
      heldBy = accountId;
    },
    grant: async (username, password, { code, passkey } = {}) => {
      const { status, body } = await send(`${origin}${openid.tokenPath}`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: openid.clientId,
          grant_type: 'password',
          username,
          password,
          ...(code && { code }),
          ...(passkey && { passkey: JSON.stringify(passkey) }),
          scope: openid.scope,
        }),
      });
      if (status >= 400) throw new ServiceError(failureOfTokenResponse(status, body));
      const reply = tokenReply.safeParse(body);
      if (!reply.success) throw new ServiceError({ kind: 'drift', where: `POST ${openid.tokenPath}` });
      return keep(reply.data, null);
    },
    save: (reply) => keep(reply, null),
    renew: (stale) =>
      withLock(`${storageKey}:renewal`, async () => {
        const tokens = current();
        if (!tokens) throw notSignedIn();
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
