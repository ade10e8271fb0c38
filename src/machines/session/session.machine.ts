import { type ActorRefFrom, and, assertEvent, assign, emit, type SnapshotFrom, setup } from 'xstate';
import type { CurrentUser } from '../../../contract/account.ts';
import { type Claim, mayDo } from '../../../contract/claims.ts';
import { type Failure, failureOf } from '../../services/failure.ts';
import type { AppEvent } from '../app/app.events.ts';
import { port, talkingPort } from '../port.ts';
import {
  type Account,
  type Clinic,
  homePlace,
  isSuperAdministrator,
  mayChooseClinic,
  samePermissions,
  wantedPlace,
} from './session.rules.ts';

export type SessionEvent =
  | { type: 'sign-in.submitted'; email: string; password: string }
  | { type: 'restore.retried' }
  | { type: 'sign-out.wanted' }
  /** Another tab signed out. */
  | { type: 'session.ended-elsewhere' }
  /** A call was refused and the token could not be renewed. */
  | { type: 'token.refused' }
  | { type: 'clinic.chosen'; clinic: Clinic }
  | { type: 'clinic.closed' }
  | { type: 'place.entered'; place: string };

/** Why the last session ended. `problem`: rights changed or the token was refused, the person must sign in anew. */
export type SessionEnd = 'wanted' | 'elsewhere' | 'problem' | 'unresolved';

/** A token in the store of the service; the machine only knows for how long it is good, less the clock skew. */
export interface Grant {
  readonly renewInMs: number;
}

interface SessionContext {
  account: Account | null;
  clinic: Clinic | null;
  place: string | null;
  renewInMs: number;
  failure: Failure | null;
  end: SessionEnd | null;
}

const tell = (event: (context: SessionContext) => AppEvent) =>
  emit<SessionContext, SessionEvent, undefined, SessionEvent, AppEvent>(({ context }) => event(context));

/** Who is at the screen: signs in, keeps the sign-in good, notices when it no longer is. */
export const sessionMachine = setup({
  types: { context: {} as SessionContext, events: {} as SessionEvent, emitted: {} as AppEvent },
  actors: {
    restoreSession: port<Grant | null, void>('restoreSession'),
    signIn: port<Grant, { email: string; password: string }>('signIn'),
    resolveAccount: port<Account, void>('resolveAccount'),
    recheckPermissions: port<readonly string[], void>('recheckPermissions'),
    renewToken: port<Grant, void>('renewToken'),
    signOut: port<void, { elsewhere: boolean }>('signOut'),
    watchSession: talkingPort<void>('watchSession'),
  },
  guards: {
    offline: (_, failure: Failure) => failure.kind === 'offline',
    refused: (_, failure: Failure) => failure.kind === 'refused',
    anyGrant: (_, grant: Grant | null) => grant !== null,
    permissionsDiffer: ({ context }, permission: readonly string[]) =>
      !samePermissions(context.account?.permission ?? [], permission),
    mayOpenClinic: ({ context }, clinic: Clinic) =>
      mayChooseClinic(context.account?.permission ?? []) && clinic.id !== context.clinic?.id,
    clinicOpen: ({ context }) => context.clinic !== null,
    superAdministrator: ({ context }) => isSuperAdministrator(context.account?.user ?? null),
  },
  actions: {
    rememberGrant: assign({ renewInMs: (_, grant: Grant) => grant.renewInMs }),
    rememberFailure: assign({ failure: (_, failure: Failure) => failure }),
    rememberEnd: assign({ end: (_, end: SessionEnd) => end }),
    rememberPlace: assign({ place: ({ context }, entered: string) => wantedPlace(context.place, entered) }),
    forgetAccount: assign({ account: null, clinic: null }),
    tellSettled: tell(() => ({ type: 'session.settled' })),
    tellOpened: tell(({ clinic }) => ({ type: 'session.opened', clinic })),
    tellClosed: tell(() => ({ type: 'session.closed' })),
    tellClinic: tell(({ clinic }) => ({ type: 'clinic.changed', clinic })),
    goHome: tell(({ account, clinic }) => ({
      type: 'place.wanted',
      place: homePlace({ permission: account?.permission ?? [], clinic }),
    })),
    goToWork: tell(({ account, clinic, place }) => ({
      type: 'place.wanted',
      place: place ?? homePlace({ permission: account?.permission ?? [], clinic }),
    })),
  },
  delays: { recheckInterval: 30_000, retryDelay: 5_000, tokenLifetime: ({ context }) => context.renewInMs },
}).createMachine({
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
