import { appMachine } from '../../src/machines/app/app.machine.ts';
import { rulesOf } from './rules-of.ts';

const solrosen = { id: 'clinic-1', name: 'Solrosen' };
const news = { name: 'preparing', body: { taskId: 'task-1' } };

const settled = { type: 'session.settled' };
const opened = { type: 'session.opened', clinic: solrosen };
const openedNowhere = { type: 'session.opened', clinic: null };
const closed = { type: 'session.closed' };
const changed = { type: 'clinic.changed', clinic: { id: 'clinic-2', name: 'Liljan' } };
const left = { type: 'clinic.changed', clinic: null };
const entered = { type: 'place.entered', place: '/log' };
const wanted = { type: 'place.wanted', place: '/log' };
const heard = { type: 'news.heard', news };
const restored = { type: 'connection.restored' };

const starting = (patience: string, overlay: string, visitor: string, work = 'closed') => ({
  screen: { starting: { patience, overlay, visitor } },
  work,
});
const atFirst = (work: string) => starting('calm', 'shown', 'unknown', work);
/** What begins with a session. */
const openedFor = (clinicId: string | null) =>
  [
    ['connection'],
    ['hear', { from: 'connection' }],
    ['imports'],
    ['patientSearch', { clinicId }],
    ['hear', { from: 'patientSearch' }],
    ['viewer'],
    ['viewset'],
  ] as const;

rulesOf(
  {
    machine: appMachine,
    children: ['session', 'connection', 'imports', 'patientSearch', 'viewer', 'viewset', 'hear'],
  },
  {
    'begins with the session, and listens to it': [
      [[], atFirst('closed'), { asks: [['session'], ['hear', { from: 'session' }]], learns: { clinicId: null } }],
    ],
    'shows a spinner after 300 ms, and itself after 1300 ms when it is known who is there': [
      [[299], atFirst('closed')],
      [[300], starting('spinning', 'shown', 'unknown')],
      [[1_299, settled], starting('spinning', 'shown', 'known')],
      [[1_299, settled, 1], { screen: 'running', work: 'closed' }],
      [[300, 1_000], starting('spinning', 'over', 'unknown')],
      [[1_300, settled], { screen: 'running', work: 'closed' }],
      [[settled], starting('calm', 'shown', 'known')],
      [[settled, settled], starting('calm', 'shown', 'known')],
    ],
    'has what belongs to a session for as long as it is open': [
      [
        [opened],
        atFirst('open'),
        {
          asks: openedFor('clinic-1'),
          learns: { clinicId: 'clinic-1' },
        },
      ],
      [
        [openedNowhere],
        atFirst('open'),
        {
          asks: openedFor(null),
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
          asks: openedFor(null),
        },
      ],
      [[closed], atFirst('closed')],
      [[opened, opened], atFirst('open')],
    ],
    'tells everybody when another clinic is chosen': [
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
    'brings news to the imports and to the open viewset': [
      [
        [opened, heard],
        atFirst('open'),
        {
          sends: [
            ['imports', heard],
            ['viewset', heard],
          ],
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
      [[heard], atFirst('closed')],
    ],
    'tells the session where the visitor is, and everybody where they want to be': [
      [[entered], atFirst('closed'), { sends: [['session', entered]] }],
      [[wanted], atFirst('closed'), { told: [wanted] }],
      [[opened, entered], atFirst('open'), { sends: [['session', entered]] }],
    ],
  },
);
