import { done, failed, offline } from '../paths.ts';
import {
  added,
  arrived,
  atFirst,
  cancelled,
  connectionLost,
  fetched,
  fetchStatus,
  file,
  folderStartedElsewhere,
  matchingStudy,
  mismatchedStudy,
  noRight,
  notFound,
  one,
  outcome,
  parse,
  preparingReported,
  progress,
  reconnected,
  restored,
  restoredPaused,
  resume,
  retried,
  retry,
  send,
  startedElsewhere,
  startedElsewhereForClinic,
  two,
  withdraw,
} from './import-study-steps.ts';
import { rulesOf } from './rules-of.ts';

const some = { files: [file('received')], totalFilesCount: 3, percent: 70 };
const passing = { files: [file('imported'), file('refused', 'storage-failed')], totalFilesCount: 3 };
const arriving = [fetched('uploading', some)];
const interrupted = [...arriving, 10_000, fetched('uploading', some)];
const doneInPart = [fetched('done', passing)];
const taskFailed = [fetched('validation', { ...passing, error: true })];

rulesOf(startedElsewhere, {
  'first fetches the status of an import that was created elsewhere': [
    [
      [],
      { catchingUp: 'checking' },
      {
        calls: [fetchStatus],
        learns: atFirst('task-1', [], false),
      },
    ],
    [[connectionLost], { catchingUp: 'listening' }],
    [[connectionLost, 10_000], { catchingUp: 'checking' }, { calls: [fetchStatus] }],
    [[connectionLost, reconnected], { catchingUp: 'checking' }, { calls: [fetchStatus] }],
    [[failed('fetchImport', notFound)], 'failed', { learns: { failure: notFound } }],
    [[failed('fetchImport', notFound), retried], { catchingUp: 'checking' }, { calls: [fetchStatus] }],
    [[cancelled], 'withdrawing', { calls: [withdraw] }],
  ],
  'takes the step that the archive reports': [
    [taskFailed, 'failed', { learns: { found: ['imported', 'storage-failed'], expected: 3, step: 'validation' } }],
    [
      [fetched('preparing', some)],
      { preparing: 'listening' },
      { learns: { found: ['received'], expected: 3, step: 'preparing', percent: 70 } },
    ],
    [
      [fetched('parsing', some)],
      { parsing: 'listening' },
      { learns: { found: ['received'], expected: 3, step: 'parsing', percent: 70 } },
    ],
    [
      [fetched('importing', some)],
      { importing: 'listening' },
      { learns: { found: ['received'], expected: 3, step: 'importing', percent: 70 } },
    ],
    [
      [fetched('validation', { ...some, files: [file('parsed')], studies: [mismatchedStudy] })],
      { validation: 'waiting' },
      {
        learns: {
          found: ['parsed'],
          studies: ['2.25.1 differs mismatch-not-confirmed'],
          expected: 3,
          step: 'validation',
          percent: 70,
        },
      },
    ],
    [[fetched('done', some)], 'done', { learns: { found: ['received'], expected: 3, step: 'done', percent: 70 } }],
    [doneInPart, 'doneInPart', { learns: { found: ['imported', 'storage-failed'], expected: 3, step: 'done' } }],
    [
      [fetched('importing', passing)],
      { importing: 'listening' },
      { learns: { found: ['imported', 'storage-failed'], expected: 3, step: 'importing' } },
    ],
    [arriving, { arriving: 'listening' }, { learns: { found: ['received'], expected: 3, percent: 70 } }],
    [[fetched('uploading')], 'interrupted', { learns: { expected: 2 } }],
  ],
  'follows files that another session uploads until no more arrive': [
    [[...arriving, preparingReported()], { arriving: 'checking' }, { calls: [fetchStatus] }],
    [[...arriving, preparingReported('task-2')], { arriving: 'listening' }],
    [[...arriving, 10_000], { arriving: 'checking' }, { calls: [fetchStatus] }],
    [[...arriving, reconnected], { arriving: 'checking' }, { calls: [fetchStatus] }],
    [interrupted, 'interrupted'],
    [
      [...arriving, 10_000, fetched('uploading', { ...some, files: [...some.files, file('received')] })],
      { arriving: 'listening' },
      { learns: { found: ['received', 'received'] } },
    ],
    [
      [fetched('preparing'), 10_000, fetched('uploading', some)],
      { arriving: 'listening' },
      { learns: { found: ['received'], expected: 3, step: 'uploading', percent: 70 } },
    ],
    [[fetched('preparing'), 10_000, fetched('uploading')], 'interrupted', { learns: { step: 'uploading' } }],
  ],
  'waits for the user when they stopped': [
    [[...interrupted, resume], { preparing: 'requesting' }, { calls: [parse], learns: { step: 'preparing' } }],
    [[fetched('uploading'), resume], 'interrupted'],
    [
      [...interrupted, added(one)],
      { uploading: { sending: 'running' } },
      {
        calls: [send(one)],
        learns: { files: ['one waiting 0'] },
      },
    ],
    [[...interrupted, added()], 'interrupted'],
    [[...interrupted, preparingReported()], { catchingUp: 'checking' }, { calls: [fetchStatus] }],
    [[...interrupted, preparingReported('task-2')], 'interrupted'],
    [[...interrupted, reconnected], { catchingUp: 'checking' }, { calls: [fetchStatus] }],
    [[...interrupted, cancelled], 'withdrawing', { calls: [withdraw] }],
  ],
  'has files parsed again that were rejected for a temporary reason': [
    [[...doneInPart, retried], 'retrying', { calls: [retry] }],
    [[...doneInPart, cancelled], 'doneInPart'],
    [
      [...doneInPart, retried, done('retryImport', { id: 'task-1' })],
      { catchingUp: 'checking' },
      { calls: [fetchStatus] },
    ],
    [[...doneInPart, retried, failed('retryImport', offline)], 'failed', { learns: { failure: offline } }],
    [[...taskFailed, retried], 'retrying', { calls: [retry] }],
    [[fetched('validation', { files: [file('refused')] }), retried], 'failed'],
    [[...doneInPart, retried, cancelled], 'withdrawing', { calls: [withdraw] }],
  ],
});

rulesOf(folderStartedElsewhere, {
  'has the received part of a folder prepared': [
    [
      [fetched('uploading', some), 10_000, fetched('uploading', some), resume],
      { preparing: 'requesting' },
      { calls: [['parseImport', { taskId: 'task-1', folder: true, aws: null }]], learns: { step: 'preparing' } },
    ],
  ],
});

rulesOf(restored, {
  'uploads what the archive lacks of an import that was created here': [
    [
      [],
      { catchingUp: 'checking' },
      {
        calls: [fetchStatus],
        learns: atFirst('task-1', ['one waiting 0', 'two waiting 0'], false),
      },
    ],
    [
      [fetched('uploading')],
      { uploading: { sending: 'running' } },
      {
        calls: [send(one, two)],
        learns: { expected: 2 },
      },
    ],
    [
      [fetched('uploading', { files: [arrived('folder/one.dcm', 300)], totalFilesCount: 2, percent: 50 })],
      { uploading: { sending: 'running' } },
      {
        calls: [send(two)],
        learns: { files: ['one uploaded 0', 'two waiting 0'], found: ['received'], expected: 2, percent: 50 },
      },
    ],
    [
      [fetched('uploading', { files: [arrived('folder/one.dcm', 300), arrived('folder/two.dcm', 100)] })],
      { preparing: 'requesting' },
      {
        calls: [parse],
        learns: {
          files: ['one uploaded 0', 'two uploaded 0'],
          found: ['received', 'received'],
          expected: 2,
          step: 'preparing',
        },
      },
    ],
    [[fetched('uploading'), progress(1, 20), outcome()], { uploading: { sending: 'running' } }],
    [[failed('fetchImport', noRight)], 'failed', { learns: { failure: noRight } }],
    [
      [failed('fetchImport', noRight), retried],
      { uploading: { sending: 'running' } },
      {
        calls: [send(one, two)],
        learns: { failure: null },
      },
    ],
  ],
});

rulesOf(restoredPaused, {
  'stays paused after a restore': [
    [
      [],
      { catchingUp: 'checking' },
      {
        calls: [fetchStatus],
        learns: atFirst('task-1', ['one waiting 0', 'two waiting 0'], true),
      },
    ],
    [[fetched('uploading')], { uploading: 'paused' }, { learns: { expected: 2 } }],
  ],
});

rulesOf(startedElsewhereForClinic, {
  'asks for a decision about everything that is imported into the clinic': [
    [
      [fetched('validation', { files: [file('parsed')], studies: [matchingStudy] })],
      { validation: 'waiting' },
      { learns: { found: ['parsed'], studies: ['2.25.1 same'], expected: 2, step: 'validation' } },
    ],
  ],
});
