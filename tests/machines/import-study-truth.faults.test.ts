import { done, failed, offline } from '../paths.ts';
import {
  added,
  arrived,
  ask,
  atFirst,
  back,
  cancelled,
  clear,
  cut,
  differs,
  file,
  goOn,
  left,
  leftFolder,
  leftForClinic,
  noRight,
  notFound,
  one,
  outcome,
  parse,
  preparingHeard,
  progress,
  restored,
  restoredPaused,
  retried,
  retry,
  send,
  truth,
  two,
  withdraw,
} from './import-study-steps.ts';
import { rulesOf } from './rules-of.ts';

const some = { files: [file('received')], totalFilesCount: 3, percent: 70 };
const passing = { files: [file('imported'), file('refused', 'storage-failed')], totalFilesCount: 3 };
const arriving = [truth('uploading', some)];
const interrupted = [...arriving, 10_000, truth('uploading', some)];
const doneInPart = [truth('done', passing)];
const failedThere = [truth('validation', { ...passing, error: true })];

rulesOf(left, {
  'asks first where an import stands that was begun elsewhere': [
    [
      [],
      { catchingUp: 'checking' },
      {
        asks: [ask],
        learns: atFirst('task-1', [], false),
      },
    ],
    [[cut], { catchingUp: 'listening' }],
    [[cut, 10_000], { catchingUp: 'checking' }, { asks: [ask] }],
    [[cut, back], { catchingUp: 'checking' }, { asks: [ask] }],
    [[failed('fetchImport', notFound)], 'failed', { learns: { failure: notFound } }],
    [[failed('fetchImport', notFound), retried], { catchingUp: 'checking' }, { asks: [ask] }],
    [[cancelled], 'withdrawing', { asks: [withdraw] }],
  ],
  'stands where the archive says': [
    [failedThere, 'failed', { learns: { found: ['imported', 'storage-failed'], expected: 3 } }],
    [
      [truth('preparing', some)],
      { preparing: 'listening' },
      { learns: { found: ['received'], expected: 3, step: 'preparing', percent: 70 } },
    ],
    [
      [truth('parsing', some)],
      { parsing: 'listening' },
      { learns: { found: ['received'], expected: 3, step: 'parsing', percent: 70 } },
    ],
    [
      [truth('importing', some)],
      { importing: 'listening' },
      { learns: { found: ['received'], expected: 3, step: 'importing', percent: 70 } },
    ],
    [
      [truth('validation', { ...some, files: [file('parsed')], studies: [differs] })],
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
    [[truth('done', some)], 'done', { learns: { found: ['received'], expected: 3, step: 'done', percent: 70 } }],
    [doneInPart, 'doneInPart', { learns: { found: ['imported', 'storage-failed'], expected: 3, step: 'done' } }],
    [
      [truth('importing', passing)],
      { importing: 'listening' },
      { learns: { found: ['imported', 'storage-failed'], expected: 3, step: 'importing' } },
    ],
    [arriving, { arriving: 'listening' }, { learns: { found: ['received'], expected: 3, percent: 70 } }],
    [[truth('uploading')], 'interrupted', { learns: { expected: 2 } }],
  ],
  'follows files that another session sends, until no more arrive': [
    [[...arriving, preparingHeard()], { arriving: 'checking' }, { asks: [ask] }],
    [[...arriving, preparingHeard('task-2')], { arriving: 'listening' }],
    [[...arriving, 10_000], { arriving: 'checking' }, { asks: [ask] }],
    [[...arriving, back], { arriving: 'checking' }, { asks: [ask] }],
    [interrupted, 'interrupted'],
    [
      [...arriving, 10_000, truth('uploading', { ...some, files: [...some.files, file('received')] })],
      { arriving: 'listening' },
      { learns: { found: ['received', 'received'] } },
    ],
    [
      [truth('preparing'), 10_000, truth('uploading', some)],
      { arriving: 'listening' },
      { learns: { found: ['received'], expected: 3, step: 'uploading', percent: 70 } },
    ],
    [[truth('preparing'), 10_000, truth('uploading')], 'interrupted', { learns: { step: 'uploading' } }],
  ],
  'waits for a person when they stopped': [
    [[...interrupted, goOn], { preparing: 'asking' }, { asks: [parse], learns: { step: 'preparing' } }],
    [[truth('uploading'), goOn], 'interrupted'],
    [
      [...interrupted, added(one)],
      { uploading: { sending: 'running' } },
      {
        asks: [send(one)],
        learns: { files: ['one waiting 0'] },
      },
    ],
    [[...interrupted, added()], 'interrupted'],
    [[...interrupted, preparingHeard()], { catchingUp: 'checking' }, { asks: [ask] }],
    [[...interrupted, preparingHeard('task-2')], 'interrupted'],
    [[...interrupted, back], { catchingUp: 'checking' }, { asks: [ask] }],
    [[...interrupted, cancelled], 'withdrawing', { asks: [withdraw] }],
  ],
  'has files read again that were refused for a reason that may have passed': [
    [[...doneInPart, retried], 'retrying', { asks: [retry] }],
    [[...doneInPart, cancelled], 'doneInPart'],
    [[...doneInPart, retried, done('retryImport', { id: 'task-1' })], { catchingUp: 'checking' }, { asks: [ask] }],
    [[...doneInPart, retried, failed('retryImport', offline)], 'failed', { learns: { failure: offline } }],
    [[...failedThere, retried], 'retrying', { asks: [retry] }],
    [[truth('validation', { files: [file('refused')] }), retried], 'failed'],
    [[...doneInPart, retried, cancelled], 'withdrawing', { asks: [withdraw] }],
  ],
});

rulesOf(leftFolder, {
  'has what arrived of a folder prepared': [
    [
      [truth('uploading', some), 10_000, truth('uploading', some), goOn],
      { preparing: 'asking' },
      { asks: [['parseImport', { taskId: 'task-1', folder: true, aws: null }]], learns: { step: 'preparing' } },
    ],
  ],
});

rulesOf(restored, {
  'sends what the archive does not have of an import that was begun here': [
    [
      [],
      { catchingUp: 'checking' },
      {
        asks: [ask],
        learns: atFirst('task-1', ['one waiting 0', 'two waiting 0'], false),
      },
    ],
    [
      [truth('uploading')],
      { uploading: { sending: 'running' } },
      {
        asks: [send(one, two)],
        learns: { expected: 2 },
      },
    ],
    [
      [truth('uploading', { files: [arrived('folder/one.dcm', 300)], totalFilesCount: 2, percent: 50 })],
      { uploading: { sending: 'running' } },
      {
        asks: [send(two)],
        learns: { files: ['one uploaded 0', 'two waiting 0'], found: ['received'], expected: 2, percent: 50 },
      },
    ],
    [
      [truth('uploading', { files: [arrived('folder/one.dcm', 300), arrived('folder/two.dcm', 100)] })],
      { preparing: 'asking' },
      {
        asks: [parse],
        learns: {
          files: ['one uploaded 0', 'two uploaded 0'],
          found: ['received', 'received'],
          expected: 2,
          step: 'preparing',
        },
      },
    ],
    [[truth('uploading'), progress(1, 20), outcome()], { uploading: { sending: 'running' } }],
    [[failed('fetchImport', noRight)], 'failed', { learns: { failure: noRight } }],
    [
      [failed('fetchImport', noRight), retried],
      { uploading: { sending: 'running' } },
      {
        asks: [send(one, two)],
        learns: { failure: null },
      },
    ],
  ],
});

rulesOf(restoredPaused, {
  'rests as it was left': [
    [
      [],
      { catchingUp: 'checking' },
      {
        asks: [ask],
        learns: atFirst('task-1', ['one waiting 0', 'two waiting 0'], true),
      },
    ],
    [[truth('uploading')], { uploading: 'paused' }, { learns: { expected: 2 } }],
  ],
});

rulesOf(leftForClinic, {
  'asks a person about everything that comes into the clinic': [
    [
      [truth('validation', { files: [file('parsed')], studies: [clear] })],
      { validation: 'waiting' },
      { learns: { found: ['parsed'], studies: ['2.25.1 same'], expected: 2, step: 'validation' } },
    ],
  ],
});
