import { welcome } from '../../contract/about.ts';
import { userInfo } from '../../contract/account.ts';
import type { PasskeyRequest } from '../../contract/passkey-messages.ts';
import { route, signedIn } from '../../contract/route.ts';
import { openid, type SignInMethod } from '../../contract/sign-in.ts';
import type { createLoadAccount, SessionAccount } from './account.ts';
import type { Call } from './call.ts';
import { failureOf, hasProblemCode, isArchiveUnavailable } from './failure.ts';
import type { CodeFlow } from './oidc.ts';
import { isReturn, type PageAddress } from './page-address.ts';
import type { PasskeyCalls } from './passkey-calls.ts';
import { claimsOf, type StoredTokens, type Tokens } from './tokens.ts';
import { whenIdle } from './when-idle.ts';

/** A stored sign-in with its remaining lifetime in milliseconds. */
export interface SessionGrant {
  readonly renewInMs: number;
}

/** The second factor of a sign-in by password; both null before the archive asks for one. */
export interface SignInSecond {
  readonly code: string | null;
  readonly passkey: PasskeyRequest | null;
}

export interface SessionService {
  /**
   * Completes a returned redirect, or restores a stored sign-in; null without one. `isNew`: a redirect was completed.
   * @throws ServiceError if it is no longer valid or the archive did not reply
   */
  restore(): Promise<(SessionGrant & { readonly isNew?: boolean }) | null>;
  /** `passkey`: asks for one as second factor. */
  signIn(email: string, password: string, second: SignInSecond): Promise<SessionGrant>;
  /** Redirects to another sign-in method. Resolves only when the user navigates back. */
  startRedirect(method: SignInMethod, returnPath: string | null): Promise<void>;
  /** Loads claims, dictionaries, clinic and account; retries while the archive is unavailable. @throws ServiceError */
  resolve(): Promise<SessionAccount>;
  /** Returns the current permissions of the account. */
  permissions(signal: AbortSignal): Promise<readonly string[]>;
  renew(): Promise<SessionGrant>;
  /** `place`: the path after the next sign-in in this tab. */
  signOut(returnPath: string | null): Promise<void>;
  /** Returns the stored sign-in; null without one or if it belongs to another account. */
  current(): SessionGrant | null;
}

const userInfoCall = route({ method: 'POST', path: openid.userInfoPath, access: signedIn, reply: userInfo });

export interface SessionDependencies {
  readonly tokens: Tokens;
  readonly call: Call;
  readonly codeFlow: () => Promise<Pick<CodeFlow, 'start' | 'finish'>>;
  readonly passkeyCalls: () => Promise<Pick<PasskeyCalls, 'askForPasskey'>>;
  readonly loadAccount: ReturnType<typeof createLoadAccount>;
  readonly address: PageAddress;
  /** Language of the page. */
  readonly language: () => string;
  /** Delays before retries, in milliseconds. */
  readonly delaysMs?: readonly number[];
}

/** Avoids a busy loop of renewals if the lifetime is shorter than the clock skew. */
const minLifetimeMs = 1_000;

/** Retries while the archive is unavailable: short network errors must not end a sign-in. */
const retryWhileUnavailable = async <Result>(
  work: () => Promise<Result>,
  delaysMs: readonly number[],
): Promise<Result> => {
  for (const delayMs of delaysMs) {
    try {
      return await work();
    } catch (error) {
      if (!isArchiveUnavailable(failureOf(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return work();
};

export const createSession = (deps: SessionDependencies): SessionService => {
  const { tokens, call, codeFlow, passkeyCalls, loadAccount, address, language, delaysMs = [500, 1_500, 3_000] } = deps;
  let finishing: Promise<StoredTokens> | null = null;

  const grantOf = (stored: StoredTokens): SessionGrant => ({
    renewInMs: Math.max(minLifetimeMs, tokens.goodForMs(stored)),
  });

  const restoreStored = async (): Promise<SessionGrant | null> => {
    const stored = tokens.current();
    if (!stored) return null;
    if (tokens.goodForMs(stored) > 0) return grantOf(stored);
    try {
      return grantOf(await tokens.renew(stored.access_token));
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'refused' && failure.status < 500) void tokens.revoke();
      throw error;
    }
  };

  const finish = async (): Promise<StoredTokens> => {
    const end = await (await codeFlow()).finish(address.current());
    // Synchronous: a reload must find the sign-in either completed or not.
    const stored = tokens.save(end.reply);
    end.forget();
    address.replace(end.place ?? '/');
    return stored;
  };

  /** An authorization code is valid once: concurrent callers share the promise. */
  const finishOnce = (): Promise<StoredTokens> => {
    finishing ??= finish().finally(() => {
      finishing = null;
    });
    return finishing;
  };

  return {
    restore: async () => {
      tokens.bindTo(null);
      if (!isReturn(address.current())) return restoreStored();
      try {
        return { ...grantOf(await finishOnce()), isNew: true };
      } catch (error) {
        const failure = failureOf(error);
        if (isArchiveUnavailable(failure)) throw error;
        address.replace(address.returnPath() ?? '/');
        // The redirect was already completed: its tokens are stored.
        if (hasProblemCode(failure, 'sign-in-expired') && tokens.current()) return restoreStored();
        throw error;
      }
    },
    signIn: async (email, password, { code, passkey: request }) => {
      tokens.bindTo(null);
      const passkey = request && (await (await passkeyCalls()).askForPasskey(request));
      return grantOf(await tokens.grant(email, password, { code, passkey }));
    },
    startRedirect: async (method, returnPath) => {
      address.setReturnPath(returnPath);
      const [flow] = await Promise.all([
        codeFlow(),
        // Checks that the archive is reachable: a redirect to an unreachable server ends on an error page of the browser.
        call(welcome),
      ]);
      await flow.start({ method, returnPath, language: language() });
    },
    resolve: () =>
      retryWhileUnavailable(async () => {
        const claims = claimsOf(tokens.current()?.access_token ?? '');
        tokens.bindTo(claims.sub);
        const account = await loadAccount(claims);
        address.setReturnPath(null);
        // Preloads the renewal code: the archive may be unavailable or updated when it is needed.
        whenIdle(() => void codeFlow().catch(() => {}));
        return account;
      }, delaysMs),
    permissions: async (signal) => (await call(userInfoCall, { signal })).permission,
    renew: async () => {
      const stored = tokens.current();
      // Another tab or call has already renewed the token.
      if (stored && tokens.goodForMs(stored) > minLifetimeMs) return grantOf(stored);
      return grantOf(await tokens.renew(stored?.access_token ?? ''));
    },
    signOut: async (returnPath) => {
      address.setReturnPath(returnPath);
      await tokens.revoke();
      tokens.bindTo(null);
    },
    current: () => {
      const stored = tokens.current();
      return stored && { renewInMs: tokens.goodForMs(stored) };
    },
  };
};
