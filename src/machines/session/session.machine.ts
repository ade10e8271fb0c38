import { type ActorRefFrom, and, assertEvent, assign, type SnapshotFrom } from 'xstate';
import type { CurrentUser } from '../../../contract/account.ts';
import { type Claim, mayDo } from '../../../contract/claims.ts';
import { type Failure, failureOf } from '../../services/failure.ts';
import type { Clinic, SessionProblem } from './session.rules.ts';
import { chart, type SessionEnd } from './session.setup.ts';

export type { SessionProblem } from './session.rules.ts';
export type { SessionEnd, SessionEvent } from './session.setup.ts';

/** Who is at the screen: signs in, keeps the sign-in good, notices when it no longer is. */
export const sessionMachine = chart.createMachine({
  id: 'session',
  context: {
    ...{ account: null, clinic: null, place: null, renewInMs: 0, isNew: false },
    ...{ failure: null, end: null, problem: null, asksCode: false },
  },
  initial: 'restoring',
  on: {
    'place.entered': { actions: { type: 'rememberPlace', params: ({ event }) => event.place } },
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
            actions: { type: 'rememberFound', params: ({ event }) => event.output },
          },
          { target: 'signedOut' },
        ],
        onError: [
          {
            guard: { type: 'away', params: ({ event }) => failureOf(event.error) },
            target: 'unreachable',
            actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
          },
          {
            guard: { type: 'tokenRefused', params: ({ event }) => failureOf(event.error) },
            target: 'signedOut',
            actions: { type: 'rememberExpiry', params: ({ event }) => failureOf(event.error) },
          },
          {
            target: 'signedOut',
            actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
          },
        ],
      },
      after: { loginWait: 'unreachable' },
      on: { 'sign-out.wanted': 'signingOut' },
    },
    unreachable: {
      entry: 'tellSettled',
      after: { retryDelay: 'restoring' },
      on: { 'restore.retried': 'restoring', 'sign-out.wanted': 'signingOut' },
    },
    signedOut: {
      entry: ['forgetAccount', 'tellSettled'],
      on: { 'sign-in.submitted': 'signingIn', 'method.chosen': 'leaving' },
      initial: 'idle',
      states: {
        idle: { entry: assign({ asksCode: false }) },
        /** The password was right; the form that holds it sends it once more, with the code. */
        codeNeeded: {
          entry: assign({ asksCode: true }),
          on: { 'code.dismissed': { target: 'idle', actions: 'forgetEnd' } },
        },
      },
    },
    signingIn: {
      entry: 'forgetEnd',
      invoke: {
        id: 'signIn',
        src: 'signIn',
        input: ({ event }) => {
          assertEvent(event, 'sign-in.submitted');
          return { email: event.email, password: event.password, code: event.code };
        },
        onDone: {
          target: 'resolving',
          actions: ['rememberNewcomer', { type: 'rememberGrant', params: ({ event }) => event.output }],
        },
        onError: [
          {
            guard: { type: 'codeWanted', params: ({ event }) => failureOf(event.error) },
            target: 'signedOut.codeNeeded',
            actions: { type: 'rememberCodeFailure', params: ({ event }) => failureOf(event.error) },
          },
          {
            target: 'signedOut',
            actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
          },
        ],
      },
    },
    leaving: {
      entry: 'forgetEnd',
      invoke: {
        id: 'startSignIn',
        src: 'startSignIn',
        input: ({ context, event }) => {
          assertEvent(event, 'method.chosen');
          return { method: event.method, place: context.place };
        },
        onDone: 'signedOut',
        onError: {
          target: 'signedOut',
          actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
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
            actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
          },
          {
            target: 'signingOut',
            actions: [
              { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
              { type: 'rememberEnd', params: 'unresolved' },
            ],
          },
        ],
      },
    },
    signedIn: {
      entry: ['forgetEnd', assign({ asksCode: false }), 'tellOpened', 'tellSettled', 'goToWork'],
      exit: 'tellClosed',
      invoke: {
        id: 'watchSession',
        src: 'watchSession',
        input: ({ context }) => ({ permission: context.account?.permission ?? [] }),
      },
      on: {
        'sign-out.wanted': {
          target: 'signingOut',
          actions: [{ type: 'rememberEnd', params: 'wanted' }, 'forgetPlace'],
        },
        'session.ended-elsewhere': {
          target: 'signingOut',
          actions: [{ type: 'rememberEnd', params: 'elsewhere' }, 'forgetPlace'],
        },
        'token.refused': {
          target: 'signingOut',
          actions: { type: 'rememberRefusal', params: ({ event }) => event.failure },
        },
        'clinic.chosen': {
          guard: { type: 'mayOpenClinic', params: ({ event }) => event.clinic },
          actions: [assign({ clinic: ({ event }) => event.clinic }), 'tellClinic', 'goHome'],
        },
        'clinic.closed': {
          guard: and(['clinicOpen', 'superAdministrator']),
          actions: [assign({ clinic: null }), 'tellClinic', 'goHome'],
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
                    actions: { type: 'rememberProblem', params: 'rights' },
                  },
                  { target: 'trusted' },
                ],
                // A 401 that could not be mended arrives as 'token.refused'; a bad line is no reason to lose work.
                onError: [
                  {
                    guard: { type: 'shutOut', params: ({ event }) => failureOf(event.error) },
                    target: '#session.signingOut',
                    actions: { type: 'rememberRefusal', params: ({ event }) => failureOf(event.error) },
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
                // Timers stand still while a computer sleeps: the token's time is counted anew.
                'page.woke': [
                  { guard: { type: 'tokenOver', params: ({ event }) => event.renewInMs }, target: 'renewing' },
                  {
                    target: 'fresh',
                    reenter: true,
                    actions: { type: 'rememberGrant', params: ({ event }) => ({ renewInMs: event.renewInMs }) },
                  },
                ],
              },
            },
            renewing: {
              invoke: {
                id: 'renewToken',
                src: 'renewToken',
                onDone: { target: 'fresh', actions: { type: 'rememberGrant', params: ({ event }) => event.output } },
                onError: [
                  {
                    guard: { type: 'refused', params: ({ event }) => failureOf(event.error) },
                    target: '#session.signingOut',
                    actions: { type: 'rememberRefusal', params: ({ event }) => failureOf(event.error) },
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
      // The pages that close behind somebody who leaves are not where the next one wants to be.
      on: { 'place.entered': {} },
      invoke: {
        id: 'signOut',
        src: 'signOut',
        input: ({ context }) => ({ place: context.place }),
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
/** Whoever was here is being signed out: the next one has to wait for it. */
export const selectIsSigningOut = (snapshot: SessionSnapshot): boolean => snapshot.matches('signingOut');
/** The way to sign in that was chosen leads elsewhere, and the browser is on its way. */
export const selectIsLeaving = (snapshot: SessionSnapshot): boolean => snapshot.matches('leaving');
/** The password was right and the second factor is asked for; also while the code is being checked. */
export const selectNeedsCode = (snapshot: SessionSnapshot): boolean =>
  snapshot.context.asksCode && (snapshot.matches({ signedOut: 'codeNeeded' }) || selectIsSigningIn(snapshot));
/** The archive cannot be reached, and a stored sign-in waits for it. */
export const selectIsUnreachable = (snapshot: SessionSnapshot): boolean => snapshot.matches('unreachable');
/** From the click on "sign in" until the account is known. */
export const selectIsSigningIn = (snapshot: SessionSnapshot): boolean =>
  snapshot.matches('signingIn') || snapshot.matches('resolving');
/** Why the last attempt to sign in failed; null after a success and before the first. */
export const selectSignInFailure = (snapshot: SessionSnapshot): Failure | null => snapshot.context.failure;
export const selectSessionEnd = (snapshot: SessionSnapshot): SessionEnd | null => snapshot.context.end;
/** Why the person must sign in anew; null unless `selectSessionEnd` is `problem`. */
export const selectSessionProblem = (snapshot: SessionSnapshot): SessionProblem | null => snapshot.context.problem;
export const selectUser = (snapshot: SessionSnapshot): CurrentUser | null => snapshot.context.account?.user ?? null;
export const selectClinic = (snapshot: SessionSnapshot): Clinic | null => snapshot.context.clinic;
export const selectCanCloseClinic = (snapshot: SessionSnapshot): boolean => snapshot.can({ type: 'clinic.closed' });
/** What the person at the screen may do, as their token says it. */
export const selectPermission = (snapshot: SessionSnapshot): readonly string[] =>
  snapshot.context.account?.permission ?? noPermission;
/** May the person at the screen do this? */
export const selectMay =
  (claim: Claim) =>
  (snapshot: SessionSnapshot): boolean =>
    mayDo(snapshot.context.account?.permission ?? [], claim);
