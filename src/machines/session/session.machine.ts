import { type ActorRefFrom, and, assertEvent, assign, type SnapshotFrom } from 'xstate';
import type { CurrentUser } from '../../../contract/account.ts';
import { type Claim, hasClaim } from '../../../contract/claims.ts';
import { type Failure, failureOf, type SecondFactors } from '../../services/failure.ts';
import type { Clinic, SessionProblem } from './session.rules.ts';
import { chart, initialContext, type SessionEnd } from './session.setup.ts';

export type { SessionProblem } from './session.rules.ts';
export type { SessionEnd, SessionEvent } from './session.setup.ts';

/** The user's session: signs in, renews the token and detects the end of the session. */
export const sessionMachine = chart.createMachine({
  id: 'session',
  context: initialContext,
  initial: 'restoring',
  on: {
    'path.entered': { actions: { type: 'setPath', params: ({ event }) => event.path } },
  },
  states: {
    restoring: {
      invoke: {
        id: 'restoreSession',
        src: 'restoreSession',
        onDone: [
          {
            guard: { type: 'anyGrant', params: ({ event }) => event.output },
            target: 'resolving',
            actions: { type: 'setFound', params: ({ event }) => event.output },
          },
          { target: 'signedOut' },
        ],
        onError: [
          {
            guard: { type: 'away', params: ({ event }) => failureOf(event.error) },
            target: 'unreachable',
            actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
          },
          {
            guard: { type: 'tokenRejected', params: ({ event }) => failureOf(event.error) },
            target: 'signedOut',
            actions: { type: 'setExpiry', params: ({ event }) => failureOf(event.error) },
          },
          {
            target: 'signedOut',
            actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
          },
        ],
      },
      after: { loginWait: 'unreachable' },
      on: { 'sign-out.requested': 'signingOut' },
    },
    unreachable: {
      entry: 'emitSettled',
      after: { retryDelay: 'restoring' },
      on: { 'restore.retried': 'restoring', 'sign-out.requested': 'signingOut' },
    },
    signedOut: {
      entry: ['clearAccount', 'emitSettled'],
      on: { 'sign-in.submitted': 'signingIn', 'method.chosen': 'leaving' },
      initial: 'idle',
      states: {
        idle: { entry: assign({ needsCode: false, secondFactors: null }) },
        /** The password was correct; the form sends it again together with the code. */
        codeNeeded: {
          entry: assign({ needsCode: true }),
          on: { 'code.dismissed': { target: 'idle', actions: 'clearEnd' } },
        },
      },
    },
    signingIn: {
      entry: 'clearEnd',
      invoke: {
        id: 'signIn',
        src: 'signIn',
        input: ({ context, event }) => {
          assertEvent(event, 'sign-in.submitted');
          const passkey = event.byPasskey ? (context.secondFactors?.passkey ?? null) : null;
          return { email: event.email, password: event.password, code: event.code, passkey };
        },
        onDone: {
          target: 'resolving',
          actions: ['setNew', { type: 'setGrant', params: ({ event }) => event.output }],
        },
        onError: [
          {
            guard: { type: 'codeRequired', params: ({ event }) => failureOf(event.error) },
            target: 'signedOut.codeNeeded',
            actions: { type: 'setCodeFailure', params: ({ event }) => failureOf(event.error) },
          },
          {
            target: 'signedOut',
            actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
          },
        ],
      },
    },
    leaving: {
      entry: 'clearEnd',
      invoke: {
        id: 'startSignIn',
        src: 'startSignIn',
        input: ({ context, event }) => {
          assertEvent(event, 'method.chosen');
          return { method: event.method, returnPath: context.returnPath };
        },
        onDone: 'signedOut',
        onError: {
          target: 'signedOut',
          actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
        },
      },
    },
    resolving: {
      invoke: {
        id: 'resolveAccount',
        src: 'resolveAccount',
        onDone: {
          target: 'signedIn',
          actions: assign({ account: ({ event }) => event.output, clinic: ({ event }) => event.output.clinic }),
        },
        onError: [
          {
            guard: { type: 'away', params: ({ event }) => failureOf(event.error) },
            target: 'unreachable',
            actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
          },
          {
            target: 'signingOut',
            actions: [
              { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
              { type: 'setEnd', params: 'unresolved' },
            ],
          },
        ],
      },
    },
    signedIn: {
      entry: [
        'clearEnd',
        assign({ needsCode: false, secondFactors: null }),
        'emitOpened',
        'emitSettled',
        'navigateToFirstPath',
      ],
      exit: 'emitClosed',
      invoke: {
        id: 'watchSession',
        src: 'watchSession',
        input: ({ context }) => ({ permission: context.account?.permission ?? [] }),
      },
      on: {
        'sign-out.requested': {
          target: 'signingOut',
          actions: [{ type: 'setEnd', params: 'requested' }, 'clearPath'],
        },
        'session.ended-elsewhere': {
          target: 'signingOut',
          actions: [{ type: 'setEnd', params: 'elsewhere' }, 'clearPath'],
        },
        'token.rejected': {
          target: 'signingOut',
          actions: { type: 'setRejection', params: ({ event }) => event.failure },
        },
        'clinic.chosen': {
          guard: { type: 'canOpenClinic', params: ({ event }) => event.clinic },
          actions: [assign({ clinic: ({ event }) => event.clinic }), 'emitClinic', 'navigateHome'],
        },
        'clinic.closed': {
          guard: and(['clinicOpen', 'superAdministrator']),
          actions: [assign({ clinic: null }), 'emitClinic', 'navigateHome'],
        },
      },
      type: 'parallel',
      states: {
        rights: {
          initial: 'trusted',
          states: {
            trusted: { after: { recheckInterval: 'rechecking' }, on: { 'page.woke': 'rechecking' } },
            rechecking: {
              invoke: {
                id: 'recheckPermissions',
                src: 'recheckPermissions',
                onDone: [
                  {
                    guard: { type: 'permissionsDiffer', params: ({ event }) => event.output },
                    target: '#session.signingOut',
                    actions: { type: 'setProblem', params: 'rights' },
                  },
                  { target: 'trusted' },
                ],
                // A final 401 arrives as 'token.rejected'; a network error must not end the session.
                onError: [
                  {
                    guard: { type: 'accountInactive', params: ({ event }) => failureOf(event.error) },
                    target: '#session.signingOut',
                    actions: { type: 'setRejection', params: ({ event }) => failureOf(event.error) },
                  },
                  { target: 'trusted' },
                ],
              },
            },
          },
        },
        token: {
          initial: 'fresh',
          states: {
            fresh: {
              after: { tokenLifetime: 'renewing' },
              on: {
                // Timers stop while the computer sleeps, so the remaining lifetime is set again.
                'page.woke': [
                  { guard: { type: 'tokenExpired', params: ({ event }) => event.renewInMs }, target: 'renewing' },
                  {
                    target: 'fresh',
                    reenter: true,
                    actions: { type: 'setGrant', params: ({ event }) => ({ renewInMs: event.renewInMs }) },
                  },
                ],
              },
            },
            renewing: {
              invoke: {
                id: 'renewToken',
                src: 'renewToken',
                onDone: { target: 'fresh', actions: { type: 'setGrant', params: ({ event }) => event.output } },
                onError: [
                  {
                    guard: { type: 'rejected', params: ({ event }) => failureOf(event.error) },
                    target: '#session.signingOut',
                    actions: { type: 'setRejection', params: ({ event }) => failureOf(event.error) },
                  },
                  { target: 'stale' },
                ],
              },
            },
            stale: { after: { retryDelay: 'renewing' }, on: { 'page.woke': 'renewing' } },
          },
        },
      },
    },
    signingOut: {
      // Redirects during sign-out are not a destination for the next user.
      on: { 'path.entered': {} },
      invoke: {
        id: 'signOut',
        src: 'signOut',
        input: ({ context }) => ({ returnPath: context.returnPath }),
        onDone: 'signedOut',
        onError: 'signedOut',
      },
    },
  },
});

const noPermission: readonly string[] = [];

export type SessionActor = ActorRefFrom<typeof sessionMachine>;
type SessionSnapshot = SnapshotFrom<typeof sessionMachine>;

export const selectIsSignedIn = (snapshot: SessionSnapshot): boolean => snapshot.matches('signedIn');
export const selectIsSignedOut = (snapshot: SessionSnapshot): boolean =>
  snapshot.matches('signedOut') || snapshot.matches('signingIn') || snapshot.matches('leaving');
/** Returns whether sign-out is running; the next sign-in waits for it. */
export const selectIsSigningOut = (snapshot: SessionSnapshot): boolean => snapshot.matches('signingOut');
/** Returns whether the browser is being redirected to another sign-in method. */
export const selectIsLeaving = (snapshot: SessionSnapshot): boolean => snapshot.matches('leaving');
/** Returns whether the second factor is required; also while the code is being checked. */
export const selectNeedsCode = (snapshot: SessionSnapshot): boolean =>
  snapshot.context.needsCode && (snapshot.matches({ signedOut: 'codeNeeded' }) || selectIsSigningIn(snapshot));
/** Returns the second factors of the account whose password was correct; null before. */
export const selectSecondFactors = (snapshot: SessionSnapshot): SecondFactors | null => snapshot.context.secondFactors;
/** Returns whether a stored sign-in waits because the archive cannot be reached. */
export const selectIsUnreachable = (snapshot: SessionSnapshot): boolean => snapshot.matches('unreachable');
/** Returns whether sign-in runs, from the click until the account is loaded. */
export const selectIsSigningIn = (snapshot: SessionSnapshot): boolean =>
  snapshot.matches('signingIn') || snapshot.matches('resolving');
/** Returns why the last sign-in failed; null after success and before the first attempt. */
export const selectSignInFailure = (snapshot: SessionSnapshot): Failure | null => snapshot.context.failure;
export const selectSessionEnd = (snapshot: SessionSnapshot): SessionEnd | null => snapshot.context.end;
/** Returns why the user must sign in again; null unless `selectSessionEnd` is `problem`. */
export const selectSessionProblem = (snapshot: SessionSnapshot): SessionProblem | null => snapshot.context.problem;
export const selectUser = (snapshot: SessionSnapshot): CurrentUser | null => snapshot.context.account?.user ?? null;
export const selectClinic = (snapshot: SessionSnapshot): Clinic | null => snapshot.context.clinic;
export const selectCanCloseClinic = (snapshot: SessionSnapshot): boolean => snapshot.can({ type: 'clinic.closed' });
/** Returns the user's claims as in the token. */
export const selectPermission = (snapshot: SessionSnapshot): readonly string[] =>
  snapshot.context.account?.permission ?? noPermission;
/** Returns a selector for whether the user has a claim. */
export const selectMay =
  (claim: Claim) =>
  (snapshot: SessionSnapshot): boolean =>
    hasClaim(snapshot.context.account?.permission ?? [], claim);
