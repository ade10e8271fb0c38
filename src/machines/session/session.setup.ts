import { assign, emit, setup } from 'xstate';
import type { Failure } from '../../services/failure.ts';
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

export interface SessionContext {
  account: Account | null;
  clinic: Clinic | null;
  place: string | null;
  renewInMs: number;
  failure: Failure | null;
  end: SessionEnd | null;
}

const tell = (event: (context: SessionContext) => AppEvent) =>
  emit<SessionContext, SessionEvent, undefined, SessionEvent, AppEvent>(({ context }) => event(context));

/** What the chart of the session uses: ports, guards, actions, delays. */
export const chart = setup({
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
});
