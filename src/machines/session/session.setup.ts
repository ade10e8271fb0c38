import { assign, emit, setup } from 'xstate';
import type { SignInMethod } from '../../../contract/sign-in.ts';
import { type Failure, isAway, isRefusedAs } from '../../services/failure.ts';
import type { AppEvent } from '../app/app.events.ts';
import { port, talkingPort } from '../port.ts';
import {
  type Account,
  type Clinic,
  firstPlace,
  homePlace,
  isSuperAdministrator,
  mayChooseClinic,
  problemOf,
  type SessionProblem,
  samePermissions,
  wantedPlace,
} from './session.rules.ts';

export type SessionEvent =
  /** `code`: of the authenticator, or a recovery code; null before the archive has asked for one. */
  | { type: 'sign-in.submitted'; email: string; password: string; code: string | null }
  /** A way to sign in that leads out of this page. */
  | { type: 'method.chosen'; method: SignInMethod }
  | { type: 'code.dismissed' }
  | { type: 'restore.retried' }
  | { type: 'sign-out.wanted' }
  /** Another tab signed out, or somebody else signed in there. */
  | { type: 'session.ended-elsewhere' }
  /** A call was refused and the token could not be renewed. */
  | { type: 'token.refused'; failure: Failure }
  /** The computer slept, the page was away, the network came back. `renewInMs`: for how long the stored token is good now. */
  | { type: 'page.woke'; renewInMs: number }
  | { type: 'clinic.chosen'; clinic: Clinic }
  | { type: 'clinic.closed' }
  | { type: 'place.entered'; place: string };

/** Why the last session ended. `problem`: the person must sign in anew, and `selectSessionProblem` says why. */
export type SessionEnd = 'wanted' | 'elsewhere' | 'problem' | 'unresolved';

/** A token in the store of the service; the machine only knows for how long it is good, less the clock skew. */
export interface Grant {
  readonly renewInMs: number;
}

/** A sign-in that the page found. `isNew`: it has just come back from elsewhere; else it was there before the page was loaded. */
export interface FoundGrant extends Grant {
  readonly isNew?: boolean;
}

export interface SessionContext {
  account: Account | null;
  clinic: Clinic | null;
  place: string | null;
  renewInMs: number;
  /** Somebody has just signed in; else the page was loaded by somebody who had. */
  isNew: boolean;
  failure: Failure | null;
  end: SessionEnd | null;
  problem: SessionProblem | null;
  /** The archive asks for the second factor of the sign-in that is being tried. */
  asksCode: boolean;
}

const tell = (event: (context: SessionContext) => AppEvent) =>
  emit<SessionContext, SessionEvent, undefined, SessionEvent, AppEvent>(({ context }) => event(context));

/** What the chart of the session uses: ports, guards, actions, delays. */
export const chart = setup({
  types: { context: {} as SessionContext, events: {} as SessionEvent, emitted: {} as AppEvent },
  actors: {
    /** Also finishes a sign-in that comes back from elsewhere by this page's address. */
    restoreSession: port<FoundGrant | null, void>('restoreSession'),
    signIn: port<Grant, { email: string; password: string; code: string | null }>('signIn'),
    /** Leaves the page. Answers only when the person came back to it as it was. */
    startSignIn: port<void, { method: SignInMethod; place: string | null }>('startSignIn'),
    resolveAccount: port<Account, void>('resolveAccount'),
    recheckPermissions: port<readonly string[], void>('recheckPermissions'),
    renewToken: port<Grant, void>('renewToken'),
    /** `place`: where the next sign-in of this tab goes on. */
    signOut: port<void, { place: string | null }>('signOut'),
    watchSession: talkingPort<{ permission: readonly string[] }>('watchSession'),
  },
  guards: {
    away: (_, failure: Failure) => isAway(failure),
    refused: (_, failure: Failure) => failure.kind === 'refused' && !isAway(failure),
    /** Of a token; `sign-in-expired` and the like are about a way back from elsewhere. */
    tokenRefused: (_, failure: Failure) =>
      isRefusedAs(failure, 'not-signed-in') || isRefusedAs(failure, 'account-inactive'),
    /** A refusal of the person, whatever became of the token. */
    shutOut: (_, failure: Failure) => isRefusedAs(failure, 'account-inactive'),
    anyGrant: (_, grant: FoundGrant | null) => grant !== null,
    /** The password was right, and the code is missing or wrong; or nothing was said about either. */
    codeWanted: ({ context }, failure: Failure) =>
      isRefusedAs(failure, 'code-needed') ||
      isRefusedAs(failure, 'incorrect-code') ||
      (context.asksCode && !isRefusedAs(failure, 'incorrect-login') && !isRefusedAs(failure, 'account-inactive')),
    tokenOver: (_, renewInMs: number) => renewInMs <= 0,
    permissionsDiffer: ({ context }, permission: readonly string[]) =>
      !samePermissions(context.account?.permission ?? [], permission),
    mayOpenClinic: ({ context }, clinic: Clinic) =>
      mayChooseClinic(context.account?.permission ?? []) && clinic.id !== context.clinic?.id,
    clinicOpen: ({ context }) => context.clinic !== null,
    superAdministrator: ({ context }) => isSuperAdministrator(context.account?.user ?? null),
  },
  actions: {
    rememberGrant: assign({ renewInMs: (_, grant: Grant) => grant.renewInMs }),
    rememberFound: assign({
      renewInMs: (_, grant: FoundGrant | null) => grant?.renewInMs ?? 0,
      isNew: ({ context }, grant: FoundGrant | null) => grant?.isNew ?? context.isNew,
    }),
    rememberNewcomer: assign({ isNew: true }),
    rememberFailure: assign({ failure: (_, failure: Failure) => failure }),
    /** That a code is needed is a question, not a failure. */
    rememberCodeFailure: assign({
      failure: (_, failure: Failure) => (isRefusedAs(failure, 'code-needed') ? null : failure),
    }),
    rememberEnd: assign({ end: (_, end: SessionEnd) => end }),
    rememberProblem: assign({ end: 'problem', problem: (_, problem: SessionProblem) => problem }),
    rememberExpiry: assign({
      end: 'problem',
      problem: (_, failure: Failure) => (problemOf(failure) === 'inactive' ? 'inactive' : 'expired'),
    }),
    rememberRefusal: assign({ end: 'problem', problem: (_, failure: Failure) => problemOf(failure) }),
    rememberPlace: assign({ place: ({ context }, entered: string) => wantedPlace(context.place, entered) }),
    forgetPlace: assign({ place: null }),
    forgetEnd: assign({ failure: null, end: null, problem: null }),
    forgetAccount: assign({ account: null, clinic: null }),
    tellSettled: tell(() => ({ type: 'session.settled' })),
    tellOpened: tell(({ clinic }) => ({ type: 'session.opened', clinic })),
    tellClosed: tell(() => ({ type: 'session.closed' })),
    tellClinic: tell(({ clinic }) => ({ type: 'clinic.changed', clinic })),
    goHome: tell(({ account, clinic }) => ({
      type: 'place.wanted',
      place: homePlace({ permission: account?.permission ?? [], clinic }),
    })),
    /** A page that is loaded again stays where it is. */
    goToWork: tell(({ account, clinic, place, isNew }) => ({
      type: 'place.wanted',
      place: firstPlace({ permission: account?.permission ?? [], clinic }, place, isNew),
    })),
  },
  delays: {
    recheckInterval: 30_000,
    retryDelay: 5_000,
    /** A stored sign-in is given so long before the page shows that it waits; it goes on trying behind that. */
    loginWait: 8_000,
    tokenLifetime: ({ context }) => context.renewInMs,
  },
});
