import { connectionMachine } from '../../src/machines/connection/connection.machine.ts';
import { failed, offline } from '../paths.ts';
import { news } from './models/connection.ts';
import { rulesOf } from './rules-of.ts';

const opened = { type: 'connection.opened' };
const lost = { type: 'connection.lost' };
const closed = { type: 'connection.closed' };
const retry = { type: 'retry.wanted' };
const restored = { type: 'connection.restored' };
const heard = { type: 'news.heard', news };
const broken = failed('listenToHub', offline);

rulesOf(
  { machine: connectionMachine },
  {
    'listens from the beginning, and has missed nothing when it is first open': [
      [[], { open: 'connecting' }, { asks: [['listenToHub']], learns: { interrupted: false } }],
      [[opened], { open: 'live' }],
    ],
    'passes news on while it is live, and at no other time': [
      [
        [opened, heard],
        { open: 'live' },
        {
          told: [heard],
        },
      ],
      [[heard], { open: 'connecting' }],
      [[opened, lost, heard], { open: 'reconnecting' }],
      [[closed, heard], 'closed'],
    ],
    'says that news may be missed when it is back after a cut': [
      [[opened, lost], { open: 'reconnecting' }, { learns: { interrupted: true } }],
      [[opened, lost, opened], { open: 'live' }, { told: [restored] }],
      [[opened, lost, opened, lost, opened], { open: 'live' }, { told: [restored] }],
    ],
    'listens anew five seconds after it was closed, or at once when a person asks': [
      [[closed], 'closed', { learns: { interrupted: true } }],
      [[closed, 4_999], 'closed'],
      [[closed, 5_000], { open: 'connecting' }, { asks: [['listenToHub']] }],
      [[closed, retry], { open: 'connecting' }, { asks: [['listenToHub']] }],
      [[opened, closed], 'closed', { learns: { interrupted: true } }],
      [[opened, retry], { open: 'live' }],
    ],
    'counts what was closed or broke before it was ever open as a cut': [
      [[closed, retry, opened], { open: 'live' }, { told: [restored] }],
      [[broken], 'closed', { learns: { interrupted: true } }],
      [[broken, 5_000], { open: 'connecting' }, { asks: [['listenToHub']] }],
      [[broken, retry, opened], { open: 'live' }, { told: [restored] }],
      [[opened, closed, retry, opened], { open: 'live' }, { told: [restored] }],
    ],
  },
);
