import { type ActorRefFrom, assertEvent, assign, type SnapshotFrom, setup } from 'xstate';
import type { UnlockBy } from '../../../contract/sessions.ts';
import { type Failure, failureOf, hasProblemCode } from '../../services/failure.ts';
import { callbackPort, port } from '../port.ts';

type LockEvent =
  | { type: 'lock.requested' }
  /** No key, click or touch in any tab for as long as the policy allows. */
  | { type: 'input.idle' }
  /** Another tab locked the session, or the archive refused a call because it is locked. */
  | { type: 'session.locked' }
  /** Another tab unlocked the session. */
  | { type: 'session.unlocked' }
  | { type: 'unlock.submitted'; by: UnlockBy };

interface LockInput {
  readonly accountId: string;
  /** The session was locked when the page was loaded. */
  readonly isLocked: boolean;
  /** Null: it is locked by the user alone. */
  readonly idleMinutes: number | null;
}

interface LockContext extends LockInput {
  failure: Failure | null;
  /** The archive accepts no PIN until the session is unlocked otherwise. */
  isPinBlocked: boolean;
}

/** Ports, guards and actions of the lock. */
const chart = setup({
  types: { context: {} as LockContext, events: {} as LockEvent, input: {} as LockInput },
  actors: {
    lockSession: port<void, { accountId: string }>('lockSession'),
    unlockSession: port<void, { by: UnlockBy }>('unlockSession'),
    watchLock: callbackPort<{ accountId: string; idleMinutes: number | null }>('watchLock'),
  },
  guards: {
    wasLocked: ({ context }) => context.isLocked,
  },
  actions: {
    setFailure: assign(({ context }, failure: Failure) => ({
      failure,
      isPinBlocked: context.isPinBlocked || hasProblemCode(failure, 'pin-unavailable'),
    })),
    clearFailure: assign({ failure: null }),
    allowPin: assign({ isPinBlocked: false }),
  },
});

/** The lock of a session: the page stays behind it as it was until its user proves to be there. */
export const lockMachine = chart.createMachine({
  id: 'lock',
  context: ({ input }) => ({ ...input, failure: null, isPinBlocked: false }),
  invoke: {
    id: 'watchLock',
    src: 'watchLock',
    input: ({ context: { accountId, idleMinutes } }) => ({ accountId, idleMinutes }),
  },
  initial: 'starting',
  states: {
    starting: { always: [{ guard: 'wasLocked', target: 'locked' }, { target: 'unlocked' }] },
    unlocked: {
      entry: ['clearFailure', 'allowPin'],
      on: { 'lock.requested': 'locking', 'input.idle': 'locking', 'session.locked': 'locked' },
    },
    locking: {
      invoke: {
        id: 'lockSession',
        src: 'lockSession',
        input: ({ context: { accountId } }) => ({ accountId }),
        onDone: 'locked',
        // Without a connection the page is locked all the same; the archive locks an unused session by itself.
        onError: 'locked',
      },
    },
    locked: { on: { 'unlock.submitted': 'unlocking', 'session.unlocked': 'unlocked' } },
    unlocking: {
      entry: 'clearFailure',
      invoke: {
        id: 'unlockSession',
        src: 'unlockSession',
        input: ({ event }) => {
          assertEvent(event, 'unlock.submitted');
          return { by: event.by };
        },
        onDone: 'unlocked',
        onError: {
          target: 'locked',
          actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
        },
      },
    },
  },
});

export type LockActor = ActorRefFrom<typeof lockMachine>;
type LockSnapshot = SnapshotFrom<typeof lockMachine>;

/** Returns whether the page must be hidden. */
export const selectIsLocked = (snapshot: LockSnapshot): boolean => !snapshot.matches('unlocked');
export const selectIsUnlocking = (snapshot: LockSnapshot): boolean => snapshot.matches('unlocking');
/** Returns why the last attempt to unlock failed; null when `selectIsPinBlocked` says it. */
export const selectUnlockFailure = ({ context: { failure } }: LockSnapshot): Failure | null =>
  failure && hasProblemCode(failure, 'pin-unavailable') ? null : failure;
/** Returns whether the archive refuses the PIN of this session. */
export const selectIsPinBlocked = (snapshot: LockSnapshot): boolean => snapshot.context.isPinBlocked;
/** Returns whether the browser gave no passkey. */
export const selectIsCancelled = ({ context: { failure } }: LockSnapshot): boolean =>
  hasProblemCode(failure, 'sign-in-cancelled');
