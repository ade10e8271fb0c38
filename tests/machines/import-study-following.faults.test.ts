import { done, failed, offline } from '../paths.ts';
import {
  allUp,
  ask,
  back,
  cancelled,
  confirm,
  cut,
  file,
  fresh,
  importing,
  left,
  noRight,
  outcome,
  parse,
  parsing,
  preparing,
  preparingHeard,
  progress,
  retried,
  truth,
  withdraw,
  wrongStep,
} from './import-study-steps.ts';
import { rulesOf } from './rules-of.ts';

const another = 'task-2';
const accepted = done('confirmImport', { id: 'task-1' });

rulesOf(fresh, {
  'asks the archive to prepare, and believes that it may have heard when no answer comes': [
    [allUp, { preparing: 'asking' }, { asks: [parse], learns: { speed: null, step: 'preparing' } }],
    [preparing, { preparing: 'listening' }],
    [[...allUp, failed('parseImport', offline)], { preparing: 'listening' }],
    [[...allUp, failed('parseImport', wrongStep)], { preparing: 'checking' }, { asks: [ask] }],
    [[...allUp, failed('parseImport', noRight)], 'failed', { learns: { failure: noRight } }],
  ],
  'hears how far it is with preparing': [
    [[...allUp, preparingHeard()], { preparing: 'listening' }],
    [[...allUp, preparingHeard(another)], { preparing: 'asking' }],
    [[...allUp, progress(1, 20)], { preparing: 'listening' }, { learns: { percent: 20 } }],
    [[...allUp, progress(1, 20, another)], { preparing: 'asking' }],
    [[...allUp, progress(4, 20)], { preparing: 'asking' }],
    [[...preparing, progress(1, 20), progress(1, 30)], { preparing: 'listening' }, { learns: { percent: 30 } }],
    [[...preparing, progress(1, 20), outcome(), cut], { preparing: 'listening' }],
    [
      [...preparing, progress(1, 20), outcome(), failed('fetchImport', noRight)],
      'failed',
      { learns: { percent: 0, failure: noRight } },
    ],
  ],
  'goes on to parsing when it hears of it': [
    [parsing, { parsing: 'listening' }, { learns: { step: 'parsing', percent: 40 } }],
    [[...allUp, progress(2, 40)], { parsing: 'listening' }, { learns: { step: 'parsing', percent: 40 } }],
    [[...allUp, progress(2, 40, another)], { preparing: 'asking' }],
    [[...parsing, progress(2, 55)], { parsing: 'listening' }, { learns: { percent: 55 } }],
    [[...parsing, progress(2, 55, another)], { parsing: 'listening' }],
    [[...parsing, progress(1, 55)], { parsing: 'listening' }],
    [[...parsing, outcome(), progress(2, 55)], { parsing: 'listening' }, { learns: { percent: 55 } }],
    [[...parsing, outcome(), failed('fetchImport', noRight)], 'failed', { learns: { percent: 0, failure: noRight } }],
  ],
  'asks how things stand after an outcome, ten seconds of silence, or a cut': [
    [[...preparing, outcome()], { preparing: 'checking' }, { asks: [ask] }],
    [[...preparing, outcome(another)], { preparing: 'listening' }],
    [[...preparing, 9_999], { preparing: 'listening' }],
    [[...preparing, 10_000], { preparing: 'checking' }, { asks: [ask] }],
    [[...preparing, back], { preparing: 'checking' }, { asks: [ask] }],
    [[...preparing, 10_000, cut], { preparing: 'listening' }],
    [[...preparing, 10_000, cut, 10_000], { preparing: 'checking' }, { asks: [ask] }],
    [[...preparing, 10_000, preparingHeard()], { preparing: 'listening' }],
    [[...parsing, outcome()], { parsing: 'checking' }, { asks: [ask] }],
    [[...parsing, outcome(another)], { parsing: 'listening' }],
    [[...parsing, 10_000], { parsing: 'checking' }, { asks: [ask] }],
    [[...parsing, back], { parsing: 'checking' }, { asks: [ask] }],
  ],
  'can be taken back until it is imported': [
    [[...preparing, cancelled], 'withdrawing', { asks: [withdraw] }],
    [[...parsing, cancelled], 'withdrawing', { asks: [withdraw], learns: { percent: 0 } }],
  ],
});

rulesOf(left, {
  'imports what needs nobody, and cannot be taken back any more': [
    [
      importing,
      { importing: 'asking' },
      { asks: [confirm], learns: { found: ['parsed'], studies: ['2.25.1 same'], expected: 2, step: 'importing' } },
    ],
    [[...importing, cancelled], { importing: 'asking' }],
    [[...importing, accepted], { importing: 'listening' }],
    [[...importing, accepted, cancelled], { importing: 'listening' }],
    [[...importing, failed('confirmImport', offline)], { importing: 'listening' }],
    [[...importing, failed('confirmImport', wrongStep)], { importing: 'checking' }, { asks: [ask] }],
    [[...importing, failed('confirmImport', noRight)], 'failed', { learns: { failure: noRight } }],
    [[...importing, failed('confirmImport', noRight), retried], { catchingUp: 'checking' }, { asks: [ask] }],
  ],
  'hears how far it is with importing': [
    [[...importing, progress(4, 60)], { importing: 'listening' }, { learns: { percent: 60 } }],
    [[...importing, progress(4, 60, another)], { importing: 'asking' }],
    [[...importing, progress(2, 60)], { importing: 'asking' }],
    [[...importing, progress(4, 60), progress(4, 80)], { importing: 'listening' }, { learns: { percent: 80 } }],
    [[...importing, outcome()], { importing: 'checking' }, { asks: [ask] }],
    [[...importing, outcome(another)], { importing: 'asking' }],
    [[...importing, progress(4, 60), 10_000], { importing: 'checking' }, { asks: [ask] }],
    [[...importing, progress(4, 60), back], { importing: 'checking' }, { asks: [ask] }],
    [
      [...importing, progress(4, 60), outcome(), failed('fetchImport', noRight)],
      'failed',
      { learns: { percent: 0, failure: noRight } },
    ],
    [
      [...importing, progress(4, 60), outcome(), truth('done', { files: [file('imported')] })],
      'done',
      { learns: { found: ['imported'], studies: [], step: 'done', percent: 0 }, ended: true },
    ],
  ],
});
