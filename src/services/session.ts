import { accountInfo, type CurrentUser, roleClaims, userInfo } from '../../contract/account.ts';
import { customerGet } from '../../contract/customers.ts';
import { route, signedIn } from '../../contract/route.ts';
import { openid } from '../../contract/sign-in.ts';
import type { Call } from './call.ts';
import { failureOf } from './failure.ts';
import { claimsOf, type StoredTokens, type Tokens } from './tokens.ts';

/** A stored sign-in, and for how many milliseconds it is good. */
export interface SessionGrant {
  readonly renewInMs: number;
}

export interface SessionAccount {
  readonly user: CurrentUser;
  /** The token's own list. */
  readonly permission: readonly string[];
  readonly clinic: { readonly id: string; readonly name: string } | null;
  readonly knownClaims: readonly string[];
}

export interface SessionService {
  /** The sign-in that an earlier visit left; null when there is none, or none that is still good. */
  restore(): Promise<SessionGrant | null>;
  signIn(email: string, password: string, code: string | null): Promise<SessionGrant>;
  /** Claims from the token, dictionaries, clinic, user and account; a line that blinks is given time. @throws ServiceError of whichever failed */
  resolve(): Promise<SessionAccount>;
  /** What the archive allows this account at this moment. */
  permissions(signal: AbortSignal): Promise<readonly string[]>;
  renew(): Promise<SessionGrant>;
  signOut(): Promise<void>;
}

const userInfoCall = route({ method: 'POST', path: openid.userInfoPath, access: signedIn, reply: userInfo });

export interface SessionDependencies {
  readonly tokens: Tokens;
  readonly call: Call;
  /** The clinic that a super administrator had chosen in this tab. */
  readonly chosenClinicId: () => string | null;
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
      if (failureOf(error).kind !== 'offline') throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
  return work();
};

export const createSession = (deps: SessionDependencies): SessionService => {
  const { tokens, call, chosenClinicId, pausesMs = [500, 1_500, 3_000] } = deps;

  const grantOf = (held: StoredTokens): SessionGrant => ({
    renewInMs: Math.max(shortestLifetimeMs, tokens.goodForMs(held)),
  });

  const clinicOf = async (user: CurrentUser) => {
    const id = user.customerId ?? (user.customerRights.super_admin ? chosenClinicId() : null);
    if (id === null) return null;
    if (user.customerId !== null) {
      const { name } = await call(customerGet, { params: { id } });
      return { id, name };
    }
    // A clinic remembered by the tab may be gone; then none is chosen.
    return call(customerGet, { params: { id } }).then(
      ({ name }) => ({ id, name }),
      (error: unknown) => {
        if (failureOf(error).kind === 'refused') return null;
        throw error;
      },
    );
  };

  return {
    restore: async () => {
      const held = tokens.current();
      if (!held) return null;
      if (tokens.goodForMs(held) > 0) return grantOf(held);
      try {
        return grantOf(await tokens.renew(held.access_token));
      } catch (error) {
        const failure = failureOf(error);
        if (failure.kind !== 'refused' || failure.status >= 500) throw error;
        void tokens.revoke();
        return null;
      }
    },
    signIn: async (email, password, code) => grantOf(await tokens.grant(email, password, code)),
    resolve: () =>
      steadily(async () => {
        const claims = claimsOf(tokens.current()?.access_token ?? '');
        const knownClaims = await call(roleClaims);
        const user = await call(accountInfo, { query: {} });
        return { user, permission: claims.permission, clinic: await clinicOf(user), knownClaims };
      }, pausesMs),
    permissions: async (signal) => (await call(userInfoCall, { signal })).permission,
    renew: async () => {
      const held = tokens.current();
      return grantOf(await tokens.renew(held?.access_token ?? ''));
    },
    signOut: () => tokens.revoke(),
  };
};
