import { expect, it } from 'vitest';
import {
  connectionMachine,
  selectConnectionState,
  selectIsLive,
} from '../../src/machines/connection/connection.machine.ts';
import type { Model } from '../paths.ts';
import { walkAll } from '../replay.ts';

const news = { name: 'preparing', body: { taskId: '5f0f9f43-3b0c-4f0a-9a37-1d2b7a3f2c11' } } as const;

const model: Model = {
  machine: connectionMachine,
  events: [
    { type: 'connection.opened' },
    { type: 'connection.lost' },
    { type: 'connection.closed' },
    { type: 'news.heard', news },
    { type: 'retry.wanted' },
    { type: 'xstate.error.actor.listenToHub', error: new Error('no hub') },
  ],
  facts: ({ context }) => context,
  invariants: (snapshot) => {
    expect(selectIsLive(snapshot as never)).toBe(selectConnectionState(snapshot as never) === 'live');
    // News is believed only while the connection is live.
    expect(snapshot.can({ type: 'news.heard', news })).toBe(snapshot.matches({ open: 'live' }));
    // The hub is listened to exactly while the connection is not closed.
    expect('listenToHub' in snapshot.children).toBe(!snapshot.matches('closed'));
  },
};

it('walks every transition of the connection', () => walkAll([model]));
