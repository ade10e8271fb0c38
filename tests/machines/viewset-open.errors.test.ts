import type { Failure } from '../../src/services/failure.ts';
import { drift, failed, offline, refused } from '../paths.ts';
import { rulesOf } from './rules-of.ts';
import {
  back,
  call,
  closed,
  confirmed,
  mount,
  mountB,
  mounted,
  mounting,
  open,
  opened,
  outdated,
  ready,
  refreshing,
  reply,
  retried,
  slotSelected,
  traySelected,
  unmount,
  unmountA,
  viewset,
  watch,
} from './viewset-steps.ts';

const forgotten = { shown: 'nothing', confirmed: 'none' };
const stale = [...refreshing, failed('openViewset', offline)];
const proxy: Failure = { kind: 'refused', status: 503, code: 'internal', errors: [] };
const gone = refused('not-found');

rulesOf(viewset, {
  'shows nothing before a viewset is opened': [
    [
      [],
      'closed',
      {
        learns: {
          requestedId: null,
          outdated: false,
          isDelayed: false,
          failure: null,
          slot: null,
          trayImage: null,
          shown: 'nothing',
          confirmed: 'none',
          pending: [],
        },
      },
    ],
    [[closed], 'closed'],
    [[mount('b', 1)], 'closed'],
    [[opened()], 'opening', { calls: [open()], learns: { requestedId: 'v' } }],
    [[opened(), opened()], 'opening'],
    [[opened(), opened('w')], 'opening', { calls: [open('w')], learns: { requestedId: 'w' } }],
    [[opened(), closed], 'closed', { learns: { requestedId: null } }],
  ],
  'shows what the archive returns': [
    [
      ready,
      { ready: 'settled' },
      {
        calls: [watch()],
        learns: {
          shown: '0: a, 1: -, 2: -; tray: b',
          confirmed: 'v version 1: 0: a, 1: -, 2: -; tray: b',
        },
      },
    ],
    [[opened(), failed('openViewset', offline)], 'failed', { learns: { failure: offline } }],
    [[opened(), failed('openViewset', offline), retried], 'opening', { calls: [open()], learns: { failure: null } }],
    [[opened(), failed('openViewset', offline), back], 'opening', { calls: [open()], learns: { failure: null } }],
    [
      [opened(), failed('openViewset', offline), opened('w')],
      'opening',
      { calls: [open('w')], learns: { requestedId: 'w', failure: null } },
    ],
    [[opened(), failed('openViewset', offline), closed], 'closed', { learns: { requestedId: null } }],
  ],
  'leaves for another viewset, or for none': [
    [
      [...ready, slotSelected(1), traySelected('b'), opened('w')],
      'opening',
      {
        calls: [open('w')],
        learns: {
          requestedId: 'w',
          slot: null,
          trayImage: null,
          shown: 'nothing',
          confirmed: 'none',
        },
      },
    ],
    [
      [...ready, slotSelected(1), traySelected('b'), closed],
      'closed',
      {
        learns: {
          requestedId: null,
          slot: null,
          trayImage: null,
          shown: 'nothing',
          confirmed: 'none',
        },
      },
    ],
    [[...ready, opened()], { ready: 'settled' }, { ignored: true }],
    [[...mounting, opened()], { ready: { saving: 'mounting' } }, { ignored: true }],
    [[...refreshing, opened('w')], 'opening', { calls: [open('w')], learns: { requestedId: 'w', ...forgotten } }],
    [[...refreshing, closed], 'closed', { learns: { requestedId: null, ...forgotten } }],
    [
      [...stale, opened('w')],
      'opening',
      { calls: [open('w')], learns: { requestedId: 'w', outdated: false, ...forgotten } },
    ],
    [[...stale, closed], 'closed', { learns: { requestedId: null, outdated: false, ...forgotten } }],
    [[...mounting, closed], { ready: { saving: 'mounting' } }, { learns: { requestedId: null, shown: 'nothing' } }],
    [[...mounting, opened('w')], { ready: { saving: 'mounting' } }, { learns: { requestedId: 'w', shown: 'nothing' } }],
    [
      [...mounting, closed, opened()],
      { ready: { saving: 'mounting' } },
      { learns: { requestedId: 'v', shown: '0: a, 1: b, 2: -; tray: -' } },
    ],
    [
      [...mounting, closed, reply('mountImage', 2, mounted)],
      'closed',
      { learns: { slot: null, confirmed: 'none', pending: [] } },
    ],
    [
      [...mounting, opened('w'), reply('mountImage', 2, mounted)],
      'opening',
      {
        calls: [open('w')],
        learns: { slot: null, confirmed: 'none', pending: [] },
      },
    ],
    [
      [...mounting, failed('mountImage', offline), closed, 5_000, confirmed(2, mounted)],
      'closed',
      { learns: { isDelayed: false, slot: null, confirmed: 'none', pending: [] } },
    ],
  ],
  'keeps what is selected': [
    [[...ready, slotSelected(1)], { ready: 'settled' }, { learns: { slot: 1 } }],
    [[...ready, slotSelected(1), slotSelected(null)], { ready: 'settled' }, { learns: { slot: null } }],
    [[...ready, traySelected('b')], { ready: 'settled' }, { learns: { trayImage: 'b' } }],
    [[...ready, slotSelected(1), traySelected('b')], { ready: 'settled' }, { learns: { trayImage: 'b' } }],
  ],
  'fetches again what another user has changed': [
    [[...ready, outdated], { ready: 'refreshing' }, { calls: [open()] }],
    [[...ready, back], { ready: 'refreshing' }, { calls: [open()] }],
    [
      [...refreshing, confirmed(2, mounted)],
      { ready: 'settled' },
      {
        learns: {
          shown: '0: a, 1: b, 2: -; tray: -',
          confirmed: 'v version 2: 0: a, 1: b, 2: -; tray: -',
        },
      },
    ],
    [
      [...refreshing, outdated, confirmed(2, mounted)],
      { ready: 'refreshing' },
      {
        calls: [open()],
        learns: {
          outdated: false,
          shown: '0: a, 1: b, 2: -; tray: -',
          confirmed: 'v version 2: 0: a, 1: b, 2: -; tray: -',
        },
      },
    ],
    [
      [...mounting, outdated, reply('mountImage', 2, mounted)],
      { ready: 'refreshing' },
      {
        calls: [open()],
        learns: {
          outdated: false,
          confirmed: 'v version 2: 0: a, 1: b, 2: -; tray: -',
          pending: [],
        },
      },
    ],
    [[...mounting, outdated], { ready: { saving: 'mounting' } }, { learns: { outdated: true } }],
    [[...mounting, back], { ready: { saving: 'mounting' } }, { learns: { outdated: true } }],
  ],
  'reports that the shown viewset may be outdated when it cannot be fetched': [
    [stale, { ready: 'stale' }, { learns: { outdated: true } }],
    [[...stale, 4_999], { ready: 'stale' }],
    [[...stale, 5_000], { ready: 'refreshing' }, { calls: [open()], learns: { outdated: false } }],
    [[...stale, back], { ready: 'refreshing' }, { calls: [open()], learns: { outdated: false } }],
    [[...stale, outdated], { ready: 'refreshing' }, { calls: [open()], learns: { outdated: false } }],
    [[...stale, retried], { ready: 'refreshing' }, { calls: [open()], learns: { outdated: false } }],
    [
      [...stale, mount('b', 1)],
      { ready: { saving: 'mounting' } },
      {
        calls: [call('mountImage', mountB)],
        learns: { slot: 2, shown: '0: a, 1: b, 2: -; tray: -', pending: ['mount b from tray in 1'] },
      },
    ],
    [
      [...refreshing, failed('openViewset', gone)],
      'failed',
      { learns: { failure: gone, shown: 'nothing', confirmed: 'none' } },
    ],
    [
      [...stale, unmount(0)],
      { ready: { saving: { unmounting: 'brief' } } },
      {
        calls: [call('unmountImage', unmountA)],
        learns: { shown: '0: -, 1: -, 2: -; tray: b a', pending: ['unmount a from 0'] },
      },
    ],
    [[...refreshing, failed('openViewset', proxy)], { ready: 'stale' }, { learns: { outdated: true } }],
    [[...refreshing, failed('openViewset', drift)], { ready: 'stale' }, { learns: { outdated: true } }],
    [[...refreshing, failed('openViewset', gone), retried], 'opening', { calls: [open()], learns: { failure: null } }],
    [
      [...stale, back, confirmed(2, mounted)],
      { ready: 'settled' },
      {
        learns: {
          shown: '0: a, 1: b, 2: -; tray: -',
          confirmed: 'v version 2: 0: a, 1: b, 2: -; tray: -',
        },
      },
    ],
  ],
});
