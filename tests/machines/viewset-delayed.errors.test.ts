import { failed, offline, refused } from '../paths.ts';
import { rulesOf } from './rules-of.ts';
import {
  back,
  call,
  confirmed,
  first,
  mountB,
  mounted,
  mounting,
  open,
  outdated,
  rejectedWith,
  removedElsewhere,
  reply,
  retried,
  unmount,
  unmountA,
  viewset,
} from './viewset-steps.ts';

const conflict = refused('conflict');
const otherConflict = { ...conflict, status: 409 };
const delayed = [...mounting, failed('mountImage', offline)];
const refetching = [...delayed, 5_000];

rulesOf(viewset, {
  'fetches the viewset when a reply is lost, and sends the remaining changes again': [
    [[...delayed, 4_999], { ready: 'delayed' }],
    [refetching, { ready: 'refreshing' }, { calls: [open()] }],
    [[...delayed, back], { ready: 'refreshing' }, { calls: [open()] }],
    [[...delayed, retried], { ready: 'refreshing' }, { calls: [open()] }],
    [
      [...refetching, confirmed(2, mounted)],
      { ready: 'settled' },
      {
        learns: {
          isDelayed: false,
          confirmed: 'v version 2: 0: a, 1: b, 2: -; tray: -',
          pending: [],
        },
      },
    ],
    [
      [...refetching, confirmed(1, first)],
      { ready: { saving: 'mounting' } },
      { calls: [call('mountImage', mountB)], learns: { isDelayed: false } },
    ],
    [
      [...refetching, confirmed(1, first), reply('mountImage', 2, mounted)],
      { ready: 'settled' },
      { learns: { confirmed: 'v version 2: 0: a, 1: b, 2: -; tray: -', pending: [] } },
    ],
    [
      [...refetching, confirmed(2, removedElsewhere)],
      { ready: 'settled' },
      {
        emitted: [rejectedWith(otherConflict)],
        learns: {
          isDelayed: false,
          shown: '0: -, 1: -, 2: -; tray: -',
          confirmed: 'v version 2: 0: -, 1: -, 2: -; tray: -',
          pending: [],
        },
      },
    ],
    [
      [...delayed, unmount(0), 5_000, confirmed(2, mounted)],
      { ready: { saving: { unmounting: 'brief' } } },
      {
        calls: [call('unmountImage', unmountA, 2)],
        learns: {
          isDelayed: false,
          confirmed: 'v version 2: 0: a, 1: b, 2: -; tray: -',
          pending: ['unmount a from 0'],
        },
      },
    ],
    [
      [...delayed, unmount(0), 5_000, confirmed(2, { slots: { 0: null, 1: 'b', 2: null }, tray: [] })],
      { ready: 'settled' },
      {
        emitted: [rejectedWith(otherConflict)],
        learns: {
          isDelayed: false,
          shown: '0: -, 1: b, 2: -; tray: -',
          confirmed: 'v version 2: 0: -, 1: b, 2: -; tray: -',
          pending: [],
        },
      },
    ],
    [[...refetching, failed('openViewset', offline)], { ready: 'delayed' }],
    [
      [...refetching, failed('openViewset', conflict)],
      { ready: 'refreshing' },
      {
        emitted: [rejectedWith(conflict)],
        calls: [open()],
        learns: { isDelayed: false, shown: '0: a, 1: -, 2: -; tray: b', pending: [] },
      },
    ],
    [[...delayed, outdated], { ready: 'delayed' }, { learns: { outdated: true } }],
  ],
});
