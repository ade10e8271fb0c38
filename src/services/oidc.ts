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
import { failureOfTokenResponse, type Refresh } from './tokens.ts';

export interface CodeFlowStart {
  readonly method: SignInMethod;
  /** The path to open after sign-in. */
  readonly returnPath: string | null;
  /** BCP 47 tag of the page's language. */
  readonly language: string;
}

export interface CodeFlowEnd {
  readonly reply: TokenReply;
  readonly place: string | null;
  /** Deletes the state of this sign-in; until then it can be completed again. */
  readonly forget: () => void;
}

/** Authorization code flow with PKCE and token renewal by oidc-client-ts. Only `tokens.ts` stores the reply. */
export interface CodeFlow {
  /** Redirects to the provider. Resolves only when the user navigates back to the page. */
  start(request: CodeFlowStart): Promise<void>;
  /** `address`: the redirect URI with its parameters. @throws ServiceError `sign-in-expired` if this browser did not start it */
  finish(address: string): Promise<CodeFlowEnd>;
  renew: Refresh;
}

const timeoutSeconds = 30;
/** Longer than an interaction may take. */
const staleStateSeconds = 3_600;
const statePrefix = 'oidc.';

const stateData = z.object({
  place: z
    .string()
    .regex(/^\/(?!\/)/)
    .nullable(),
});

/** The library throws ErrorResponse for error replies; everything else counts as offline. */
const failureIn = (error: unknown): Failure => {
  if (!(error instanceof ErrorResponse)) return { kind: 'offline' };
  const status = error.error === 'server_error' || error.error === 'temporarily_unavailable' ? 500 : 400;
  return failureOfTokenResponse(status, {
    error: error.error,
    error_description: error.error_description ?? undefined,
  });
};

/** Returns the failure of a returned redirect; the description contains the problem code. */
const failureOfReturn = (error: unknown): Failure => {
  const failure = failureIn(error);
  if (failure.kind !== 'refused' || failure.code !== 'not-signed-in') return failure;
  const cancelled = error instanceof ErrorResponse && error.error === 'access_denied';
  return { ...failure, code: cancelled ? 'sign-in-cancelled' : 'sign-in-expired' };
};

const replyOf = (user: User): TokenReply => ({
  access_token: user.access_token,
  token_type: user.token_type,
  expires_in: user.expires_in ?? 0,
  ...(user.refresh_token && { refresh_token: user.refresh_token }),
  ...(user.id_token && { id_token: user.id_token }),
  ...(user.scope && { scope: user.scope }),
});

/** Creates the code flow. `store` holds the state of a sign-in during the redirect. */
export const createCodeFlow = (origin: string, store: Storage): CodeFlow => {
  const states = new WebStorageStateStore({ prefix: statePrefix, store });
  /** The state is not removed on read: a reloaded page, or one that was offline, completes again. */
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
    // The endpoints are known and on the same origin: no discovery.
    metadata: {
      issuer: origin,
      authorization_endpoint: `${origin}${openid.authorizePath}`,
      token_endpoint: `${origin}${openid.tokenPath}`,
    },
    stateStore,
    userStore: new WebStorageStateStore({ store: users }),
    // The session decides when to renew; one tab renews for all.
    automaticSilentRenew: false,
    loadUserInfo: false,
    staleStateAgeInSeconds: staleStateSeconds,
    requestTimeoutInSeconds: timeoutSeconds,
  });

  return {
    start: async ({ method, returnPath: place, language }) => {
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
    renew: async (stored, attempt) => {
      const manager = new UserManager(settings(states, new InMemoryWebStorage()));
      await manager.storeUser(User.fromStorageString(JSON.stringify(stored)));
      try {
        const user = await manager.signinSilent({
          silentRequestTimeoutInSeconds: timeoutSeconds,
          extraTokenParams: { [openid.attemptParameter]: attempt },
        });
        if (!user) throw new Error('signinSilent returned no user');
        return replyOf(user);
      } catch (cause) {
        throw new ServiceError(failureIn(cause), { cause });
      } finally {
        // Its timers would run for the lifetime of the token.
        await manager.removeUser();
      }
    },
  };
};
