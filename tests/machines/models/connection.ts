import { connectionMachine } from '../../../src/machines/connection/connection.machine.ts';
import type { Model } from '../../paths.ts';

export const news = { name: 'preparing', body: { taskId: '5f0f9f43-3b0c-4f0a-9a37-1d2b7a3f2c11' } } as const;

/** The line to the archive's news. */
export const connection: Model = {
  name: 'line',
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
};
