import { expect } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import type { ImportFile, ImportStudy, ImportTask, importSteps } from '../../contract/imports.ts';
import { importStudyMachine } from '../../src/machines/import-study/import-study.machine.ts';
import type { UploadFile } from '../../src/machines/import-study/upload.rules.ts';
import type { Failure } from '../../src/services/failure.ts';
import { anImportFile, anImportStudy, anImportTask } from '../an-import.ts';
import { done, failed, offline, refused } from '../paths.ts';

const chosen = (key: string, sizeBytes: number) => ({ key, path: `folder/${key}.dcm`, name: `${key}.dcm`, sizeBytes });
export const one = chosen('one', 300);
export const two = chosen('two', 100);
export const three = chosen('three', 50);

const input = {
  id: 'import-1',
  patientId: 'patient-1',
  customerId: 'clinic-1',
  kind: 'dicom',
  name: 'Two',
  taskId: null,
};

const summary = ({ key, status, loadedBytes }: UploadFile) => `${key} ${status} ${loadedBytes}`;

/** Facts of an import that are compared: files and findings in short form. */
const facts = ({ context }: AnyMachineSnapshot) => ({
  taskId: context.taskId,
  isIdUsed: context.isIdUsed,
  files: context.upload.files.map(summary),
  speed: context.bytesPerSecond,
  waitReason: context.waitReason,
  paused: context.paused,
  aws: context.aws,
  found: context.found.map(({ status, problem }: ImportFile) => problem ?? status),
  studies: context.studies.map(({ key, match, obstacles }: ImportStudy) => [key, match, ...obstacles].join(' ')),
  expected: context.expected,
  step: context.step,
  percent: context.percent,
  decided: context.decided.map(({ key }: { key: string }) => key),
  deciding: context.deciding.map(({ key }: { key: string }) => key),
  decisionFailure: context.decisionFailure,
  confirmed: context.confirmed,
  failure: context.failure,
});

const machineWith = (more: object) => ({ machine: importStudyMachine, facts, input: { ...input, ...more } });

/** Files were chosen in this browser. */
export const fresh = machineWith({ files: [one, two] });
export const folder = machineWith({ files: [one, two], kind: 'dicomdir' });
export const discFile = machineWith({ files: [one], kind: 'dicomdir' });
/** Started in this browser before the page was reloaded. */
export const restored = machineWith({ files: [one, two], taskId: 'task-1' });
export const restoredPaused = machineWith({ files: [one, two], taskId: 'task-1', paused: true });
/** Started in another browser: the files are not here. */
export const startedElsewhere = machineWith({ files: [], taskId: 'task-1' });
export const startedElsewhereForClinic = machineWith({ files: [], taskId: 'task-1', patientId: null });
export const folderStartedElsewhere = machineWith({ files: [], taskId: 'task-1', kind: 'dicomdir' });

export const noRight = refused('no-right');
export const wrongStep = refused('import-wrong-step');
export const notFound = refused('import-not-found');
/** Fetching the status fails because the network is down. */
export const connectionLost = failed('fetchImport', offline);

export const created = done('beginImport', { id: 'task-1' });
export const progressed = (...changes: readonly object[]) => ({
  type: 'upload.progressed',
  changes,
  bytesPerSecond: 1_000,
});
export const half = progressed({ key: 'one', loadedBytes: 150 });
export const uploaded = (...keys: readonly string[]) => progressed(...keys.map((key) => ({ key, status: 'uploaded' })));
export const lost = (...keys: readonly string[]) => progressed(...keys.map((key) => ({ key, status: 'lost' })));
export const rejectedUpload = progressed(
  ...['one', 'two'].map((key) => ({ key, status: 'refused', failure: refused('too-large') })),
);
export const aws = { awsFileName: 'two.zip', awsDirectroryKey: 'task-1' };
export const finished = { type: 'upload.finished', aws: null };
export const finishedInStore = { type: 'upload.finished', aws };
export const broken = (failure: Failure) => ({ type: 'upload.broken', failure });
export const waited = { type: 'upload.waited', reason: 'connection' };
export const continued = { type: 'upload.continued' };
export const paused = { type: 'upload.paused' };
export const resumed = { type: 'upload.resumed' };
export const added = (...files: readonly object[]) => ({ type: 'files.added', files });

export const preparingReported = (taskId = 'task-1') => ({ type: 'preparing.reported', taskId });
export const progress = (step: number, percent: number, taskId = 'task-1') => ({
  type: 'progress.reported',
  taskId,
  step,
  percent,
});
export const outcome = (taskId = 'task-1') => ({ type: 'outcome.reported', taskId });
export const reconnected = { type: 'connection.restored' };
export const resume = { type: 'import.resumed' };
export const retried = { type: 'import.retried' };
export const cancelled = { type: 'import.cancelled' };
export const confirmed = { type: 'import.confirmed' };
export const decided = (key = '2.25.1') => ({ type: 'study.decided', key, decision: { mismatchConfirmed: true } });

export const file = (status: ImportFile['status'], problem: ImportFile['problem'] = null) =>
  anImportFile({ status, problem });
export const arrived = (path: string, sizeBytes: number) => anImportFile({ path, sizeBytes });
const decision = { ...anImportStudy().decision, patientId: 'patient-1' };
export const matchingStudy = anImportStudy({ match: 'same', decision });
export const mismatchedStudy = anImportStudy({ match: 'differs', decision, obstacles: ['mismatch-not-confirmed'] });

/** The archive reports the status. */
export const fetched = (step: keyof typeof importSteps, more: Partial<ImportTask> = {}) =>
  done('fetchImport', anImportTask(step, { id: 'task-1', ...more }));

export const allUploaded = [created, uploaded('one', 'two'), finished];
export const preparing = [...allUploaded, done('parseImport', { id: 'task-1' })];
export const parsing = [...preparing, progress(2, 40)];
export const decisionNeeded = [fetched('validation', { files: [file('parsed')], studies: [mismatchedStudy] })];
export const importing = [fetched('validation', { files: [file('parsed')], studies: [matchingStudy] })];

export const beginImport = (id: string | null) =>
  [
    'beginImport',
    { id, patientId: 'patient-1', customerId: 'clinic-1', kind: 'dicom', name: 'Two', totalFilesCount: 2 },
  ] as const;
export const send = (...files: readonly (typeof one)[]) =>
  [
    'uploadFiles',
    {
      id: 'import-1',
      taskId: 'task-1',
      kind: 'dicom',
      files: files.map((each) => expect.objectContaining(each)),
    },
  ] as const;
export const parse = ['parseImport', { taskId: 'task-1', folder: false, aws: null }] as const;
export const fetchStatus = ['fetchImport', { taskId: 'task-1' }] as const;
export const confirm = ['confirmImport', { taskId: 'task-1', kind: 'dicom' }] as const;
export const withdraw = ['withdrawImport', { taskId: 'task-1' }] as const;
export const retry = ['retryImport', { taskId: 'task-1' }] as const;
/** All facts of an import at the start. */
export const atFirst = (taskId: string | null, files: readonly string[], resting: boolean) => ({
  taskId,
  files,
  paused: resting,
  isIdUsed: false,
  speed: null,
  waitReason: 'connection',
  aws: null,
  found: [],
  studies: [],
  expected: 0,
  step: 'uploading',
  percent: 0,
  decided: [],
  deciding: [],
  decisionFailure: null,
  confirmed: false,
  failure: null,
});
