import { anImportStudy } from '../an-import.ts';
import { done, failed, offline, refused } from '../paths.ts';
import {
  ask,
  back,
  cancelled,
  clear,
  confirm,
  confirmed,
  cut,
  decided,
  differs,
  file,
  left,
  leftForClinic,
  noRight,
  outcome,
  progress,
  retried,
  retry,
  toDecide,
  truth,
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
/** Nothing stands in the way any more. */
const agreedClear = done('decideStudies', [{ study: clear }]);
const refusedThere = done('decideStudies', [{ key: '2.25.1', failure: conflict }]);
const another = 'task-2';
/** The archive found that the file is about somebody else. */
const namedOtherwise = { match: 'differs' } as never;
/** A study of which nobody has said whose it is. */
const nobodys = anImportStudy({ match: 'same' });
const foundNobodys = { learns: { found: ['parsed'], studies: ['2.25.1 same'], expected: 2, step: 'validation' } };
const passing = truth('validation', {
  files: [file('refused', 'took-too-long'), file('parsed')],
  studies: [differs],
});
const ready = [truth('validation', { files: [file('parsed')], studies: [clear] })];
const askedAgain = [
  ...ready,
  confirmed,
  outcome(),
  truth('validation', { files: [file('parsed')], studies: [differs] }),
];

rulesOf(left, {
  'waits for a person where something stands in the way': [
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
      [truth('validation', { files: [file('refused')] })],
      'failed',
      { learns: { found: ['refused'], expected: 2, step: 'validation' } },
    ],
    [
      [truth('validation', { files: [], studies: [clear] })],
      'failed',
      { learns: { studies: ['2.25.1 same'], expected: 2, step: 'validation' } },
    ],
    [[...toDecide, cancelled], 'withdrawing', { asks: [withdraw] }],
    [
      [truth('validation', { files: [{ ...file('parsed'), patient: namedOtherwise }], studies: [clear] })],
      { validation: 'waiting' },
      { learns: { found: ['parsed'], studies: ['2.25.1 same'], expected: 2, step: 'validation' } },
    ],
  ],
  'sends what is decided, one after the other': [
    [
      deciding,
      { validation: 'deciding' },
      {
        asks: [sendDecision],
        learns: { deciding: ['2.25.1'] },
      },
    ],
    [[...toDecide, decided('another')], { validation: 'waiting' }],
    [[...deciding, decided()], { validation: 'deciding' }, { learns: { decided: ['2.25.1'] } }],
    [
      [...deciding, decided(), agreed],
      { validation: 'deciding' },
      {
        asks: [sendDecision],
        learns: { studies: ['2.25.1 differs'], decided: [] },
      },
    ],
    [[...deciding, agreed], { validation: 'waiting' }, { learns: { studies: ['2.25.1 differs'], deciding: [] } }],
    [
      [...deciding, refusedThere],
      { validation: 'checking' },
      {
        asks: [ask],
        learns: { deciding: [], decisionFailure: { key: '2.25.1', failure: conflict } },
      },
    ],
    [
      [...deciding, refusedThere, decided()],
      { validation: 'checking' },
      { learns: { decided: ['2.25.1'], decisionFailure: null } },
    ],
    [
      [...deciding, failed('decideStudies', offline)],
      { validation: 'checking' },
      { asks: [ask], learns: { deciding: [] } },
    ],
    [[...deciding, confirmed], { validation: 'deciding' }],
    [
      [...deciding, failed('decideStudies', offline), cut, decided()],
      { validation: 'deciding' },
      {
        asks: [sendDecision],
        learns: { deciding: ['2.25.1'] },
      },
    ],
    [
      [...deciding, failed('decideStudies', offline), decided(), cut],
      { validation: 'deciding' },
      {
        asks: [sendDecision],
        learns: { decided: [], deciding: ['2.25.1'] },
      },
    ],
  ],
  'goes on by itself when all is decided and sent': [
    [
      [...deciding, agreedClear],
      { importing: 'asking' },
      { asks: [confirm], learns: { studies: ['2.25.1 same'], deciding: [], step: 'importing' } },
    ],
    [
      [...deciding, decided(), agreedClear],
      { validation: 'deciding' },
      { asks: [sendDecision], learns: { studies: ['2.25.1 same'], decided: [] } },
    ],
  ],
  'looks again when somebody else works on it, or news may be missed': [
    [[...toDecide, back], { validation: 'checking' }, { asks: [ask] }],
    [[...toDecide, progress(2, 100)], { validation: 'checking' }, { asks: [ask] }],
    [[...toDecide, progress(2, 100, another)], { validation: 'waiting' }],
    [[...toDecide, outcome()], { validation: 'checking' }, { asks: [ask] }],
    [[...toDecide, outcome(another)], { validation: 'waiting' }],
    [[...toDecide, outcome(), cut], { validation: 'listening' }],
    [[...toDecide, outcome(), cut, 10_000], { validation: 'checking' }, { asks: [ask] }],
    [[...toDecide, outcome(), cut, back], { validation: 'checking' }, { asks: [ask] }],
    [
      [...toDecide, outcome(), truth('validation', { files: [file('parsed')], studies: [clear] })],
      { importing: 'asking' },
      { asks: [confirm], learns: { studies: ['2.25.1 same'], step: 'importing' } },
    ],
  ],
  'has files read again that may come through now': [
    [[passing, retried], 'retrying', { asks: [retry] }],
    [[...toDecide, retried], { validation: 'waiting' }],
  ],
});

rulesOf(leftForClinic, {
  'imports when a person says so': [
    [
      ready,
      { validation: 'waiting' },
      { learns: { found: ['parsed'], studies: ['2.25.1 same'], expected: 2, step: 'validation' } },
    ],
    [
      [...ready, confirmed],
      { importing: 'asking' },
      { asks: [confirm], learns: { step: 'importing', confirmed: true } },
    ],
    [[...ready, decided(), confirmed], { validation: 'deciding' }],
    [
      [...ready, decided(), failed('decideStudies', offline), decided(), confirmed],
      { validation: 'checking' },
      { refused: true },
    ],
    [[truth('validation', { files: [file('parsed')], studies: [nobodys] })], { validation: 'waiting' }, foundNobodys],
    [[...ready, confirmed, outcome(), ...ready], { importing: 'asking' }, { asks: [confirm] }],
  ],
  'asks once more when what was found is another than what was confirmed': [
    [
      askedAgain,
      { validation: 'waiting' },
      { learns: { studies: ['2.25.1 differs mismatch-not-confirmed'], step: 'validation' } },
    ],
    [
      [...askedAgain, decided()],
      { validation: 'deciding' },
      {
        asks: [sendDecision],
        learns: { deciding: ['2.25.1'], confirmed: false },
      },
    ],
    [
      [...askedAgain, decided(), agreed],
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
        truth('done', { files: [file('imported'), file('refused', 'storage-failed')] }),
        retried,
      ],
      'retrying',
      { asks: [retry], learns: { confirmed: false } },
    ],
  ],
});
