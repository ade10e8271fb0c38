import type { Failure } from '../../src/services/failure.ts';
import { drift, failed, offline, refused } from '../paths.ts';
import { rulesOf } from './rules-of.ts';
import {
  back,
  call,
  closed,
  mount,
  mountB,
  mounted,
  mounting,
  news,
  open,
  opened,
  outdated,
  ready,
  refreshing,
  reply,
  retried,
  slotSelected,
  traySelected,
  truth,
  unmount,
  unmountA,
  viewset,
  watch,
} from './viewset-steps.ts';

const forgotten = { heardVersion: 0, shown: 'nothing', truth: 'none' };
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
          wanted: null,
          outdated: false,
          heardVersion: 0,
          late: false,
          failure: null,
          slot: null,
          trayImage: null,
          shown: 'nothing',
          truth: 'none',
          pending: [],
        },
      },
    ],
    [[closed], 'closed'],
    [[mount('b', 1)], 'closed'],
    [[opened()], 'opening', { asks: [open()], learns: { wanted: 'v' } }],
    [[opened(), opened()], 'opening'],
    [[opened(), opened('w')], 'opening', { asks: [open('w')], learns: { wanted: 'w' } }],
    [[opened(), closed], 'closed', { learns: { wanted: null } }],
  ],
  'shows what the archive tells': [
    [
      ready,
      { ready: 'settled' },
      {
        asks: [watch()],
        learns: {
          heardVersion: 1,
          shown: '0: a, 1: -, 2: -; tray: b',
          truth: 'v version 1: 0: a, 1: -, 2: -; tray: b',
        },
      },
    ],
    [[opened(), failed('openViewset', offline)], 'failed', { learns: { failure: offline } }],
    [[opened(), failed('openViewset', offline), retried], 'opening', { asks: [open()], learns: { failure: null } }],
    [[opened(), failed('openViewset', offline), back], 'opening', { asks: [open()], learns: { failure: null } }],
    [
      [opened(), failed('openViewset', offline), opened('w')],
      'opening',
      { asks: [open('w')], learns: { wanted: 'w', failure: null } },
    ],
    [[opened(), failed('openViewset', offline), closed], 'closed', { learns: { wanted: null } }],
  ],
  'leaves for another, or for none': [
    [
      [...ready, slotSelected(1), traySelected('b'), opened('w')],
      'opening',
      {
        asks: [open('w')],
        learns: { wanted: 'w', heardVersion: 0, slot: null, trayImage: null, shown: 'nothing', truth: 'none' },
      },
    ],
    [
      [...ready, slotSelected(1), traySelected('b'), closed],
      'closed',
      { learns: { wanted: null, heardVersion: 0, slot: null, trayImage: null, shown: 'nothing', truth: 'none' } },
    ],
    [[...ready, opened()], { ready: 'settled' }, { refused: true }],
    [[...mounting, opened()], { ready: { saving: 'mounting' } }, { refused: true }],
    [[...refreshing, opened('w')], 'opening', { asks: [open('w')], learns: { wanted: 'w', ...forgotten } }],
    [[...refreshing, closed], 'closed', { learns: { wanted: null, ...forgotten } }],
    [[...stale, opened('w')], 'opening', { asks: [open('w')], learns: { wanted: 'w', outdated: false, ...forgotten } }],
    [[...stale, closed], 'closed', { learns: { wanted: null, outdated: false, ...forgotten } }],
    [
      [...ready, news(7), opened('w')],
      'opening',
      {
        asks: [open('w')],
        learns: { wanted: 'w', heardVersion: 0, shown: 'nothing', truth: 'none' },
      },
    ],
    [[...mounting, closed], { ready: { saving: 'mounting' } }, { learns: { wanted: null, shown: 'nothing' } }],
    [[...mounting, opened('w')], { ready: { saving: 'mounting' } }, { learns: { wanted: 'w', shown: 'nothing' } }],
    [
      [...mounting, closed, opened()],
      { ready: { saving: 'mounting' } },
      { learns: { wanted: 'v', shown: '0: a, 1: b, 2: -; tray: -' } },
    ],
    [
      [...mounting, closed, reply('mountImage', 2, mounted)],
      'closed',
      { learns: { heardVersion: 0, slot: null, truth: 'none', pending: [] } },
    ],
    [
      [...mounting, opened('w'), reply('mountImage', 2, mounted)],
      'opening',
      {
        asks: [open('w')],
        learns: { heardVersion: 0, slot: null, truth: 'none', pending: [] },
      },
    ],
    [
      [...mounting, failed('mountImage', offline), closed, 5_000, truth(2, mounted)],
      'closed',
      { learns: { heardVersion: 0, late: false, slot: null, truth: 'none', pending: [] } },
    ],
  ],
  'keeps what is selected': [
    [[...ready, slotSelected(1)], { ready: 'settled' }, { learns: { slot: 1 } }],
    [[...ready, slotSelected(1), slotSelected(null)], { ready: 'settled' }, { learns: { slot: null } }],
    [[...ready, traySelected('b')], { ready: 'settled' }, { learns: { trayImage: 'b' } }],
    [[...ready, slotSelected(1), traySelected('b')], { ready: 'settled' }, { learns: { trayImage: 'b' } }],
  ],
  'fetches anew what somebody else has changed': [
    [[...ready, news(2)], { ready: 'refreshing' }, { asks: [open()] }],
    [[...ready, news(1)], { ready: 'refreshing' }, { asks: [open()] }],
    [[...ready, news(5, 'w')], { ready: 'settled' }],
    [[...ready, outdated], { ready: 'refreshing' }, { asks: [open()] }],
    [[...ready, back], { ready: 'refreshing' }, { asks: [open()] }],
    [
      [...refreshing, truth(2, mounted)],
      { ready: 'settled' },
      {
        learns: {
          heardVersion: 2,
          shown: '0: a, 1: b, 2: -; tray: -',
          truth: 'v version 2: 0: a, 1: b, 2: -; tray: -',
        },
      },
    ],
    [
      [...refreshing, news(3), truth(2, mounted)],
      { ready: 'refreshing' },
      {
        asks: [open()],
        learns: {
          heardVersion: 2,
          shown: '0: a, 1: b, 2: -; tray: -',
          truth: 'v version 2: 0: a, 1: b, 2: -; tray: -',
        },
      },
    ],
    [
      [...refreshing, outdated, truth(2, mounted)],
      { ready: 'refreshing' },
      {
        asks: [open()],
        learns: {
          outdated: false,
          heardVersion: 2,
          shown: '0: a, 1: b, 2: -; tray: -',
          truth: 'v version 2: 0: a, 1: b, 2: -; tray: -',
        },
      },
    ],
    [
      [...mounting, news(2), reply('mountImage', 2, mounted)],
      { ready: 'settled' },
      { learns: { truth: 'v version 2: 0: a, 1: b, 2: -; tray: -', pending: [] } },
    ],
    [
      [...mounting, news(3), reply('mountImage', 2, mounted)],
      { ready: 'refreshing' },
      {
        asks: [open()],
        learns: { heardVersion: 2, truth: 'v version 2: 0: a, 1: b, 2: -; tray: -', pending: [] },
      },
    ],
    [
      [...mounting, outdated, reply('mountImage', 2, mounted)],
      { ready: 'refreshing' },
      {
        asks: [open()],
        learns: { outdated: false, heardVersion: 2, truth: 'v version 2: 0: a, 1: b, 2: -; tray: -', pending: [] },
      },
    ],
    [[...mounting, outdated, news(2)], { ready: { saving: 'mounting' } }, { learns: { heardVersion: 2 } }],
    [[...mounting, back], { ready: { saving: 'mounting' } }, { learns: { outdated: true } }],
  ],
  'says that what is shown may be old when it cannot be fetched': [
    [stale, { ready: 'stale' }, { learns: { outdated: true } }],
    [[...stale, 4_999], { ready: 'stale' }],
    [[...stale, 5_000], { ready: 'refreshing' }, { asks: [open()], learns: { outdated: false } }],
    [[...stale, back], { ready: 'refreshing' }, { asks: [open()], learns: { outdated: false } }],
    [[...stale, outdated], { ready: 'refreshing' }, { asks: [open()], learns: { outdated: false } }],
    [[...stale, retried], { ready: 'refreshing' }, { asks: [open()], learns: { outdated: false } }],
    [
      [...stale, mount('b', 1)],
      { ready: { saving: 'mounting' } },
      {
        asks: [call('mountImage', mountB)],
        learns: { slot: 2, shown: '0: a, 1: b, 2: -; tray: -', pending: ['mount b from tray in 1'] },
      },
    ],
    [
      [...refreshing, failed('openViewset', gone)],
      'failed',
      { learns: { heardVersion: 0, failure: gone, shown: 'nothing', truth: 'none' } },
    ],
    [
      [...stale, unmount(0)],
      { ready: { saving: { unmounting: 'brief' } } },
      {
        asks: [call('unmountImage', unmountA)],
        learns: { shown: '0: -, 1: -, 2: -; tray: b a', pending: ['unmount a from 0'] },
      },
    ],
    [[...refreshing, failed('openViewset', proxy)], { ready: 'stale' }, { learns: { outdated: true } }],
    [[...refreshing, failed('openViewset', drift)], { ready: 'stale' }, { learns: { outdated: true } }],
    [[...refreshing, failed('openViewset', gone), retried], 'opening', { asks: [open()], learns: { failure: null } }],
    [
      [...stale, back, truth(2, mounted)],
      { ready: 'settled' },
      {
        learns: {
          heardVersion: 2,
          shown: '0: a, 1: b, 2: -; tray: -',
          truth: 'v version 2: 0: a, 1: b, 2: -; tray: -',
        },
      },
    ],
  ],
});
