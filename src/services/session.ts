import { welcome } from '../../contract/about.ts';
import { userInfo } from '../../contract/account.ts';
import { route, signedIn } from '../../contract/route.ts';
import { openid, type SignInMethod } from '../../contract/sign-in.ts';
import type { createLoadAccount, SessionAccount } from './account.ts';
import { atRest } from './at-rest.ts';
import type { Call } from './call.ts';
import { failureOf, isAway, isRefusedAs } from './failure.ts';
import type { CodeFlow } from './oidc.ts';
import { isReturn, type PageAddress } from './page-address.ts';
import { claimsOf, type StoredTokens, type Tokens } from './tokens.ts';

/** A stored sign-in, and for how many milliseconds it is good. */
export interface SessionGrant {
  readonly renewInMs: number;
}

export interface SessionService {
  /**
   * Finishes a sign-in that comes back from elsewhere by this page's address, or else takes up the one that an earlier visit left; null
   * when there is none. `isNew`: it has just come back. @throws ServiceError when it is no longer good, or nobody answered
   */
  restore(): Promise<(SessionGrant & { readonly isNew?: boolean }) | null>;
  signIn(email: string, password: string, code: string | null): Promise<SessionGrant>;
  /** Leaves the page for another way to sign in. Answers when the person came back to it as it was. */
  leaveFor(method: SignInMethod, place: string | null): Promise<void>;
  /** Claims from the token, dictionaries, clinic, account; a line that blinks is given time. @throws ServiceError of whichever failed */
  resolve(): Promise<SessionAccount>;
  /** What the archive allows this account at this moment. */
  permissions(signal: AbortSignal): Promise<readonly string[]>;
  renew(): Promise<SessionGrant>;
  /** `place`: where whoever signs in next in this tab goes on. */
  signOut(place: string | null): Promise<void>;
  /** The stored sign-in as it is now; null when it is nobody's, or somebody else's. */
  now(): SessionGrant | null;
}

const userInfoCall = route({ method: 'POST', path: openid.userInfoPath, access: signedIn, reply: userInfo });

export interface SessionDependencies {
  readonly tokens: Tokens;
  readonly call: Call;
  readonly codeFlow: () => Promise<Pick<CodeFlow, 'start' | 'finish'>>;
  readonly loadAccount: ReturnType<typeof createLoadAccount>;
  readonly address: PageAddress;
  /** Of the page. */
  readonly language: () => string;
  /** Pauses before calls that nobody answered are made again, in milliseconds. */
  readonly pausesMs?: readonly number[];
}

/** A lifetime shorter than the clock skew must not make a busy loop of renewals. */
const shortestLifetimeMs = 1_000;

/** A page that is being left breaks its calls off, and a line may blink: neither ends a sign-in. */
const steadily = async <Result>(work: () => Promise<Result>, pausesMs: readonly number[]): Promise<Result> => {
  for (const pauseMs of pausesMs) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(failureOf(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return work();
};

export const createSession = (deps: SessionDependencies): SessionService => {
  const { tokens, call, codeFlow, loadAccount, address, language, pausesMs = [500, 1_500, 3_000] } = deps;
  let finishing: Promise<StoredTokens> | null = null;

  const grantOf = (held: StoredTokens): SessionGrant => ({
    renewInMs: Math.max(shortestLifetimeMs, tokens.goodForMs(held)),
  });

  const restoreStored = async (): Promise<SessionGrant | null> => {
    const held = tokens.current();
    if (!held) return null;
    if (tokens.goodForMs(held) > 0) return grantOf(held);
    try {
      return grantOf(await tokens.renew(held.access_token));
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'refused' && failure.status < 500) void tokens.revoke();
      throw error;
    }
  };

  const finish = async (): Promise<StoredTokens> => {
    const end = await (await codeFlow()).finish(address.current());
    // In one breath: a page that is reloaded here has finished, or has yet to.
    const held = tokens.keep(end.reply);
    end.forget();
    address.replace(end.place ?? '/');
    return held;
  };

  /** A code is good for one use: who asks meanwhile waits for the same answer. */
  const finishOnce = (): Promise<StoredTokens> => {
    finishing ??= finish().finally(() => {
      finishing = null;
    });
    return finishing;
  };

  return {
    restore: async () => {
      tokens.hold(null);
      if (!isReturn(address.current())) return restoreStored();
      try {
        return { ...grantOf(await finishOnce()), isNew: true };
      } catch (error) {
        const failure = failureOf(error);
        if (isAway(failure)) throw error;
        address.replace(address.wanted() ?? '/');
        // A way back that was walked already: what it gave is in the store.
        if (isRefusedAs(failure, 'sign-in-expired') && tokens.current()) return restoreStored();
        throw error;
      }
    },
    signIn: async (email, password, code) => {
      tokens.hold(null);
      return grantOf(await tokens.grant(email, password, code));
    },
    leaveFor: async (method, place) => {
      address.want(place);
      const [flow] = await Promise.all([
        codeFlow(),
        // A browser that is sent to an archive that is away shows a page of its own, and nobody comes back from that.
        call(welcome),
      ]);
      await flow.start({ method, place, language: language() });
    },
    resolve: () =>
      steadily(async () => {
        const claims = claimsOf(tokens.current()?.access_token ?? '');
        tokens.hold(claims.sub);
        const account = await loadAccount(claims);
        address.want(null);
        // The code that renews tokens is there before it is needed: the archive may be away, or a newer one, by then.
        atRest(() => void codeFlow().catch(() => {}));
        return account;
      }, pausesMs),
    permissions: async (signal) => (await call(userInfoCall, { signal })).permission,
    renew: async () => {
      const held = tokens.current();
      // Another tab, or a call, was faster.
      if (held && tokens.goodForMs(held) > shortestLifetimeMs) return grantOf(held);
      return grantOf(await tokens.renew(held?.access_token ?? ''));
    },
    signOut: async (place) => {
      address.want(place);
      await tokens.revoke();
      tokens.hold(null);
    },
    now: () => {
      const held = tokens.current();
      return held && { renewInMs: tokens.goodForMs(held) };
    },
  };
};
