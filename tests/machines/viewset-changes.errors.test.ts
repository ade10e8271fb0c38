import { failed, offline, refused } from '../paths.ts';
import { rulesOf } from './rules-of.ts';
import { viewsetOf } from './viewset-fixtures.ts';
import {
  call,
  closed,
  confirmed,
  emptied,
  mount,
  mountB,
  mounted,
  mounting,
  moveA,
  moveCIn,
  moved,
  movedIn,
  moveIn,
  moving,
  open,
  opened,
  ready,
  rejectedWith,
  removedElsewhere,
  reorder,
  replies,
  reply,
  restored,
  slotSelected,
  traySelected,
  unmount,
  unmountA,
  unmounting,
  viewset,
} from './viewset-steps.ts';

const conflict = refused('conflict');
const busy = refused('too-many-requests');
const shutOut = refused('not-signed-in');
const delayed = [...mounting, failed('mountImage', offline)];

rulesOf(viewset, {
  'shows a mounted image at once, and sends the change': [
    [
      mounting,
      { ready: { saving: 'mounting' } },
      {
        calls: [call('mountImage', mountB)],
        learns: { slot: 2, shown: '0: a, 1: b, 2: -; tray: -', pending: ['mount b from tray in 1'] },
      },
    ],
    [
      [...ready, slotSelected(1), traySelected('b'), mount('b', 1)],
      { ready: { saving: 'mounting' } },
      {
        calls: [call('mountImage', mountB)],
        learns: { slot: 2, trayImage: null, shown: '0: a, 1: b, 2: -; tray: -', pending: ['mount b from tray in 1'] },
      },
    ],
    [
      [...ready, mount('c', 1)],
      { ready: { saving: 'mounting' } },
      {
        calls: [
          [
            'mountImage',
            {
              viewsetId: 'v',
              version: 1,
              operation: { kind: 'mount', imageUid: 'c', from: 'elsewhere', to: 1, displaced: null },
            },
          ],
        ],
        learns: { slot: 2, pending: ['mount c from elsewhere in 1'] },
      },
    ],
    [[...ready, mount('b', 9)], { ready: 'settled' }, { ignored: true }],
    [
      [...mounting, reply('mountImage', 2, mounted)],
      { ready: 'settled' },
      { learns: { confirmed: 'v version 2: 0: a, 1: b, 2: -; tray: -', pending: [] } },
    ],
    [
      [...mounting, failed('mountImage', conflict)],
      { ready: 'refreshing' },
      {
        emitted: [rejectedWith(conflict)],
        calls: [open()],
        learns: { shown: '0: a, 1: -, 2: -; tray: b', pending: [] },
      },
    ],
    [
      [...mounting, failed('mountImage', conflict), confirmed(2, removedElsewhere)],
      { ready: 'settled' },
      {
        learns: {
          shown: '0: -, 1: -, 2: -; tray: -',
          confirmed: 'v version 2: 0: -, 1: -, 2: -; tray: -',
        },
      },
    ],
    [delayed, { ready: 'delayed' }, { learns: { isDelayed: true } }],
    [[...mounting, failed('mountImage', busy)], { ready: 'delayed' }, { learns: { isDelayed: true } }],
    [[...mounting, failed('mountImage', shutOut)], { ready: 'delayed' }, { learns: { isDelayed: true } }],
  ],
  'unmounts an image, and announces a delay': [
    [
      unmounting,
      { ready: { saving: { unmounting: 'brief' } } },
      {
        calls: [call('unmountImage', unmountA)],
        learns: { shown: '0: -, 1: -, 2: -; tray: b a', pending: ['unmount a from 0'] },
      },
    ],
    [[...unmounting, 299], { ready: { saving: { unmounting: 'brief' } } }],
    [[...unmounting, 300], { ready: { saving: { unmounting: 'long' } } }],
    [
      [...unmounting, reply('unmountImage', 2, emptied)],
      { ready: 'settled' },
      { learns: { confirmed: 'v version 2: 0: -, 1: -, 2: -; tray: b a', pending: [] } },
    ],
    [
      [...unmounting, failed('unmountImage', conflict)],
      { ready: 'refreshing' },
      {
        emitted: [rejectedWith(conflict)],
        calls: [open()],
        learns: { shown: '0: a, 1: -, 2: -; tray: b', pending: [] },
      },
    ],
    [[...unmounting, failed('unmountImage', offline)], { ready: 'delayed' }, { learns: { isDelayed: true } }],
    [
      [...ready, reorder(0, null)],
      { ready: { saving: { unmounting: 'brief' } } },
      {
        calls: [call('unmountImage', unmountA)],
        learns: { shown: '0: -, 1: -, 2: -; tray: b a', pending: ['unmount a from 0'] },
      },
    ],
    [[...ready, unmount(1)], { ready: 'settled' }, { ignored: true }],
  ],
  'moves an image, and announces a delay': [
    [
      moving,
      { ready: { saving: { moving: 'brief' } } },
      {
        calls: [call('moveImage', moveA)],
        learns: { shown: '0: -, 1: -, 2: a; tray: b', pending: ['move a from 0 to 2'] },
      },
    ],
    [[...moving, 299], { ready: { saving: { moving: 'brief' } } }],
    [[...moving, 300], { ready: { saving: { moving: 'long' } } }],
    [
      [...moving, replies(viewsetOf('v', 2, moved))],
      { ready: 'settled' },
      { learns: { confirmed: 'v version 2: 0: -, 1: -, 2: a; tray: b', pending: [] } },
    ],
    [
      [...moving, replies(viewsetOf('w', 2, moved), viewsetOf('v', 2, moved))],
      { ready: 'settled' },
      { learns: { confirmed: 'v version 2: 0: -, 1: -, 2: a; tray: b', pending: [] } },
    ],
    [
      [...moving, failed('moveImage', conflict)],
      { ready: 'refreshing' },
      {
        emitted: [rejectedWith(conflict)],
        calls: [open()],
        learns: { shown: '0: a, 1: -, 2: -; tray: b', pending: [] },
      },
    ],
    [[...moving, failed('moveImage', offline)], { ready: 'delayed' }, { learns: { isDelayed: true } }],
    [
      [...ready, moveIn],
      { ready: { saving: { moving: 'brief' } } },
      { calls: [call('moveImage', moveCIn)], learns: { pending: ['move-in c from 4 to 2'], slot: 2 } },
    ],
    [
      [...ready, moveIn, replies(viewsetOf('w', 2, moved))],
      { ready: 'refreshing' },
      { calls: [open()], learns: { pending: [] } },
    ],
    [
      [...ready, moveIn, replies(viewsetOf('w', 2, emptied), viewsetOf('v', 2, movedIn))],
      { ready: 'settled' },
      {
        learns: {
          confirmed: 'v version 2: 0: a, 1: -, 2: c; tray: b',
          shown: '0: a, 1: -, 2: c; tray: b',
          pending: [],
        },
      },
    ],
    [[...ready, reorder(0, 0)], { ready: 'settled' }, { ignored: true }],
  ],
  'sends changes one after the other, each with the version of the last reply': [
    [
      [...mounting, unmount(0)],
      { ready: { saving: 'mounting' } },
      { learns: { shown: '0: -, 1: b, 2: -; tray: a', pending: ['mount b from tray in 1', 'unmount a from 0'] } },
    ],
    [
      [...mounting, unmount(0), reply('mountImage', 2, mounted)],
      { ready: { saving: { unmounting: 'brief' } } },
      {
        calls: [call('unmountImage', unmountA, 2)],
        learns: { confirmed: 'v version 2: 0: a, 1: b, 2: -; tray: -', pending: ['unmount a from 0'] },
      },
    ],
    [
      [...mounting, unmount(0), failed('mountImage', conflict)],
      { ready: 'refreshing' },
      {
        emitted: [rejectedWith(conflict)],
        calls: [open()],
        learns: { shown: '0: a, 1: -, 2: -; tray: b', pending: [] },
      },
    ],
    [
      [...unmounting, mount('b', 1), reply('unmountImage', 2, emptied)],
      { ready: { saving: 'mounting' } },
      {
        calls: [call('mountImage', mountB, 2)],
        learns: { confirmed: 'v version 2: 0: -, 1: -, 2: -; tray: b a', pending: ['mount b from tray in 1'] },
      },
    ],
    [
      [...moving, mount('b', 1), replies(viewsetOf('v', 2, moved))],
      { ready: { saving: 'mounting' } },
      {
        calls: [call('mountImage', mountB, 2)],
        learns: { confirmed: 'v version 2: 0: -, 1: -, 2: a; tray: b', pending: ['mount b from tray in 1'] },
      },
    ],
  ],
  'repeats what an earlier session could not send': [
    [
      [...ready, restored(mountB, moveA)],
      { ready: { saving: 'mounting' } },
      {
        calls: [call('mountImage', mountB)],
        learns: { shown: '0: -, 1: b, 2: a; tray: -', pending: ['mount b from tray in 1', 'move a from 0 to 2'] },
      },
    ],
    [[...ready, restored(moveA, unmountA)], { ready: 'settled' }, { ignored: true }],
    [[opened(), restored(mountB)], 'opening'],
    [[...mounting, closed, restored(moveA)], { ready: { saving: 'mounting' } }, { ignored: true }],
  ],
});
