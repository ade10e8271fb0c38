import { type ActorRefFrom, and, assertEvent, assign, type SnapshotFrom } from 'xstate';
import type { CurrentUser } from '../../../contract/account.ts';
import { type Claim, mayDo } from '../../../contract/claims.ts';
import { type Failure, failureOf } from '../../services/failure.ts';
import type { Clinic } from './session.rules.ts';
import { chart, type SessionEnd } from './session.setup.ts';

export type { SessionEnd, SessionEvent } from './session.setup.ts';

/** Who is at the screen: signs in, keeps the sign-in good, notices when it no longer is. */
export const sessionMachine = chart.createMachine({
  id: 'session',
  context: { account: null, clinic: null, place: null, renewInMs: 0, failure: null, end: null },
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
            actions: assign({ renewInMs: ({ event }) => event.output?.renewInMs ?? 0 }),
          },
          { target: 'signedOut' },
        ],
        onError: [
          {
            guard: { type: 'offline', params: ({ event }) => failureOf(event.error) },
            target: 'unreachable',
            actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
          },
          { target: 'signedOut' },
        ],
      },
    },
    unreachable: {
      entry: 'tellSettled',
      after: { retryDelay: 'restoring' },
      on: { 'restore.retried': 'restoring', 'sign-out.wanted': 'signingOut' },
    },
    signedOut: {
      entry: ['forgetAccount', 'tellSettled'],
      on: { 'sign-in.submitted': 'signingIn' },
    },
    signingIn: {
      entry: assign({ failure: null, end: null }),
      invoke: {
        id: 'signIn',
        src: 'signIn',
        input: ({ event }) => {
          assertEvent(event, 'sign-in.submitted');
          return { email: event.email, password: event.password };
        },
        onDone: { target: 'resolving', actions: { type: 'rememberGrant', params: ({ event }) => event.output } },
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
        onError: {
          target: 'signingOut',
          actions: [
            { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
            { type: 'rememberEnd', params: 'unresolved' },
          ],
        },
      },
    },
    signedIn: {
      entry: [assign({ failure: null, end: null }), 'tellOpened', 'tellSettled', 'goToWork'],
      exit: 'tellClosed',
      invoke: { id: 'watchSession', src: 'watchSession' },
      on: {
        'sign-out.wanted': {
          target: 'signingOut',
          actions: [{ type: 'rememberEnd', params: 'wanted' }, assign({ place: null })],
        },
        'session.ended-elsewhere': {
          target: 'signingOut',
          actions: [{ type: 'rememberEnd', params: 'elsewhere' }, assign({ place: null })],
        },
        'token.refused': { target: 'signingOut', actions: { type: 'rememberEnd', params: 'problem' } },
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
            trusted: { after: { recheckInterval: 'rechecking' } },
            rechecking: {
              invoke: {
                id: 'recheckPermissions',
                src: 'recheckPermissions',
                onDone: [
                  {
                    guard: { type: 'permissionsDiffer', params: ({ event }) => event.output },
                    target: '#session.signingOut',
                    actions: { type: 'rememberEnd', params: 'problem' },
                  },
                  { target: 'trusted' },
                ],
                // A 401 that could not be mended arrives as 'token.refused'; a bad line is no reason to lose work.
                onError: 'trusted',
              },
            },
          },
        },
        token: {
          initial: 'fresh',
          states: {
            fresh: { after: { tokenLifetime: 'renewing' } },
            renewing: {
              invoke: {
                id: 'renewToken',
                src: 'renewToken',
                onDone: { target: 'fresh', actions: { type: 'rememberGrant', params: ({ event }) => event.output } },
                onError: [
                  {
                    guard: { type: 'refused', params: ({ event }) => failureOf(event.error) },
                    target: '#session.signingOut',
                    actions: { type: 'rememberEnd', params: 'problem' },
                  },
                  { target: 'stale' },
                ],
              },
            },
            stale: { after: { retryDelay: 'renewing' } },
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
        input: ({ context }) => ({ elsewhere: context.end === 'elsewhere' }),
        onDone: 'signedOut',
        onError: 'signedOut',
      },
    },
  },
});

export type SessionActor = ActorRefFrom<typeof sessionMachine>;
type SessionSnapshot = SnapshotFrom<typeof sessionMachine>;

export const selectIsSignedIn = (snapshot: SessionSnapshot): boolean => snapshot.matches('signedIn');
export const selectIsSignedOut = (snapshot: SessionSnapshot): boolean =>
  snapshot.matches('signedOut') || snapshot.matches('signingIn');
/** The archive cannot be reached, and a stored sign-in waits for it. */
export const selectIsUnreachable = (snapshot: SessionSnapshot): boolean => snapshot.matches('unreachable');
/** From the click on "sign in" until the account is known. */
export const selectIsSigningIn = (snapshot: SessionSnapshot): boolean =>
  snapshot.matches('signingIn') || snapshot.matches('resolving');
/** Why the last attempt to sign in failed; null after a success and before the first. */
export const selectSignInFailure = (snapshot: SessionSnapshot): Failure | null => snapshot.context.failure;
export const selectSessionEnd = (snapshot: SessionSnapshot): SessionEnd | null => snapshot.context.end;
export const selectUser = (snapshot: SessionSnapshot): CurrentUser | null => snapshot.context.account?.user ?? null;
export const selectClinic = (snapshot: SessionSnapshot): Clinic | null => snapshot.context.clinic;
export const selectCanCloseClinic = (snapshot: SessionSnapshot): boolean => snapshot.can({ type: 'clinic.closed' });
/** May the person at the screen do this? */
export const selectMay =
  (claim: Claim) =>
  (snapshot: SessionSnapshot): boolean =>
    mayDo(snapshot.context.account?.permission ?? [], claim);
