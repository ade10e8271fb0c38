import { type ActorRefFrom, assign, emit, type SnapshotFrom, setup } from 'xstate';
import type { HubEvent } from '../../../contract/hub.ts';
import type { AppEvent } from '../app/app.events.ts';
import { callbackPort } from '../port.ts';

export type ConnectionEvent =
  | { type: 'connection.opened' }
  | { type: 'connection.lost' }
  | { type: 'connection.closed' }
  | { type: 'hub-event.received'; hubEvent: HubEvent }
  | { type: 'retry.requested' };

interface ConnectionContext {
  /** There was a connection before: events may have been missed since. */
  interrupted: boolean;
}

/** Listens to the hub and emits `connection.restored` when events may have been missed. */
export const connectionMachine = setup({
  types: { context: {} as ConnectionContext, events: {} as ConnectionEvent, emitted: {} as AppEvent },
  actors: { listenToHub: callbackPort<void>('listenToHub') },
  guards: { interrupted: ({ context }) => context.interrupted },
  actions: {
    forwardHubEvent: emit((_, hubEvent: HubEvent): AppEvent => ({ type: 'hub-event.received', hubEvent })),
    emitRestored: emit((): AppEvent => ({ type: 'connection.restored' })),
    setInterrupted: assign({ interrupted: true }),
  },
  delays: { retryDelay: 5_000 },
}).createMachine({
  id: 'connection',
  context: { interrupted: false },
  initial: 'open',
  states: {
    open: {
      invoke: {
        id: 'listenToHub',
        src: 'listenToHub',
        onError: { target: 'closed', actions: 'setInterrupted' },
      },
      on: { 'connection.closed': { target: 'closed', actions: 'setInterrupted' } },
      initial: 'connecting',
      states: {
        connecting: {
          on: {
            'connection.opened': [
              { guard: 'interrupted', target: 'live', actions: 'emitRestored' },
              { target: 'live' },
            ],
          },
        },
        live: {
          on: {
            'hub-event.received': { actions: { type: 'forwardHubEvent', params: ({ event }) => event.hubEvent } },
            'connection.lost': { target: 'reconnecting', actions: 'setInterrupted' },
          },
        },
        reconnecting: { on: { 'connection.opened': { target: 'live', actions: 'emitRestored' } } },
      },
    },
    closed: { after: { retryDelay: 'open' }, on: { 'retry.requested': 'open' } },
  },
});

export type ConnectionActor = ActorRefFrom<typeof connectionMachine>;
type ConnectionSnapshot = SnapshotFrom<typeof connectionMachine>;

export const selectIsLive = (snapshot: ConnectionSnapshot): boolean => snapshot.matches({ open: 'live' });
export const selectConnectionState = (
  snapshot: ConnectionSnapshot,
): 'connecting' | 'live' | 'reconnecting' | 'closed' => {
  if (snapshot.matches({ open: 'live' })) return 'live';
  if (snapshot.matches({ open: 'reconnecting' })) return 'reconnecting';
  return snapshot.matches('closed') ? 'closed' : 'connecting';
};
