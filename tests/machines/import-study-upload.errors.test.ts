import { done, failed, offline } from '../paths.ts';
import {
  added,
  allUploaded,
  atFirst,
  aws,
  beginImport,
  broken,
  cancelled,
  continued,
  created,
  discFile,
  fetchStatus,
  finished,
  finishedInStore,
  folder,
  fresh,
  half,
  lost,
  noRight,
  notFound,
  one,
  parse,
  paused,
  reconnected,
  rejectedUpload,
  resume,
  resumed,
  retried,
  send,
  three,
  two,
  uploaded,
  waited,
  withdraw,
  wrongStep,
} from './import-study-steps.ts';
import { rulesOf } from './rules-of.ts';

const unreachable = [failed('beginImport', offline)];
const missingFiles = [created, lost('two'), uploaded('one'), finished];

rulesOf(fresh, {
  'creates an import task, and waits for the connection': [
    [
      [],
      { uploading: 'beginning' },
      {
        calls: [beginImport('import-1')],
        learns: atFirst(null, ['one waiting 0', 'two waiting 0'], false),
      },
    ],
    [
      [created],
      { uploading: { sending: 'running' } },
      {
        calls: [send(one, two)],
        learns: { taskId: 'task-1' },
      },
    ],
    [unreachable, { uploading: 'unreachable' }],
    [[...unreachable, 4_999], { uploading: 'unreachable' }],
    [
      [...unreachable, 5_000],
      { uploading: 'beginning' },
      {
        calls: [beginImport('import-1')],
      },
    ],
    [
      [...unreachable, reconnected],
      { uploading: 'beginning' },
      {
        calls: [beginImport('import-1')],
      },
    ],
    [[failed('beginImport', noRight)], 'failed', { learns: { failure: noRight } }],
  ],
  'uploads the files, and knows the progress of each': [
    [
      [created, half],
      { uploading: { sending: 'running' } },
      { learns: { files: ['one waiting 150', 'two waiting 0'], speed: 1_000 } },
    ],
    [
      [created, uploaded('one')],
      { uploading: { sending: 'running' } },
      { learns: { files: ['one uploaded 0', 'two waiting 0'], speed: 1_000 } },
    ],
    [[created, half, waited], { uploading: { sending: 'waiting' } }, { learns: { speed: null } }],
    [
      [created, half, { type: 'upload.waited', reason: 'disk-space' }],
      { uploading: { sending: 'waiting' } },
      { learns: { speed: null, waitReason: 'disk-space' } },
    ],
    [
      [created, half, { type: 'upload.waited', reason: 'disk-space' }, waited],
      { uploading: { sending: 'waiting' } },
      { learns: { waitReason: 'connection' } },
    ],
    [[created, half, waited, continued], { uploading: { sending: 'running' } }],
    [
      [created, half, finished],
      { uploading: { sending: 'running' } },
      {
        calls: [send(one, two)],
        learns: { speed: null },
      },
    ],
    [[created, half, broken(offline)], { uploading: 'unreachable' }, { learns: { speed: null } }],
    [
      [created, broken(offline), 5_000],
      { uploading: { sending: 'running' } },
      {
        calls: [send(one, two)],
      },
    ],
    [[created, broken(noRight)], 'failed', { learns: { failure: noRight } }],
  ],
  'continues with waiting files when the connection is back': [
    [[created, broken(offline), reconnected], { uploading: { sending: 'running' } }, { calls: [send(one, two)] }],
  ],
  'pauses on request': [
    [[paused], { uploading: 'paused' }, { learns: { paused: true } }],
    [
      [paused, resumed],
      { uploading: 'beginning' },
      {
        calls: [beginImport('import-1')],
        learns: { paused: false },
      },
    ],
    [[created, half, paused], { uploading: 'paused' }, { learns: { speed: null, paused: true } }],
    [[created, half, paused, paused], { uploading: 'paused' }, { ignored: true }],
    [
      [created, half, paused, resumed],
      { uploading: { sending: 'running' } },
      {
        calls: [send(one, two)],
        learns: { paused: false },
      },
    ],
    [[created, half, waited, paused], { uploading: 'paused' }, { learns: { paused: true } }],
    [[...unreachable, paused], { uploading: 'paused' }, { learns: { paused: true } }],
  ],
  'has the received files parsed': [
    [allUploaded, { preparing: 'requesting' }, { calls: [parse], learns: { speed: null, step: 'preparing' } }],
    [
      [created, uploaded('one', 'two'), finishedInStore],
      { preparing: 'requesting' },
      {
        calls: [['parseImport', { taskId: 'task-1', folder: false, aws }]],
        learns: { speed: null, aws, step: 'preparing' },
      },
    ],
    [[created, rejectedUpload, finished], 'failed', { learns: { speed: null } }],
    [[created, rejectedUpload, finished, retried], 'failed'],
  ],
  'waits for files that the browser lost, or continues without them': [
    [missingFiles, { uploading: 'missingFiles' }, { learns: { speed: null } }],
    [[...missingFiles, paused], { uploading: 'missingFiles' }, { ignored: true }],
    [[...missingFiles, resume], { preparing: 'requesting' }, { calls: [parse], learns: { step: 'preparing' } }],
    [
      [...missingFiles, added(two)],
      { uploading: { sending: 'running' } },
      {
        calls: [send(two)],
        learns: { files: ['one uploaded 0', 'two waiting 0'] },
      },
    ],
    [[...missingFiles, added(three)], { uploading: 'missingFiles' }],
    [[...missingFiles, added()], { uploading: 'missingFiles' }],
    [[created, lost('one', 'two'), finished, resume], { uploading: 'missingFiles' }],
    [
      [created, lost('two'), added(two)],
      { uploading: { sending: 'running' } },
      {
        calls: [send(one, two)],
        learns: { files: ['one waiting 0', 'two waiting 0'], speed: null },
      },
    ],
  ],
  'is cancelled': [
    [[cancelled], 'cancelled', { ended: true }],
    [[created, cancelled], 'withdrawing', { calls: [withdraw] }],
    [[created, cancelled, cancelled], 'withdrawing'],
    [[created, cancelled, done('withdrawImport', { id: 'task-1' })], 'cancelled'],
    [[created, cancelled, failed('withdrawImport', wrongStep)], 'cancelled'],
    [[paused, cancelled], 'cancelled'],
  ],
  'is retried: waiting files are sent, to a new task when the archive ended the old one': [
    [
      [created, broken(noRight), retried],
      { uploading: { sending: 'running' } },
      {
        calls: [send(one, two)],
        learns: { failure: null },
      },
    ],
    [
      [created, broken(wrongStep), retried],
      { uploading: 'beginning' },
      {
        calls: [beginImport(null)],
        learns: { taskId: null, isIdUsed: true, failure: null },
      },
    ],
    [
      [created, uploaded('one'), broken(notFound), retried],
      { uploading: 'beginning' },
      {
        calls: [
          [
            'beginImport',
            {
              id: null,
              patientId: 'patient-1',
              customerId: 'clinic-1',
              kind: 'dicom',
              name: 'Two',
              totalFilesCount: 1,
            },
          ],
        ],
        learns: { taskId: null, isIdUsed: true, files: ['two waiting 0'], failure: null },
      },
    ],
    [
      [failed('beginImport', noRight), retried],
      { uploading: 'beginning' },
      {
        calls: [beginImport('import-1')],
        learns: { failure: null },
      },
    ],
    [
      [created, broken(wrongStep), retried, created],
      { uploading: { sending: 'running' } },
      {
        calls: [send(one, two)],
        learns: { taskId: 'task-1' },
      },
    ],
  ],
});

rulesOf(folder, {
  'has a folder with a DICOMDIR parsed at once': [
    [
      allUploaded,
      { parsing: 'requesting' },
      {
        calls: [['parseImport', { taskId: 'task-1', folder: true, aws: null }]],
        learns: { speed: null, step: 'parsing' },
      },
    ],
    [[...allUploaded, done('parseImport', { id: 'task-1' })], { parsing: 'listening' }],
    [[...allUploaded, failed('parseImport', wrongStep)], { parsing: 'checking' }, { calls: [fetchStatus] }],
  ],
});

rulesOf(discFile, {
  'prepares a disc that came as one file': [
    [
      [created, uploaded('one'), finished],
      { preparing: 'requesting' },
      { calls: [parse], learns: { speed: null, step: 'preparing' } },
    ],
  ],
});
