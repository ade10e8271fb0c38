import { done, failed, offline } from '../paths.ts';
import {
  allUploaded,
  cancelled,
  confirm,
  connectionLost,
  fetched,
  fetchStatus,
  file,
  fresh,
  importing,
  noRight,
  outcome,
  parse,
  parsing,
  preparing,
  preparingReported,
  progress,
  reconnected,
  retried,
  startedElsewhere,
  withdraw,
  wrongStep,
} from './import-study-steps.ts';
import { rulesOf } from './rules-of.ts';

const another = 'task-2';
const accepted = done('confirmImport', { id: 'task-1' });

rulesOf(fresh, {
  'requests preparation, and assumes that it may have started when the reply is lost': [
    [allUploaded, { preparing: 'requesting' }, { calls: [parse], learns: { speed: null, step: 'preparing' } }],
    [preparing, { preparing: 'listening' }],
    [[...allUploaded, failed('parseImport', offline)], { preparing: 'listening' }],
    [[...allUploaded, failed('parseImport', wrongStep)], { preparing: 'checking' }, { calls: [fetchStatus] }],
    [[...allUploaded, failed('parseImport', noRight)], 'failed', { learns: { failure: noRight } }],
  ],
  'shows the progress of preparation': [
    [[...allUploaded, preparingReported()], { preparing: 'listening' }],
    [[...allUploaded, preparingReported(another)], { preparing: 'requesting' }],
    [[...allUploaded, progress(1, 20)], { preparing: 'listening' }, { learns: { percent: 20 } }],
    [[...allUploaded, progress(1, 20, another)], { preparing: 'requesting' }],
    [[...allUploaded, progress(4, 20)], { preparing: 'requesting' }],
    [[...preparing, progress(1, 20), progress(1, 30)], { preparing: 'listening' }, { learns: { percent: 30 } }],
    [[...preparing, progress(1, 20), outcome(), connectionLost], { preparing: 'listening' }],
    [
      [...preparing, progress(1, 20), outcome(), failed('fetchImport', noRight)],
      'failed',
      { learns: { percent: 0, failure: noRight } },
    ],
  ],
  'continues with parsing when the event arrives': [
    [parsing, { parsing: 'listening' }, { learns: { step: 'parsing', percent: 40 } }],
    [[...allUploaded, progress(2, 40)], { parsing: 'listening' }, { learns: { step: 'parsing', percent: 40 } }],
    [[...allUploaded, progress(2, 40, another)], { preparing: 'requesting' }],
    [[...parsing, progress(2, 55)], { parsing: 'listening' }, { learns: { percent: 55 } }],
    [[...parsing, progress(2, 55, another)], { parsing: 'listening' }],
    [[...parsing, progress(1, 55)], { parsing: 'listening' }],
    [[...parsing, outcome(), progress(2, 55)], { parsing: 'listening' }, { learns: { percent: 55 } }],
    [[...parsing, outcome(), failed('fetchImport', noRight)], 'failed', { learns: { percent: 0, failure: noRight } }],
  ],
  'fetches the status after an outcome, ten seconds without events, or a reconnect': [
    [[...preparing, outcome()], { preparing: 'checking' }, { calls: [fetchStatus] }],
    [[...preparing, outcome(another)], { preparing: 'listening' }],
    [[...preparing, 9_999], { preparing: 'listening' }],
    [[...preparing, 10_000], { preparing: 'checking' }, { calls: [fetchStatus] }],
    [[...preparing, reconnected], { preparing: 'checking' }, { calls: [fetchStatus] }],
    [[...preparing, 10_000, connectionLost], { preparing: 'listening' }],
    [[...preparing, 10_000, connectionLost, 10_000], { preparing: 'checking' }, { calls: [fetchStatus] }],
    [[...preparing, 10_000, preparingReported()], { preparing: 'listening' }],
    [[...parsing, outcome()], { parsing: 'checking' }, { calls: [fetchStatus] }],
    [[...parsing, outcome(another)], { parsing: 'listening' }],
    [[...parsing, 10_000], { parsing: 'checking' }, { calls: [fetchStatus] }],
    [[...parsing, reconnected], { parsing: 'checking' }, { calls: [fetchStatus] }],
  ],
  'can be cancelled until it is imported': [
    [[...preparing, cancelled], 'withdrawing', { calls: [withdraw] }],
    [[...parsing, cancelled], 'withdrawing', { calls: [withdraw], learns: { percent: 0 } }],
  ],
});

rulesOf(startedElsewhere, {
  'imports without confirmation when no study needs one, and cannot be cancelled then': [
    [
      importing,
      { importing: 'requesting' },
      { calls: [confirm], learns: { found: ['parsed'], studies: ['2.25.1 same'], expected: 2, step: 'importing' } },
    ],
    [[...importing, cancelled], { importing: 'requesting' }],
    [[...importing, accepted], { importing: 'listening' }],
    [[...importing, accepted, cancelled], { importing: 'listening' }],
    [[...importing, failed('confirmImport', offline)], { importing: 'listening' }],
    [[...importing, failed('confirmImport', wrongStep)], { importing: 'checking' }, { calls: [fetchStatus] }],
    [[...importing, failed('confirmImport', noRight)], 'failed', { learns: { failure: noRight } }],
    [[...importing, failed('confirmImport', noRight), retried], { catchingUp: 'checking' }, { calls: [fetchStatus] }],
  ],
  'shows the progress of importing': [
    [[...importing, progress(4, 60)], { importing: 'listening' }, { learns: { percent: 60 } }],
    [[...importing, progress(4, 60, another)], { importing: 'requesting' }],
    [[...importing, progress(2, 60)], { importing: 'requesting' }],
    [[...importing, progress(4, 60), progress(4, 80)], { importing: 'listening' }, { learns: { percent: 80 } }],
    [[...importing, outcome()], { importing: 'checking' }, { calls: [fetchStatus] }],
    [[...importing, outcome(another)], { importing: 'requesting' }],
    [[...importing, progress(4, 60), 10_000], { importing: 'checking' }, { calls: [fetchStatus] }],
    [[...importing, progress(4, 60), reconnected], { importing: 'checking' }, { calls: [fetchStatus] }],
    [
      [...importing, progress(4, 60), outcome(), failed('fetchImport', noRight)],
      'failed',
      { learns: { percent: 0, failure: noRight } },
    ],
    [
      [...importing, progress(4, 60), outcome(), fetched('done', { files: [file('imported')] })],
      'done',
      { learns: { found: ['imported'], studies: [], step: 'done', percent: 0 }, ended: true },
    ],
  ],
});
