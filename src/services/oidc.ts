import {
  ErrorResponse,
  InMemoryWebStorage,
  type StateStore,
  User,
  UserManager,
  type UserManagerSettings,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { z } from 'zod';
import { openid, type SignInMethod, type TokenReply } from '../../contract/sign-in.ts';
import { type Failure, ServiceError } from './failure.ts';
import { type Refresh, refusalOfTokens } from './tokens.ts';

export interface CodeFlowStart {
  readonly method: SignInMethod;
  /** Where the person wants to be afterwards. */
  readonly place: string | null;
  /** BCP 47 tag of the page's language. */
  readonly language: string;
}

export interface CodeFlowEnd {
  readonly reply: TokenReply;
  readonly place: string | null;
  /** Forgets the state of this sign-in; until then its end can be tried again. */
  readonly forget: () => void;
}

/** OpenID Connect's code flow with PKCE and the renewal of its tokens, by oidc-client-ts. Its reply is stored by `tokens.ts` alone. */
export interface CodeFlow {
  /** Leaves the page for the archive's provider. Answers when the person came back to it as it was. */
  start(asked: CodeFlowStart): Promise<void>;
  /** `address`: of the page to which the provider came back. @throws ServiceError `sign-in-expired` when this browser did not begin it */
  finish(address: string): Promise<CodeFlowEnd>;
  renew: Refresh;
}

const timeoutSeconds = 30;
/** As long as an interaction may take, and some more. */
const staleStateSeconds = 3_600;
const statePrefix = 'oidc.';

const stateData = z.object({
  place: z
    .string()
    .regex(/^\/(?!\/)/)
    .nullable(),
});

/** The library tells a refusal by its type; everything else is an answer that did not come, or not from the archive. */
const failureIn = (error: unknown): Failure => {
  if (!(error instanceof ErrorResponse)) return { kind: 'offline' };
  const status = error.error === 'server_error' || error.error === 'temporarily_unavailable' ? 500 : 400;
  return refusalOfTokens(status, { error: error.error, error_description: error.error_description ?? undefined });
};

/** What became of a sign-in elsewhere; the archive puts its problem code into the description. */
const failureOfReturn = (error: unknown): Failure => {
  const failure = failureIn(error);
  if (failure.kind !== 'refused' || failure.code !== 'not-signed-in') return failure;
  const cancelled = error instanceof ErrorResponse && error.error === 'access_denied';
  return { ...failure, code: cancelled ? 'sign-in-cancelled' : 'sign-in-expired' };
};

const replyOf = (user: User): TokenReply => ({
  ...{ access_token: user.access_token, token_type: user.token_type, expires_in: user.expires_in ?? 0 },
  ...(user.refresh_token && { refresh_token: user.refresh_token }),
  ...(user.id_token && { id_token: user.id_token }),
  ...(user.scope && { scope: user.scope }),
});

/** `store`: where the state of a sign-in lies while the browser is elsewhere. */
export const createCodeFlow = (origin: string, store: Storage): CodeFlow => {
  const states = new WebStorageStateStore({ prefix: statePrefix, store });
  /** Looked at but not removed: a page that is reloaded, or that finds the archive away, finishes once more. */
  const lastingStates: StateStore = {
    get: (key) => states.get(key),
    set: (key, value) => states.set(key, value),
    remove: (key) => states.get(key),
    getAllKeys: () => states.getAllKeys(),
  };

  const settings = (stateStore: StateStore, users: Storage): UserManagerSettings => ({
    authority: origin,
    client_id: openid.clientId,
    redirect_uri: `${origin}${openid.callbackPath}`,
    scope: openid.scope,
    // Known, and always at this page's own address: nothing to discover.
    metadata: {
      issuer: origin,
      authorization_endpoint: `${origin}${openid.authorizePath}`,
      token_endpoint: `${origin}${openid.tokenPath}`,
    },
    stateStore,
    userStore: new WebStorageStateStore({ store: users }),
    // When to renew is the session's decision, and one tab renews for all.
    automaticSilentRenew: false,
    loadUserInfo: false,
    staleStateAgeInSeconds: staleStateSeconds,
    requestTimeoutInSeconds: timeoutSeconds,
  });

  return {
    start: async ({ method, place, language }) => {
      await new UserManager(settings(states, new InMemoryWebStorage())).signinRedirect({
        prompt: 'login',
        ui_locales: language,
        extraQueryParams: { [openid.methodParameter]: method },
        state: { place },
      });
    },
    finish: async (address) => {
      const state = new URL(address).searchParams.get('state');
      if (state === null || (await states.get(state)) === null)
        throw new ServiceError({ kind: 'refused', status: 400, code: 'sign-in-expired', errors: [] });
      const forget = () => store.removeItem(`${statePrefix}${state}`);
      const manager = new UserManager(settings(lastingStates, new InMemoryWebStorage()));
      try {
        const user = await manager.signinRedirectCallback(address);
        await manager.removeUser();
        return { reply: replyOf(user), place: stateData.safeParse(user.state).data?.place ?? null, forget };
      } catch (cause) {
        const failure = failureOfReturn(cause);
        if (failure.kind === 'refused' && failure.status < 500) forget();
        throw new ServiceError(failure, { cause });
      }
    },
    renew: async (held, attempt) => {
      const manager = new UserManager(settings(states, new InMemoryWebStorage()));
      await manager.storeUser(User.fromStorageString(JSON.stringify(held)));
      try {
        const user = await manager.signinSilent({
          silentRequestTimeoutInSeconds: timeoutSeconds,
          extraTokenParams: { [openid.attemptParameter]: attempt },
        });
        if (!user) throw new Error('signinSilent gave nobody');
        return replyOf(user);
      } catch (cause) {
        throw new ServiceError(failureIn(cause), { cause });
      } finally {
        // Its timers would go on for the life of the token.
        await manager.removeUser();
      }
    },
  };
};
