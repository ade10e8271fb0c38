import { connectionMachine } from '../../src/machines/connection/connection.machine.ts';
import { failed, offline } from '../paths.ts';
import { changeEvent } from './models/connection.ts';
import { rulesOf } from './rules-of.ts';

const opened = { type: 'connection.opened' };
const lost = { type: 'connection.lost' };
const closed = { type: 'connection.closed' };
const retry = { type: 'retry.requested' };
const restored = { type: 'connection.restored' };
const eventReceived = { type: 'hub-event.received', hubEvent: changeEvent };
const broken = failed('listenToHub', offline);

rulesOf(
  { machine: connectionMachine },
  {
    'listens from the start, and the first connection is no interruption': [
      [[], { open: 'connecting' }, { calls: [['listenToHub']], learns: { interrupted: false } }],
      [[opened], { open: 'live' }],
    ],
    'forwards change events only while it is live': [
      [
        [opened, eventReceived],
        { open: 'live' },
        {
          emitted: [eventReceived],
        },
      ],
      [[eventReceived], { open: 'connecting' }],
      [[opened, lost, eventReceived], { open: 'reconnecting' }],
      [[closed, eventReceived], 'closed'],
    ],
    'reports possibly missed events after a reconnect': [
      [[opened, lost], { open: 'reconnecting' }, { learns: { interrupted: true } }],
      [[opened, lost, opened], { open: 'live' }, { emitted: [restored] }],
      [[opened, lost, opened, lost, opened], { open: 'live' }, { emitted: [restored] }],
    ],
    'listens again five seconds after it was closed, or at once on a retry by the user': [
      [[closed], 'closed', { learns: { interrupted: true } }],
      [[closed, 4_999], 'closed'],
      [[closed, 5_000], { open: 'connecting' }, { calls: [['listenToHub']] }],
      [[closed, retry], { open: 'connecting' }, { calls: [['listenToHub']] }],
      [[opened, closed], 'closed', { learns: { interrupted: true } }],
      [[opened, retry], { open: 'live' }],
    ],
    'counts a close or failure before the first connection as an interruption': [
      [[closed, retry, opened], { open: 'live' }, { emitted: [restored] }],
      [[broken], 'closed', { learns: { interrupted: true } }],
      [[broken, 5_000], { open: 'connecting' }, { calls: [['listenToHub']] }],
      [[broken, retry, opened], { open: 'live' }, { emitted: [restored] }],
      [[opened, closed, retry, opened], { open: 'live' }, { emitted: [restored] }],
    ],
  },
);
