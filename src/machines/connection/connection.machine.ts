import { type ActorRefFrom, assign, emit, type SnapshotFrom, setup } from 'xstate';
import type { HubEvent } from '../../../contract/hub.ts';
import type { AppEvent } from '../app/app.events.ts';
import { talkingPort } from '../port.ts';

export type ConnectionEvent =
  | { type: 'connection.opened' }
  | { type: 'connection.lost' }
  | { type: 'connection.closed' }
  | { type: 'news.heard'; news: HubEvent }
  | { type: 'retry.wanted' };

interface ConnectionContext {
  /** A connection was live before: the next one may have missed news. */
  interrupted: boolean;
}

/** The import hub: hears news, and says so when some may have been missed. */
export const connectionMachine = setup({
  types: { context: {} as ConnectionContext, events: {} as ConnectionEvent, emitted: {} as AppEvent },
  actors: { listenToHub: talkingPort<void>('listenToHub') },
  guards: { interrupted: ({ context }) => context.interrupted },
  actions: {
    passNews: emit((_, news: HubEvent): AppEvent => ({ type: 'news.heard', news })),
    tellRestored: emit((): AppEvent => ({ type: 'connection.restored' })),
    rememberInterruption: assign({ interrupted: true }),
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
        onError: { target: 'closed', actions: 'rememberInterruption' },
      },
      on: { 'connection.closed': { target: 'closed', actions: 'rememberInterruption' } },
      initial: 'connecting',
      states: {
        connecting: {
          on: {
            'connection.opened': [
              { guard: 'interrupted', target: 'live', actions: 'tellRestored' },
              { target: 'live' },
            ],
          },
        },
        live: {
          on: {
            'news.heard': { actions: { type: 'passNews', params: ({ event }) => event.news } },
            'connection.lost': { target: 'reconnecting', actions: 'rememberInterruption' },
          },
        },
        reconnecting: { on: { 'connection.opened': { target: 'live', actions: 'tellRestored' } } },
      },
    },
    closed: { after: { retryDelay: 'open' }, on: { 'retry.wanted': 'open' } },
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
