import { connectionMachine } from '../../../src/machines/connection/connection.machine.ts';
import type { Model } from '../../paths.ts';

export const changeEvent = { name: 'preparing', body: { taskId: '5f0f9f43-3b0c-4f0a-9a37-1d2b7a3f2c11' } } as const;

/** The connection to the archive's hub. */
export const connection: Model = {
  name: 'connection',
  machine: connectionMachine,
  events: [
    { type: 'connection.opened' },
    { type: 'connection.lost' },
    { type: 'connection.closed' },
    { type: 'hub-event.received', hubEvent: changeEvent },
    { type: 'retry.requested' },
    { type: 'xstate.error.actor.listenToHub', error: new Error('no hub') },
  ],
  facts: ({ context }) => context,
};
