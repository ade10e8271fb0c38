import { anImportStudy } from '../an-import.ts';
import { done, failed, offline, refused } from '../paths.ts';
import {
  cancelled,
  confirm,
  confirmed,
  connectionLost,
  decided,
  decisionNeeded,
  fetched,
  fetchStatus,
  file,
  matchingStudy,
  mismatchedStudy,
  noRight,
  outcome,
  progress,
  reconnected,
  retried,
  retry,
  startedElsewhere,
  startedElsewhereForClinic,
  withdraw,
} from './import-study-steps.ts';
import { rulesOf } from './rules-of.ts';

const conflict = refused('conflict');
const sendDecision = [
  'decideStudies',
  { taskId: 'task-1', decisions: [{ key: '2.25.1', decision: { mismatchConfirmed: true } }] },
] as const;
const deciding = [...decisionNeeded, decided()];
const decisionAccepted = done('decideStudies', [{ study: { ...matchingStudy, match: 'differs' } }]);
/** The decision is accepted, and nothing else blocks the import. */
const decisionAcceptedClear = done('decideStudies', [{ study: matchingStudy }]);
const rejectedDecision = done('decideStudies', [{ key: '2.25.1', failure: conflict }]);
const otherTask = 'task-2';
/** The file names another patient. */
const otherPatient = { match: 'differs' } as never;
/** A study without a decision about its patient. */
const undecided = anImportStudy({ match: 'same' });
const learnsUndecided = { learns: { found: ['parsed'], studies: ['2.25.1 same'], expected: 2, step: 'validation' } };
/** A file failed for a reason that a retry may resolve. */
const withTransientFailure = fetched('validation', {
  files: [file('refused', 'took-too-long'), file('parsed')],
  studies: [mismatchedStudy],
});
const ready = [fetched('validation', { files: [file('parsed')], studies: [matchingStudy] })];
/** After the confirmation another session changed the study. */
const confirmedAgain = [
  ...ready,
  confirmed,
  outcome(),
  fetched('validation', { files: [file('parsed')], studies: [mismatchedStudy] }),
];

rulesOf(startedElsewhere, {
  'waits for the user when a study needs a decision': [
    [
      decisionNeeded,
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
    [[...decisionNeeded, confirmed], { validation: 'waiting' }],
    [
      [fetched('validation', { files: [file('refused')] })],
      'failed',
      { learns: { found: ['refused'], expected: 2, step: 'validation' } },
    ],
    [
      [fetched('validation', { files: [], studies: [matchingStudy] })],
      'failed',
      { learns: { studies: ['2.25.1 same'], expected: 2, step: 'validation' } },
    ],
    [[...decisionNeeded, cancelled], 'withdrawing', { calls: [withdraw] }],
    [
      [fetched('validation', { files: [{ ...file('parsed'), patient: otherPatient }], studies: [matchingStudy] })],
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
    [[...decisionNeeded, decided('another')], { validation: 'waiting' }],
    [[...deciding, decided()], { validation: 'deciding' }, { learns: { decided: ['2.25.1'] } }],
    [
      [...deciding, decided(), decisionAccepted],
      { validation: 'deciding' },
      {
        calls: [sendDecision],
        learns: { studies: ['2.25.1 differs'], decided: [] },
      },
    ],
    [
      [...deciding, decisionAccepted],
      { validation: 'waiting' },
      { learns: { studies: ['2.25.1 differs'], deciding: [] } },
    ],
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
      [...deciding, failed('decideStudies', offline), connectionLost, decided()],
      { validation: 'deciding' },
      {
        calls: [sendDecision],
        learns: { deciding: ['2.25.1'] },
      },
    ],
    [
      [...deciding, failed('decideStudies', offline), decided(), connectionLost],
      { validation: 'deciding' },
      {
        calls: [sendDecision],
        learns: { decided: [], deciding: ['2.25.1'] },
      },
    ],
  ],
  'continues automatically when all decisions are sent': [
    [
      [...deciding, decisionAcceptedClear],
      { importing: 'requesting' },
      { calls: [confirm], learns: { studies: ['2.25.1 same'], deciding: [], step: 'importing' } },
    ],
    [
      [...deciding, decided(), decisionAcceptedClear],
      { validation: 'deciding' },
      { calls: [sendDecision], learns: { studies: ['2.25.1 same'], decided: [] } },
    ],
  ],
  'fetches the status again when another session changed it, or events may have been missed': [
    [[...decisionNeeded, reconnected], { validation: 'checking' }, { calls: [fetchStatus] }],
    [[...decisionNeeded, progress(2, 100)], { validation: 'checking' }, { calls: [fetchStatus] }],
    [[...decisionNeeded, progress(2, 100, otherTask)], { validation: 'waiting' }],
    [[...decisionNeeded, outcome()], { validation: 'checking' }, { calls: [fetchStatus] }],
    [[...decisionNeeded, outcome(otherTask)], { validation: 'waiting' }],
    [[...decisionNeeded, outcome(), connectionLost], { validation: 'listening' }],
    [[...decisionNeeded, outcome(), connectionLost, 10_000], { validation: 'checking' }, { calls: [fetchStatus] }],
    [[...decisionNeeded, outcome(), connectionLost, reconnected], { validation: 'checking' }, { calls: [fetchStatus] }],
    [
      [...decisionNeeded, outcome(), fetched('validation', { files: [file('parsed')], studies: [matchingStudy] })],
      { importing: 'requesting' },
      { calls: [confirm], learns: { studies: ['2.25.1 same'], step: 'importing' } },
    ],
  ],
  'parses failed files again when a retry may succeed': [
    [[withTransientFailure, retried], 'retrying', { calls: [retry] }],
    [[...decisionNeeded, retried], { validation: 'waiting' }],
  ],
});

rulesOf(startedElsewhereForClinic, {
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
    [
      [fetched('validation', { files: [file('parsed')], studies: [undecided] })],
      { validation: 'waiting' },
      learnsUndecided,
    ],
    [[...ready, confirmed, outcome(), ...ready], { importing: 'requesting' }, { calls: [confirm] }],
  ],
  'asks for another confirmation when the studies changed since': [
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
      [...confirmedAgain, decided(), decisionAccepted],
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
