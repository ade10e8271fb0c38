import type { ImportFile, ImportStudy, ImportTask, importSteps } from '../../../contract/imports.ts';
import { type ImportInput, importStudyMachine } from '../../../src/machines/import-study/import-study.machine.ts';
import { anImportFile, anImportStudy, anImportTask } from '../../an-import.ts';
import { done, failed, type Model, offline, refused } from '../../paths.ts';

export const id = '8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d04';
const chosen = (key: string, sizeBytes: number) => ({ key, path: `folder/${key}.dcm`, name: `${key}.dcm`, sizeBytes });
const first = chosen('one', 300);
export const second = chosen('two', 100);

const fileOf = (status: ImportFile['status'], problem: ImportFile['problem'] = null): ImportFile =>
  anImportFile({ status, problem: status === 'refused' ? (problem ?? 'truncated') : null });

const someDecision = anImportStudy().decision;
const studyOf = (facts: Partial<ImportStudy> = {}): ImportStudy =>
  anImportStudy({ match: 'same', ...facts, decision: { ...someDecision, patientId: id, ...facts.decision } });
const clear = studyOf();
const differs = studyOf({ match: 'differs', obstacles: ['mismatch-not-confirmed'] });
const confirmedMismatch = studyOf({
  match: 'differs',
  decision: { ...someDecision, patientId: id, mismatchConfirmed: true },
});
const withoutPatient = studyOf({ match: 'unknown', obstacles: ['patient-missing'] });

const taskOf = (
  step: keyof typeof importSteps,
  files: readonly ImportFile[] = [],
  studies: readonly ImportStudy[] = [],
  error = false,
): ImportTask => anImportTask(step, { error, files: [...files], studies: [...studies] });

const fetchedTasks = [
  taskOf('uploading'),
  taskOf('uploading', [fileOf('received')]),
  taskOf('preparing'),
  taskOf('parsing'),
  taskOf('validation', [fileOf('parsed'), fileOf('refused')], [clear]),
  taskOf('validation', [fileOf('parsed')], [differs]),
  taskOf('validation', [fileOf('refused', 'took-too-long'), fileOf('parsed')], [withoutPatient]),
  taskOf('validation', [fileOf('refused')]),
  taskOf('importing'),
  taskOf('done', [fileOf('imported'), fileOf('refused')]),
  taskOf('done', [fileOf('imported'), fileOf('refused', 'storage-failed')]),
  taskOf('validation', [fileOf('refused', 'storage-failed')], [], true),
];

const decision = { mismatchConfirmed: true };
const report = { changes: [], bytesPerSecond: 1_000 };

const events: Model['events'] = [
  { type: 'upload.progressed', ...report, changes: [{ key: 'one', loadedBytes: 150 }] },
  { type: 'upload.progressed', ...report, changes: [{ key: 'one', status: 'uploaded' }] },
  {
    type: 'upload.progressed',
    ...report,
    changes: [
      { key: 'one', status: 'uploaded' },
      { key: 'two', status: 'refused', failure: refused('too-large') },
    ],
  },
  { type: 'upload.progressed', ...report, changes: [{ key: 'two', status: 'lost' }] },
  { type: 'upload.waited', reason: 'connection' },
  { type: 'upload.continued' },
  { type: 'upload.finished', aws: null },
  { type: 'upload.broken', failure: offline },
  { type: 'upload.broken', failure: refused('no-right') },
  { type: 'upload.broken', failure: refused('import-wrong-step') },
  { type: 'upload.paused' },
  { type: 'upload.resumed' },
  { type: 'preparing.reported', taskId: id },
  { type: 'progress.reported', taskId: id, step: 1, percent: 20 },
  { type: 'progress.reported', taskId: id, step: 2, percent: 40 },
  { type: 'progress.reported', taskId: id, step: 4, percent: 60 },
  { type: 'progress.reported', taskId: 'another', step: 4, percent: 99 },
  { type: 'outcome.reported', taskId: id },
  { type: 'connection.restored' },
  { type: 'import.resumed' },
  { type: 'files.added', files: [second] },
  { type: 'files.added', files: [] },
  { type: 'study.decided', key: '2.25.1', decision },
  { type: 'study.decided', key: 'another', decision },
  { type: 'import.confirmed' },
  { type: 'import.retried' },
  { type: 'import.cancelled' },
  done('beginImport', { id }),
  failed('beginImport', offline),
  failed('beginImport', refused('no-right')),
  done('parseImport', { id }),
  failed('parseImport', refused('import-wrong-step')),
  failed('parseImport', offline),
  failed('parseImport', refused('no-right')),
  done('decideStudies', [{ study: confirmedMismatch }]),
  done('decideStudies', [{ key: '2.25.1', failure: refused('conflict') }]),
  failed('decideStudies', offline),
  done('confirmImport', { id }),
  failed('confirmImport', refused('import-wrong-step')),
  failed('confirmImport', offline),
  failed('confirmImport', refused('mismatch-not-confirmed')),
  done('retryImport', { id }),
  failed('retryImport', offline),
  done('withdrawImport', { id }),
  failed('withdrawImport', refused('import-wrong-step')),
  ...fetchedTasks.map((task) => done('fetchImport', task)),
  failed('fetchImport', offline),
  failed('fetchImport', refused('not-signed-in')),
];

const facts: Model['facts'] = ({ context }) => ({
  created: context.taskId !== null,
  uploads: context.upload.files.map((file: { status: string }) => file.status),
  found: context.found.map((file: ImportFile) => [file.status, file.problem]),
  studies: context.studies.map((study: ImportStudy) => [study.match, study.obstacles]),
  decided: [context.decided.length, context.deciding.length, context.decisionFailure?.key],
  confirmed: context.confirmed,
  paused: context.paused,
  failure: [context.failure?.kind, context.failure?.code],
});

/** The parts of an import's status that make a difference. */
const taskData = ({ step, error, files, studies }: ImportTask) => ({
  step,
  error,
  files: files.map(({ status, problem }) => (problem === null ? status : `${status}: ${problem}`)),
  studies: studies.map(({ match, obstacles }) => [match, ...obstacles].join(': ')),
});

const dataOf: Model['dataOf'] = (event) =>
  event.type === 'xstate.done.actor.fetchImport' ? taskData(event.output as ImportTask) : null;

const modelOf = (name: string, input: ImportInput, stopWhen: Model['stopWhen']): Model => ({
  name,
  machine: importStudyMachine,
  input,
  events,
  facts,
  dataOf,
  ...(stopWhen && { stopWhen }),
});

const facts0 = { id, patientId: id, customerId: id, kind: 'dicom', name: 'folder', taskId: null } as const;
/** Stops where another model continues. */
const until =
  (...states: readonly string[]): Model['stopWhen'] =>
  (snapshot) =>
    states.some((state) => snapshot.matches(state));
const past = ['validation', 'importing', 'doneInPart', 'retrying', 'arriving', 'withdrawing'];

/** Chosen here: until the archive has found files to read. */
export const fresh = modelOf(
  'chosen here',
  { ...facts0, files: [first, second] },
  until('parsing', 'catchingUp', ...past),
);
/** A folder with a DICOMDIR: nothing to prepare. */
export const folder = modelOf(
  'folder with a DICOMDIR',
  { ...facts0, kind: 'dicomdir', files: [first, second] },
  (snapshot) =>
    until('failed', 'preparing', 'catchingUp', ...past)?.(snapshot) === true ||
    snapshot.context.paused ||
    snapshot.context.upload.counts.lost > 0,
);
/** Restored after a reload, one of its files lost, paused. */
export const restored = modelOf(
  'restored after a reload',
  {
    ...facts0,
    taskId: id,
    paused: true,
    files: [
      { ...first, status: 'waiting', failure: null },
      { ...second, status: 'lost', failure: null },
    ],
  },
  until('preparing', 'parsing', 'failed', ...past),
);
/** Found in the archive: everything after the upload. Once files are added, it continues like one that started here. */
export const left = modelOf('found in the archive', { ...facts0, files: [], taskId: id }, (snapshot) => {
  const { upload, decided, deciding, decisionFailure } = snapshot.context;
  const decides = decided.length + deciding.length > 0 || decisionFailure !== null;
  return decides || (upload.files.length > 0 && !snapshot.matches('uploading'));
});
/** Into a clinic: always waits for the user. */
export const clinic = modelOf(
  'into a clinic',
  { ...facts0, patientId: null, files: [], taskId: id },
  until('uploading', 'preparing', 'parsing', 'arriving', 'interrupted', 'failed', 'withdrawing'),
);

/** Events that the machine sends to itself. */
export const raised = ['task.fetched'];
