import { failed, offline, refused } from '../paths.ts';
import { rulesOf } from './rules-of.ts';
import {
  back,
  call,
  first,
  mountB,
  mounted,
  mounting,
  news,
  open,
  outdated,
  refusedWith,
  reply,
  retried,
  takenAway,
  truth,
  unmount,
  unmountA,
  viewset,
} from './viewset-steps.ts';

const conflict = refused('conflict');
const somebodyElse = { ...conflict, status: 409 };
const delayed = [...mounting, failed('mountImage', offline)];
const asking = [...delayed, 5_000];

rulesOf(viewset, {
  'asks what was done when no answer came, and sends the rest again': [
    [[...delayed, 4_999], { ready: 'delayed' }],
    [asking, { ready: 'refreshing' }, { asks: [open()] }],
    [[...delayed, back], { ready: 'refreshing' }, { asks: [open()] }],
    [[...delayed, retried], { ready: 'refreshing' }, { asks: [open()] }],
    [
      [...asking, truth(2, mounted)],
      { ready: 'settled' },
      { learns: { heardVersion: 2, late: false, truth: 'v version 2: 0: a, 1: b, 2: -; tray: -', pending: [] } },
    ],
    [
      [...asking, truth(1, first)],
      { ready: { saving: 'mounting' } },
      { asks: [call('mountImage', mountB)], learns: { late: false } },
    ],
    [
      [...asking, truth(1, first), reply('mountImage', 2, mounted)],
      { ready: 'settled' },
      { learns: { truth: 'v version 2: 0: a, 1: b, 2: -; tray: -', pending: [] } },
    ],
    [
      [...asking, truth(2, takenAway)],
      { ready: 'settled' },
      {
        told: [refusedWith(somebodyElse)],
        learns: {
          heardVersion: 2,
          late: false,
          shown: '0: -, 1: -, 2: -; tray: -',
          truth: 'v version 2: 0: -, 1: -, 2: -; tray: -',
          pending: [],
        },
      },
    ],
    [
      [...delayed, unmount(0), 5_000, truth(2, mounted)],
      { ready: { saving: { unmounting: 'brief' } } },
      {
        asks: [call('unmountImage', unmountA, 2)],
        learns: {
          heardVersion: 2,
          late: false,
          truth: 'v version 2: 0: a, 1: b, 2: -; tray: -',
          pending: ['unmount a from 0'],
        },
      },
    ],
    [
      [...delayed, unmount(0), 5_000, truth(2, { slots: { 0: null, 1: 'b', 2: null }, tray: [] })],
      { ready: 'settled' },
      {
        told: [refusedWith(somebodyElse)],
        learns: {
          heardVersion: 2,
          late: false,
          shown: '0: -, 1: b, 2: -; tray: -',
          truth: 'v version 2: 0: -, 1: b, 2: -; tray: -',
          pending: [],
        },
      },
    ],
    [[...asking, failed('openViewset', offline)], { ready: 'delayed' }],
    [
      [...asking, failed('openViewset', conflict)],
      { ready: 'refreshing' },
      {
        told: [refusedWith(conflict)],
        asks: [open()],
        learns: { late: false, shown: '0: a, 1: -, 2: -; tray: b', pending: [] },
      },
    ],
    [[...delayed, outdated], { ready: 'delayed' }, { learns: { outdated: true } }],
    [[...delayed, news(9)], { ready: 'delayed' }, { learns: { heardVersion: 9 } }],
  ],
});
