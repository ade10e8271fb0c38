import { type ActorRefFrom, assertEvent, assign, type SnapshotFrom, setup } from 'xstate';
import { type Failure, failureOf } from '../../services/failure.ts';
import { callbackPort, port } from '../port.ts';

type LockEvent =
  | { type: 'lock.requested' }
  /** No key, click or touch in any tab for as long as the policy allows. */
  | { type: 'input.idle' }
  /** Another tab locked the session, or the archive refused a call because it is locked. */
  | { type: 'session.locked' }
  /** Another tab unlocked the session. */
  | { type: 'session.unlocked' }
  | { type: 'unlock.submitted'; password: string };

interface LockInput {
  readonly accountId: string;
  /** The session was locked when the page was loaded. */
  readonly isLocked: boolean;
  /** Null: it is locked by the user alone. */
  readonly idleMinutes: number | null;
}

interface LockContext extends LockInput {
  failure: Failure | null;
}

/** Ports, guards and actions of the lock. */
const chart = setup({
  types: { context: {} as LockContext, events: {} as LockEvent, input: {} as LockInput },
  actors: {
    lockSession: port<void, { accountId: string }>('lockSession'),
    unlockSession: port<void, { password: string }>('unlockSession'),
    watchLock: callbackPort<{ accountId: string; idleMinutes: number | null }>('watchLock'),
  },
  guards: {
    wasLocked: ({ context }) => context.isLocked,
  },
  actions: {
    setFailure: assign({ failure: (_, failure: Failure) => failure }),
    clearFailure: assign({ failure: null }),
  },
});

/** The lock of a session: the page stays behind it as it was until its user enters the password. */
export const lockMachine = chart.createMachine({
  id: 'lock',
  context: ({ input }) => ({ ...input, failure: null }),
  invoke: {
    id: 'watchLock',
    src: 'watchLock',
    input: ({ context: { accountId, idleMinutes } }) => ({ accountId, idleMinutes }),
  },
  initial: 'starting',
  states: {
    starting: { always: [{ guard: 'wasLocked', target: 'locked' }, { target: 'unlocked' }] },
    unlocked: {
      entry: 'clearFailure',
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
          return { password: event.password };
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
/** Returns why the last attempt to unlock failed. */
export const selectUnlockFailure = (snapshot: LockSnapshot): Failure | null => snapshot.context.failure;
