import { assign, emit, setup } from 'xstate';
import type { PasskeyRequest } from '../../../contract/passkey-messages.ts';
import type { SignInMethod } from '../../../contract/sign-in.ts';
import {
  type Failure,
  hasProblemCode,
  isArchiveUnavailable,
  isWorthRetrying,
  type SecondFactors,
} from '../../services/failure.ts';
import type { AppEvent } from '../app/app.events.ts';
import { callbackPort, port } from '../port.ts';
import {
  type Account,
  type Clinic,
  canChooseClinic,
  firstLocation,
  homePath,
  isSuperAdministrator,
  pathAfterSignIn,
  problemOf,
  type SessionProblem,
  samePermissions,
} from './session.rules.ts';

export type SessionEvent =
  /** `code`: from the authenticator, or a recovery code; null until the archive requires one, and with a passkey instead. */
  | { type: 'sign-in.submitted'; email: string; password: string; code: string | null; byPasskey?: boolean }
  /** A sign-in method that redirects the browser. */
  | { type: 'method.chosen'; method: SignInMethod }
  | { type: 'code.dismissed' }
  | { type: 'restore.retried' }
  | { type: 'sign-out.requested' }
  /** Another tab signed out, or another user signed in there. */
  | { type: 'session.ended-elsewhere' }
  /** A call was rejected and the token could not be renewed. */
  | { type: 'token.rejected'; failure: Failure }
  /** The computer woke up, the page became visible or the network came back. `renewInMs`: remaining token lifetime. */
  | { type: 'page.woke'; renewInMs: number }
  | { type: 'clinic.chosen'; clinic: Clinic }
  | { type: 'clinic.closed' }
  | { type: 'path.entered'; path: string };

/** What the port signs in with. `passkey`: the options of the call for one. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly code: string | null;
  readonly passkey: PasskeyRequest | null;
}

/** Why the last session ended. `problem`: the user must sign in again; see `selectSessionProblem`. */
export type SessionEnd = 'requested' | 'elsewhere' | 'problem' | 'unresolved';

/** A token stored by the service; the machine knows only its lifetime, less the clock skew. */
export interface Grant {
  readonly renewInMs: number;
}

/** A sign-in found at page load. `isNew`: the redirect of a sign-in has just returned; else it was stored before. */
export interface FoundGrant extends Grant {
  readonly isNew?: boolean;
}

export interface SessionContext {
  account: Account | null;
  clinic: Clinic | null;
  returnPath: string | null;
  renewInMs: number;
  /** The user has just signed in; false for a sign-in restored at page load. */
  isNew: boolean;
  failure: Failure | null;
  end: SessionEnd | null;
  problem: SessionProblem | null;
  /** The archive requires the second factor for the current sign-in. */
  needsCode: boolean;
  /** Of the account whose password was correct. */
  secondFactors: SecondFactors | null;
}

export const initialContext: SessionContext = {
  account: null,
  clinic: null,
  returnPath: null,
  renewInMs: 0,
  isNew: false,
  failure: null,
  end: null,
  problem: null,
  needsCode: false,
  secondFactors: null,
};

const emitEvent = (event: (context: SessionContext) => AppEvent) =>
  emit<SessionContext, SessionEvent, undefined, SessionEvent, AppEvent>(({ context }) => event(context));

/** Ports, guards, actions and delays of the session. */
export const chart = setup({
  types: { context: {} as SessionContext, events: {} as SessionEvent, emitted: {} as AppEvent },
  actors: {
    /** Also completes a sign-in whose redirect returned to this page. */
    restoreSession: port<FoundGrant | null, void>('restoreSession'),
    signIn: port<Grant, SignIn>('signIn'),
    /** Redirects the browser. Resolves only when the user navigates back to this page. */
    startSignIn: port<void, { method: SignInMethod; returnPath: string | null }>('startSignIn'),
    resolveAccount: port<Account, void>('resolveAccount'),
    recheckPermissions: port<readonly string[], void>('recheckPermissions'),
    renewToken: port<Grant, void>('renewToken'),
    /** `returnPath`: destination of the next sign-in in this tab. */
    signOut: port<void, { returnPath: string | null }>('signOut'),
    watchSession: callbackPort<{ permission: readonly string[] }>('watchSession'),
  },
  guards: {
    away: (_, failure: Failure) => isArchiveUnavailable(failure),
    rejected: (_, failure: Failure) => failure.kind === 'refused' && !isWorthRetrying(failure),
    /** About a token; codes such as `sign-in-expired` concern a returned redirect. */
    tokenRejected: (_, failure: Failure) =>
      hasProblemCode(failure, 'not-signed-in') || hasProblemCode(failure, 'account-inactive'),
    /** The account itself is rejected, independent of the token. */
    accountInactive: (_, failure: Failure) => hasProblemCode(failure, 'account-inactive'),
    anyGrant: (_, grant: FoundGrant | null) => grant !== null,
    /** The password was correct and the code is missing or wrong, or the error is about neither. */
    codeRequired: ({ context }, failure: Failure) =>
      hasProblemCode(failure, 'code-needed') ||
      hasProblemCode(failure, 'incorrect-code') ||
      hasProblemCode(failure, 'incorrect-passkey') ||
      (context.needsCode &&
        !hasProblemCode(failure, 'incorrect-login') &&
        !hasProblemCode(failure, 'account-inactive')),
    tokenExpired: (_, renewInMs: number) => renewInMs <= 0,
    permissionsDiffer: ({ context }, permission: readonly string[]) =>
      !samePermissions(context.account?.permission ?? [], permission),
    canOpenClinic: ({ context }, clinic: Clinic) =>
      canChooseClinic(context.account?.permission ?? []) && clinic.id !== context.clinic?.id,
    clinicOpen: ({ context }) => context.clinic !== null,
    superAdministrator: ({ context }) => isSuperAdministrator(context.account?.user ?? null),
  },
  actions: {
    setGrant: assign({ renewInMs: (_, grant: Grant) => grant.renewInMs }),
    setFound: assign({
      renewInMs: (_, grant: FoundGrant | null) => grant?.renewInMs ?? 0,
      isNew: ({ context }, grant: FoundGrant | null) => grant?.isNew ?? context.isNew,
    }),
    setNew: assign({ isNew: true }),
    setFailure: assign({ failure: (_, failure: Failure) => failure }),
    /** `code-needed` is not shown as an error. */
    setCodeFailure: assign({
      failure: (_, failure: Failure) => (hasProblemCode(failure, 'code-needed') ? null : failure),
      secondFactors: ({ context }, failure: Failure) =>
        (failure.kind === 'refused' && failure.secondFactors) || context.secondFactors,
    }),
    setEnd: assign({ end: (_, end: SessionEnd) => end }),
    setProblem: assign({ end: 'problem', problem: (_, problem: SessionProblem) => problem }),
    setExpiry: assign({
      end: 'problem',
      problem: (_, failure: Failure) => problemOf(failure, 'expired'),
    }),
    setRejection: assign({ end: 'problem', problem: (_, failure: Failure) => problemOf(failure) }),
    setPath: assign({
      returnPath: ({ context }, entered: string) => pathAfterSignIn(context.returnPath, entered),
    }),
    clearPath: assign({ returnPath: null }),
    clearEnd: assign({ failure: null, end: null, problem: null }),
    clearAccount: assign({ account: null, clinic: null }),
    emitSettled: emitEvent(() => ({ type: 'session.settled' })),
    emitOpened: emitEvent(({ clinic }) => ({ type: 'session.opened', clinic })),
    emitClosed: emitEvent(() => ({ type: 'session.closed' })),
    emitClinic: emitEvent(({ clinic }) => ({ type: 'clinic.changed', clinic })),
    navigateHome: emitEvent(({ account, clinic }) => ({
      type: 'navigation.requested',
      path: homePath({ permission: account?.permission ?? [], clinic }),
    })),
    /** A reloaded page keeps its path. */
    navigateToFirstPath: emitEvent(({ account, clinic, returnPath, isNew }) => ({
      type: 'navigation.requested',
      path: firstLocation({ permission: account?.permission ?? [], clinic }, returnPath, isNew),
    })),
  },
  delays: {
    recheckInterval: 30_000,
    retryDelay: 5_000,
    /** Time to restore a stored sign-in before the page shows that it waits; the attempt continues. */
    loginWait: 8_000,
    tokenLifetime: ({ context }) => context.renewInMs,
  },
});
