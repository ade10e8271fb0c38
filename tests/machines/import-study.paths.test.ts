import { expect, it } from 'vitest';
import { type ImportFile, type ImportStudy, type ImportTask, importSteps } from '../../contract/imports.ts';
import {
  type ImportInput,
  type ImportStudyActor,
  importStudyMachine,
  selectCanCancel,
  selectCanConfirm,
  selectIsDone,
  selectIsInterrupted,
  selectIsPaused,
  selectLostFiles,
  selectPercent,
  selectStep,
  selectStepNumber,
  selectUploadFiles,
  selectWaitsForPerson,
} from '../../src/machines/import-study/import-study.machine.ts';
import { anImportFile, anImportStudy, anImportTask } from '../an-import.ts';
import { done, failed, type Model, offline, refused } from '../paths.ts';
import { walkAll } from '../replay.ts';

type Snapshot = ReturnType<ImportStudyActor['getSnapshot']>;

const id = '8c2f6a55-4f9c-4f0e-9d0d-2f4f6b1c7d04';
const chosen = (key: string, sizeBytes: number) => ({ key, path: `folder/${key}.dcm`, name: `${key}.dcm`, sizeBytes });
const first = chosen('one', 300);
const second = chosen('two', 100);

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
const nobody = studyOf({ match: 'unknown', obstacles: ['patient-missing'] });

const taskOf = (
  step: keyof typeof importSteps,
  files: readonly ImportFile[] = [],
  studies: readonly ImportStudy[] = [],
  error = false,
): ImportTask => anImportTask(step, { error, files: [...files], studies: [...studies] });

const truths = [
  taskOf('uploading'),
  taskOf('uploading', [fileOf('received')]),
  taskOf('preparing'),
  taskOf('parsing'),
  taskOf('validation', [fileOf('parsed'), fileOf('refused')], [clear]),
  taskOf('validation', [fileOf('parsed')], [differs]),
  taskOf('validation', [fileOf('refused', 'took-too-long'), fileOf('parsed')], [nobody]),
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
  { type: 'upload.waited' },
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
  ...truths.map((task) => done('fetchImport', task)),
  failed('fetchImport', offline),
  failed('fetchImport', refused('not-signed-in')),
];

const facts: Model['facts'] = ({ context }) => ({
  begun: context.taskId !== null,
  uploads: context.upload.files.map((file: { status: string }) => file.status),
  found: context.found.map((file: ImportFile) => [file.status, file.problem]),
  studies: context.studies.map((study: ImportStudy) => [study.match, study.obstacles]),
  decided: [context.decided.length, context.deciding.length, context.decisionFailure?.key],
  confirmed: context.confirmed,
  paused: context.paused,
  failure: [context.failure?.kind, context.failure?.code],
});

const invariants: Model['invariants'] = (raw, path) => {
  const snapshot = raw as Snapshot;
  const { context } = snapshot;
  const { upload } = context;
  const way = path.steps.map(({ event }) => event.type).join(' -> ');
  const percent = selectPercent(snapshot);
  expect(percent, way).toBeGreaterThanOrEqual(0);
  expect(percent, way).toBeLessThanOrEqual(100);
  // The sums are those of the files, and no file is in the import twice.
  for (const status of ['waiting', 'uploaded', 'refused', 'lost'] as const)
    expect(upload.counts[status], way).toBe(upload.files.filter((file) => file.status === status).length);
  expect(new Set(upload.files.map(({ key }) => key)).size, way).toBe(upload.files.length);
  // Nothing is confirmed over an obstacle or over a decision that is still on its way; nor without a person where one has to look.
  if (snapshot.matches({ importing: 'asking' })) {
    const wanted = context.studies.filter((study) => !study.decision.leftOut);
    expect(wanted.length, way).toBeGreaterThan(0);
    expect(
      wanted.flatMap(({ obstacles }) => obstacles),
      way,
    ).toEqual([]);
    expect([...context.decided, ...context.deciding], way).toEqual([]);
    if (context.patientId === null || wanted.some(({ match }) => match === 'differs'))
      expect(way, way).toContain('import.confirmed');
  }
  if (selectCanConfirm(snapshot))
    expect(
      context.studies.flatMap(({ obstacles }) => obstacles),
      way,
    ).toEqual([]);
  // A paused import sends nothing and asks for nothing.
  if (selectIsPaused(snapshot)) expect(Object.keys(snapshot.children), way).toEqual([]);
  // A lost line never fails an upload: it is waited for.
  if (
    snapshot.matches('failed') &&
    snapshot.context.step === 'uploading' &&
    path.steps.at(-1)?.event.type === 'upload.broken'
  )
    expect(context.failure?.kind, way).not.toBe('offline');
  // Files go up under a known id, and only while they are sent; nothing goes on while a file still waits.
  expect('uploadFiles' in snapshot.children, way).toBe(snapshot.matches({ uploading: 'sending' }));
  if (snapshot.matches({ preparing: 'asking' }) || snapshot.matches({ parsing: 'asking' }))
    expect(upload.counts.waiting, way).toBe(0);
  // What another session sent, or what is left without its lost files, is not ended over a person's head.
  if (
    (snapshot.matches({ preparing: 'asking' }) || snapshot.matches({ parsing: 'asking' })) &&
    (upload.files.length === 0 || upload.counts.lost > 0)
  )
    expect(way, way).toContain('import.resumed');
  if (selectIsInterrupted(snapshot)) {
    expect(snapshot.can({ type: 'files.added', files: [second] }), way).toBe(true);
    expect(snapshot.can({ type: 'files.added', files: [] }), way).toBe(false);
  }
  // Never done with a failed file unnamed.
  if (selectIsDone(snapshot)) {
    for (const file of context.found) if (file.status === 'refused') expect(file.problem, way).not.toBeNull();
    for (const file of selectUploadFiles(snapshot))
      if (file.status === 'refused') expect(file.failure, way).not.toBeNull();
    expect(selectLostFiles(snapshot).length, way).toBe(upload.counts.lost);
    expect(upload.counts.waiting === 0 || context.taskId !== null, way).toBe(true);
  }
  if (selectWaitsForPerson(snapshot)) expect(context.found.length, way).toBeGreaterThan(0);
  // Until it is imported a person may always call it off, and never after.
  const over = ['importing', 'done', 'doneInPart', 'withdrawing', 'cancelled'] as const;
  expect(selectCanCancel(snapshot), way).toBe(!over.some((state) => snapshot.matches(state)));
  // The archive works under a known id.
  const early = ['uploading', 'failed', 'cancelled'] as const;
  if (!early.some((state) => snapshot.matches(state))) expect(context.taskId, way).toBe(id);
  for (const step of ['uploading', 'preparing', 'parsing', 'validation', 'importing', 'done'] as const)
    if (snapshot.matches(step)) {
      expect(selectStep(snapshot), way).toBe(step);
      expect(selectStepNumber(snapshot), way).toBe(importSteps[step]);
    }
  // A failure that can be mended by trying again can be tried again.
  if (snapshot.matches('failed') && context.failure) expect(snapshot.can({ type: 'import.retried' }), way).toBe(true);
  expect(snapshot.status, way).toBe(snapshot.matches('done') || snapshot.matches('cancelled') ? 'done' : 'active');
};

const modelOf = (input: ImportInput, stopWhen: Model['stopWhen']): Model => ({
  ...{ machine: importStudyMachine, input, events, facts, invariants },
  ...(stopWhen && { stopWhen }),
});

const facts0 = { id, patientId: id, customerId: id, kind: 'dicom', name: 'folder', taskId: null } as const;
/** Stops where others walk on. */
const until =
  (...states: readonly string[]): Model['stopWhen'] =>
  (snapshot) =>
    states.some((state) => snapshot.matches(state));
const past = ['validation', 'importing', 'doneInPart', 'retrying', 'arriving', 'withdrawing'];

/** Chosen here: until the archive has begun to read. */
const fresh = modelOf({ ...facts0, files: [first, second] }, until('parsing', 'catchingUp', ...past));
/** A folder with a DICOMDIR: nothing to prepare. */
const folder = modelOf(
  { ...facts0, kind: 'dicomdir', files: [first, second] },
  (snapshot) =>
    until('failed', 'preparing', 'catchingUp', ...past)?.(snapshot) === true ||
    snapshot.context.paused ||
    snapshot.context.upload.counts.lost > 0,
);
/** Kept over a reload, one of its files lost, paused. */
const restored = modelOf(
  {
    ...{ ...facts0, taskId: id, paused: true },
    files: [
      { ...first, status: 'waiting', failure: null },
      { ...second, status: 'lost', failure: null },
    ],
  },
  until('preparing', 'parsing', 'failed', ...past),
);
/** Found in the archive: everything after the upload. Once files are added, it goes on like one that began here. */
const left = modelOf({ ...facts0, files: [], taskId: id }, (snapshot) => {
  const { upload, decided, deciding, decisionFailure } = snapshot.context;
  const decides = decided.length + deciding.length > 0 || decisionFailure !== null;
  return decides || (upload.files.length > 0 && !snapshot.matches('uploading'));
});
/** Into a clinic: it always waits for a person. */
const clinic = modelOf(
  { ...facts0, patientId: null, files: [], taskId: id },
  until('uploading', 'preparing', 'parsing', 'arriving', 'interrupted', 'failed', 'withdrawing'),
);

it('walks every transition of an import', { timeout: 240_000 }, () =>
  walkAll([fresh, folder, restored, left, clinic], { raised: ['truth.learned'] }),
);
