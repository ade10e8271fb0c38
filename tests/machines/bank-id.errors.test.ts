import { bankIdMachine } from '../../src/machines/bank-id/bank-id.machine.ts';
import { done, failed, offline, refused } from '../paths.ts';
import { rulesOf } from './rules-of.ts';

const uid = 'interaction-1';
const first = { autoStartToken: 'start-1', qr: 'code-0' };
const second = { autoStartToken: 'start-2', qr: 'code-9' };
const next = { outcome: 'finished', redirectTo: '/connect/authorize/1' };
const unavailable = refused('method-away');
const busy = refused('too-many-requests');
const expired = refused('sign-in-expired');

const retried = { type: 'order.retried' };
const cancelled = { type: 'order.cancelled' };
const here = { type: 'device.chosen', device: 'thisDevice' };
const there = { type: 'device.chosen', device: 'otherDevice' };
const started = done('startOrder', first);
const startedAnew = done('startOrder', second);
const pending = (hint: string, qr: string | null = 'code-1') => done('collectOrder', { status: 'pending', hint, qr });
const ended = (hint: string) => done('collectOrder', { status: 'failed', hint });
const complete = done('collectOrder', { status: 'complete', next });
const aSecond = 1_000;
const unanswered = (failure: Parameters<typeof failed>[1]) => [aSecond, failed('collectOrder', failure)];
const fourMisses = [1, 2, 3, 4].flatMap(() => unanswered(unavailable));
const ranOut = [aSecond, ended('startFailed')];

const starting = { device: 'otherDevice', order: { open: 'starting' } };
const resting = { device: 'otherDevice', order: { open: { waiting: 'idle' } } };
const collecting = { device: 'otherDevice', order: { open: { waiting: 'collecting' } } };
const over = (how: string) => ({ device: 'otherDevice', order: how });
const start = ['startOrder', { uid }] as const;
const collect = ['collectOrder', { uid }] as const;
const begins = [['holdOrder', { uid }], start] as const;
const gone = { qr: null, autoStartToken: null };

rulesOf(
  { machine: bankIdMachine, input: { uid } },
  {
    'starts an order at once and holds it for another device until this device is chosen': [
      [
        [],
        starting,
        {
          calls: begins,
          learns: {
            uid: 'interaction-1',
            qr: null,
            hint: null,
            autoStartToken: null,
            unused: 0,
            misses: 0,
            failure: null,
            outcome: null,
          },
        },
      ],
      [[here], { device: 'thisDevice', order: { open: 'starting' } }],
      [[here, there], starting],
      [[there], starting],
    ],
    'shows the code of a started order, and collects its status each second': [
      [[started], resting, { learns: { qr: 'code-0', autoStartToken: 'start-1' } }],
      [[started, 999], resting],
      [[started, aSecond], collecting, { calls: [collect] }],
      [
        [started, aSecond, pending('outstandingTransaction')],
        resting,
        { learns: { qr: 'code-1', hint: 'outstandingTransaction' } },
      ],
      [[started, aSecond, pending('userSign', null)], resting, { learns: { qr: null, hint: 'userSign' } }],
      [[started, aSecond, pending('userSign'), aSecond], collecting, { calls: [collect] }],
    ],
    'completes when BankID has identified the user': [
      [
        [started, aSecond, complete],
        over('completed'),
        {
          learns: {
            qr: null,
            autoStartToken: null,
            outcome: next,
          },
        },
      ],
      [[started, aSecond, complete, retried], over('completed')],
      [[started, aSecond, complete, cancelled], over('completed')],
    ],
    'restarts automatically twice when no user opens the order': [
      [[started, ...ranOut], starting, { calls: [start], learns: { ...gone, unused: 1 } }],
      [[started, aSecond, ended('expiredTransaction')], starting, { calls: [start], learns: { ...gone, unused: 1 } }],
      [
        [started, aSecond, pending('outstandingTransaction'), ...ranOut],
        starting,
        {
          calls: [start],
          learns: { hint: null, ...gone, unused: 1 },
        },
      ],
      [
        [started, aSecond, pending('noClient'), ...ranOut],
        starting,
        {
          calls: [start],
          learns: { hint: null, ...gone, unused: 1 },
        },
      ],
      [[started, ...ranOut, startedAnew], resting, { learns: { qr: 'code-9', autoStartToken: 'start-2' } }],
      [[started, ...ranOut, startedAnew, ...ranOut], starting, { calls: [start], learns: { ...gone, unused: 2 } }],
      [
        [started, ...ranOut, startedAnew, ...ranOut, startedAnew, ...ranOut],
        over('failed'),
        { learns: { hint: 'startFailed', ...gone } },
      ],
    ],
    'fails when the user opened the order and cancelled or declined': [
      [
        [started, aSecond, pending('userSign'), aSecond, ended('expiredTransaction')],
        over('failed'),
        { learns: { hint: 'expiredTransaction', ...gone } },
      ],
      [[started, aSecond, ended('userCancel')], over('failed'), { learns: { hint: 'userCancel', ...gone } }],
      [[started, aSecond, ended('certificateErr')], over('failed'), { learns: { hint: 'certificateErr', ...gone } }],
    ],
    'survives short connection losses without showing an outdated code': [
      [[started, ...unanswered(offline)], resting, { learns: { qr: null } }],
      [[started, ...unanswered(busy)], resting, { learns: { qr: null, misses: 1 } }],
      [[started, ...unanswered(unavailable)], resting, { learns: { qr: null, misses: 1 } }],
      [[started, ...fourMisses], resting, { learns: { misses: 4 } }],
      [
        [started, ...fourMisses, ...unanswered(unavailable)],
        over('failed'),
        {
          learns: { autoStartToken: null, failure: unavailable },
        },
      ],
      [
        [started, ...fourMisses, aSecond, pending('userSign')],
        resting,
        { learns: { qr: 'code-1', hint: 'userSign', misses: 0 } },
      ],
      [[started, ...fourMisses, ...unanswered(offline)], resting],
      [
        [started, ...unanswered(expired)],
        over('failed'),
        {
          learns: {
            qr: null,
            autoStartToken: null,
            failure: expired,
          },
        },
      ],
    ],
    'reports why no order could be started': [
      [[failed('startOrder', offline)], over('failed'), { learns: { failure: { kind: 'offline' } } }],
      [[failed('startOrder', expired)], over('failed'), { learns: { failure: expired } }],
    ],
    'offers a manual retry with a new set of restarts': [
      [
        [failed('startOrder', offline), retried],
        starting,
        {
          calls: begins,
          learns: { failure: null },
        },
      ],
      [
        [started, aSecond, ended('userCancel'), retried],
        starting,
        {
          calls: begins,
          learns: { hint: null },
        },
      ],
      [
        [started, ...ranOut, startedAnew, aSecond, ended('userCancel'), retried],
        starting,
        {
          calls: begins,
          learns: { hint: null, unused: 0 },
        },
      ],
      [
        [started, ...fourMisses, ...unanswered(unavailable), retried],
        starting,
        {
          calls: begins,
          learns: { misses: 0, failure: null },
        },
      ],
      [[started, retried], resting],
    ],
    'cancels the order and clears its code': [
      [[cancelled], over('cancelled')],
      [[started, cancelled], over('cancelled'), { learns: { ...gone } }],
      [
        [started, aSecond, pending('userSign'), aSecond, cancelled],
        over('cancelled'),
        { learns: { hint: null, ...gone } },
      ],
      [[started, cancelled, aSecond], over('cancelled')],
      [
        [started, ...ranOut, startedAnew, cancelled, retried],
        starting,
        {
          calls: begins,
          learns: { unused: 0 },
        },
      ],
      [
        [started, ...unanswered(unavailable), cancelled],
        over('cancelled'),
        { learns: { autoStartToken: null, misses: 0 } },
      ],
      [
        [here, started, cancelled, retried],
        { device: 'thisDevice', order: { open: 'starting' } },
        {
          calls: begins,
        },
      ],
    ],
  },
);
