import { appMachine } from '../../src/machines/app/app.machine.ts';
import { rulesOf } from './rules-of.ts';

const solrosen = { id: 'clinic-1', name: 'Solrosen' };
const changeEvent = { name: 'preparing', body: { taskId: 'task-1' } };

const settled = { type: 'session.settled' };
const opened = { type: 'session.opened', clinic: solrosen };
const openedNowhere = { type: 'session.opened', clinic: null };
const closed = { type: 'session.closed' };
const changed = { type: 'clinic.changed', clinic: { id: 'clinic-2', name: 'Liljan' } };
const left = { type: 'clinic.changed', clinic: null };
const entered = { type: 'path.entered', path: '/log' };
const navigation = { type: 'navigation.requested', path: '/log' };
const eventReceived = { type: 'hub-event.received', hubEvent: changeEvent };
const restored = { type: 'connection.restored' };

const starting = (spinner: string, overlay: string, visitor: string, work = 'closed') => ({
  screen: { starting: { spinner, overlay, visitor } },
  work,
});
const atFirst = (work: string) => starting('hidden', 'shown', 'unknown', work);
/** Actors that start when the session opens. */
const openedFor = (clinicId: string | null) =>
  [
    ['connection'],
    ['forwardEvents', { from: 'connection' }],
    ['imports'],
    ['patientSearch', { clinicId }],
    ['forwardEvents', { from: 'patientSearch' }],
    ['viewer'],
    ['viewset'],
  ] as const;

rulesOf(
  {
    machine: appMachine,
    children: ['session', 'connection', 'imports', 'patientSearch', 'viewer', 'viewset', 'forwardEvents'],
  },
  {
    'starts with the session and subscribes to it': [
      [
        [],
        atFirst('closed'),
        { calls: [['session'], ['forwardEvents', { from: 'session' }]], learns: { clinicId: null } },
      ],
    ],
    'shows a spinner after 300 ms, and the page after 1300 ms once the session is resolved': [
      [[299], atFirst('closed')],
      [[300], starting('shown', 'shown', 'unknown')],
      [[1_299, settled], starting('shown', 'shown', 'known')],
      [[1_299, settled, 1], { screen: 'running', work: 'closed' }],
      [[300, 1_000], starting('shown', 'over', 'unknown')],
      [[1_300, settled], { screen: 'running', work: 'closed' }],
      [[settled], starting('hidden', 'shown', 'known')],
      [[settled, settled], starting('hidden', 'shown', 'known')],
    ],
    "runs the session's actors for as long as the session is open": [
      [
        [opened],
        atFirst('open'),
        {
          calls: openedFor('clinic-1'),
          learns: { clinicId: 'clinic-1' },
        },
      ],
      [
        [openedNowhere],
        atFirst('open'),
        {
          calls: openedFor(null),
        },
      ],
      [
        [opened, closed],
        atFirst('closed'),
        { sends: [['viewer', { type: 'viewer.closed' }]], learns: { clinicId: null } },
      ],
      [
        [opened, closed, openedNowhere],
        atFirst('open'),
        {
          calls: openedFor(null),
        },
      ],
      [[closed], atFirst('closed')],
      [[opened, opened], atFirst('open')],
    ],
    'emits that another clinic was chosen': [
      [
        [opened, changed],
        atFirst('open'),
        {
          sends: [
            ['patientSearch', { type: 'clinic.changed', clinicId: 'clinic-2' }],
            ['viewer', { type: 'viewer.closed' }],
            ['viewset', { type: 'viewset.closed' }],
          ],
          learns: { clinicId: 'clinic-2' },
        },
      ],
      [
        [opened, left],
        atFirst('open'),
        {
          sends: [
            ['patientSearch', { type: 'clinic.changed', clinicId: null }],
            ['viewer', { type: 'viewer.closed' }],
            ['viewset', { type: 'viewset.closed' }],
          ],
          learns: { clinicId: null },
        },
      ],
      [[changed], atFirst('closed')],
    ],
    'forwards change events to the imports, and a restored connection also to the open viewset': [
      [
        [opened, eventReceived],
        atFirst('open'),
        {
          sends: [['imports', eventReceived]],
        },
      ],
      [
        [opened, restored],
        atFirst('open'),
        {
          sends: [
            ['imports', restored],
            ['viewset', restored],
          ],
        },
      ],
      [[eventReceived], atFirst('closed')],
    ],
    'forwards the current path to the session, and emits navigation requests': [
      [[entered], atFirst('closed'), { sends: [['session', entered]] }],
      [[navigation], atFirst('closed'), { emitted: [navigation] }],
      [[opened, entered], atFirst('open'), { sends: [['session', entered]] }],
    ],
  },
);
