import { anImportStudy } from '../an-import.ts';
import { done, failed, offline, refused } from '../paths.ts';
import {
  back,
  cancelled,
  clear,
  confirm,
  confirmed,
  cut,
  decided,
  differs,
  fetched,
  fetchStatus,
  file,
  left,
  leftForClinic,
  noRight,
  outcome,
  progress,
  retried,
  retry,
  toDecide,
  withdraw,
} from './import-study-steps.ts';
import { rulesOf } from './rules-of.ts';

const conflict = refused('conflict');
const sendDecision = [
  'decideStudies',
  { taskId: 'task-1', decisions: [{ key: '2.25.1', decision: { mismatchConfirmed: true } }] },
] as const;
const deciding = [...toDecide, decided()];
const agreed = done('decideStudies', [{ study: { ...clear, match: 'differs' } }]);
/** Nothing blocks the import any more. */
const agreedClear = done('decideStudies', [{ study: clear }]);
const rejectedDecision = done('decideStudies', [{ key: '2.25.1', failure: conflict }]);
const another = 'task-2';
/** The archive found that the file is about another patient. */
const namedOtherwise = { match: 'differs' } as never;
/** A study without a decision about its patient. */
const nobodys = anImportStudy({ match: 'same' });
const foundNobodys = { learns: { found: ['parsed'], studies: ['2.25.1 same'], expected: 2, step: 'validation' } };
const passing = fetched('validation', {
  files: [file('refused', 'took-too-long'), file('parsed')],
  studies: [differs],
});
const ready = [fetched('validation', { files: [file('parsed')], studies: [clear] })];
const confirmedAgain = [
  ...ready,
  confirmed,
  outcome(),
  fetched('validation', { files: [file('parsed')], studies: [differs] }),
];

rulesOf(left, {
  'waits for the user when a study needs a decision': [
    [
      toDecide,
      { validation: 'waiting' },
      {
        learns: {
          found: ['parsed'],
          studies: ['2.25.1 differs mismatch-not-confirmed'],
          expected: 2,
          step: 'validation',
        },
      },
    ],
    [[...toDecide, confirmed], { validation: 'waiting' }],
    [
      [fetched('validation', { files: [file('refused')] })],
      'failed',
      { learns: { found: ['refused'], expected: 2, step: 'validation' } },
    ],
    [
      [fetched('validation', { files: [], studies: [clear] })],
      'failed',
      { learns: { studies: ['2.25.1 same'], expected: 2, step: 'validation' } },
    ],
    [[...toDecide, cancelled], 'withdrawing', { calls: [withdraw] }],
    [
      [fetched('validation', { files: [{ ...file('parsed'), patient: namedOtherwise }], studies: [clear] })],
      { validation: 'waiting' },
      { learns: { found: ['parsed'], studies: ['2.25.1 same'], expected: 2, step: 'validation' } },
    ],
  ],
  'sends decisions one after the other': [
    [
      deciding,
      { validation: 'deciding' },
      {
        calls: [sendDecision],
        learns: { deciding: ['2.25.1'] },
      },
    ],
    [[...toDecide, decided('another')], { validation: 'waiting' }],
    [[...deciding, decided()], { validation: 'deciding' }, { learns: { decided: ['2.25.1'] } }],
    [
      [...deciding, decided(), agreed],
      { validation: 'deciding' },
      {
        calls: [sendDecision],
        learns: { studies: ['2.25.1 differs'], decided: [] },
      },
    ],
    [[...deciding, agreed], { validation: 'waiting' }, { learns: { studies: ['2.25.1 differs'], deciding: [] } }],
    [
      [...deciding, rejectedDecision],
      { validation: 'checking' },
      {
        calls: [fetchStatus],
        learns: { deciding: [], decisionFailure: { key: '2.25.1', failure: conflict } },
      },
    ],
    [
      [...deciding, rejectedDecision, decided()],
      { validation: 'checking' },
      { learns: { decided: ['2.25.1'], decisionFailure: null } },
    ],
    [
      [...deciding, failed('decideStudies', offline)],
      { validation: 'checking' },
      { calls: [fetchStatus], learns: { deciding: [] } },
    ],
    [[...deciding, confirmed], { validation: 'deciding' }],
    [
      [...deciding, failed('decideStudies', offline), cut, decided()],
      { validation: 'deciding' },
      {
        calls: [sendDecision],
        learns: { deciding: ['2.25.1'] },
      },
    ],
    [
      [...deciding, failed('decideStudies', offline), decided(), cut],
      { validation: 'deciding' },
      {
        calls: [sendDecision],
        learns: { decided: [], deciding: ['2.25.1'] },
      },
    ],
  ],
  'continues automatically when all decisions are sent': [
    [
      [...deciding, agreedClear],
      { importing: 'requesting' },
      { calls: [confirm], learns: { studies: ['2.25.1 same'], deciding: [], step: 'importing' } },
    ],
    [
      [...deciding, decided(), agreedClear],
      { validation: 'deciding' },
      { calls: [sendDecision], learns: { studies: ['2.25.1 same'], decided: [] } },
    ],
  ],
  'checks again when another session works on it, or events may have been missed': [
    [[...toDecide, back], { validation: 'checking' }, { calls: [fetchStatus] }],
    [[...toDecide, progress(2, 100)], { validation: 'checking' }, { calls: [fetchStatus] }],
    [[...toDecide, progress(2, 100, another)], { validation: 'waiting' }],
    [[...toDecide, outcome()], { validation: 'checking' }, { calls: [fetchStatus] }],
    [[...toDecide, outcome(another)], { validation: 'waiting' }],
    [[...toDecide, outcome(), cut], { validation: 'listening' }],
    [[...toDecide, outcome(), cut, 10_000], { validation: 'checking' }, { calls: [fetchStatus] }],
    [[...toDecide, outcome(), cut, back], { validation: 'checking' }, { calls: [fetchStatus] }],
    [
      [...toDecide, outcome(), fetched('validation', { files: [file('parsed')], studies: [clear] })],
      { importing: 'requesting' },
      { calls: [confirm], learns: { studies: ['2.25.1 same'], step: 'importing' } },
    ],
  ],
  'has failed files parsed again when the cause may be gone': [
    [[passing, retried], 'retrying', { calls: [retry] }],
    [[...toDecide, retried], { validation: 'waiting' }],
  ],
});

rulesOf(leftForClinic, {
  'imports when the user confirms': [
    [
      ready,
      { validation: 'waiting' },
      { learns: { found: ['parsed'], studies: ['2.25.1 same'], expected: 2, step: 'validation' } },
    ],
    [
      [...ready, confirmed],
      { importing: 'requesting' },
      { calls: [confirm], learns: { step: 'importing', confirmed: true } },
    ],
    [[...ready, decided(), confirmed], { validation: 'deciding' }],
    [
      [...ready, decided(), failed('decideStudies', offline), decided(), confirmed],
      { validation: 'checking' },
      { ignored: true },
    ],
    [[fetched('validation', { files: [file('parsed')], studies: [nobodys] })], { validation: 'waiting' }, foundNobodys],
    [[...ready, confirmed, outcome(), ...ready], { importing: 'requesting' }, { calls: [confirm] }],
  ],
  'asks for another confirmation when the findings changed since': [
    [
      confirmedAgain,
      { validation: 'waiting' },
      { learns: { studies: ['2.25.1 differs mismatch-not-confirmed'], step: 'validation' } },
    ],
    [
      [...confirmedAgain, decided()],
      { validation: 'deciding' },
      {
        calls: [sendDecision],
        learns: { deciding: ['2.25.1'], confirmed: false },
      },
    ],
    [
      [...confirmedAgain, decided(), agreed],
      { validation: 'waiting' },
      { learns: { studies: ['2.25.1 differs'], deciding: [] } },
    ],
    [
      [...ready, confirmed, failed('confirmImport', noRight)],
      'failed',
      { learns: { confirmed: false, failure: noRight } },
    ],
    [
      [
        ...ready,
        confirmed,
        outcome(),
        fetched('done', { files: [file('imported'), file('refused', 'storage-failed')] }),
        retried,
      ],
      'retrying',
      { calls: [retry], learns: { confirmed: false } },
    ],
  ],
});
