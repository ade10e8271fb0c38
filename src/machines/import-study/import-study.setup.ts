import { assign, raise, setup } from 'xstate';
import { type ImportFile, type ImportStep, type ImportTask, importSteps } from '../../../contract/imports.ts';
import { type Failure, failureOf, isRefusedAs, isWorthRetrying } from '../../services/failure.ts';
import { port, talkingPort } from '../port.ts';
import {
  anyUploaded,
  type ChosenFile,
  mismatches,
  nothingImportable,
  type Report,
  restOf,
  type UploadFile,
  uploadFileOf,
  waitingFiles,
  withFile,
} from './import-study.rules.ts';

export type ImportStudyEvent =
  | { type: 'file.progressed'; key: string; loadedBytes: number }
  | { type: 'file.uploaded'; key: string }
  | { type: 'file.refused'; key: string; failure: Failure }
  /** Every file was taken or refused. */
  | { type: 'upload.finished' }
  /** The way to the archive broke; files that are up stay up. */
  | { type: 'upload.broken'; failure: Failure }
  | Report
  | { type: 'connection.restored' }
  /** The machine's own: the archive was asked how the import stands. */
  | { type: 'truth.learned'; task: ImportTask }
  /** A person wants what arrived, though the session that sent it is gone. */
  | { type: 'import.resumed' }
  /** A person gives such an import the files that are missing. */
  | { type: 'files.added'; files: readonly ChosenFile[] }
  | { type: 'import.confirmed' }
  | { type: 'import.retried' }
  | { type: 'import.cancelled' };

export interface ImportInput {
  readonly patientId: string;
  readonly files: readonly ChosenFile[];
  /** An import that the archive holds already, left by an earlier session; null for a new one. */
  readonly taskId: string | null;
}

export interface ImportStudyContext {
  patientId: string;
  taskId: string | null;
  files: readonly UploadFile[];
  /** What the archive has, and found in it. */
  found: readonly ImportFile[];
  /** How many files were meant to come, says the archive; 0 before it was asked. */
  expected: number;
  /** The step it is at, or stopped at. */
  step: ImportStep;
  /** 0 to 100 of a step of the archive. */
  percent: number;
  mismatchConfirmed: boolean;
  failure: Failure | null;
}

/** What the chart of an import uses: ports, guards, actions, delays. */
export const chart = setup({
  types: { context: {} as ImportStudyContext, events: {} as ImportStudyEvent, input: {} as ImportInput },
  actors: {
    beginImport: port<{ id: string }, { patientId: string; totalFilesCount: number }>('beginImport'),
    uploadFiles: talkingPort<{ taskId: string; files: readonly ChosenFile[] }>('uploadFiles'),
    parseImport: port<{ id: string }, { taskId: string }>('parseImport'),
    confirmImport: port<{ id: string }, { taskId: string; mismatchConfirmed: boolean }>('confirmImport'),
    withdrawImport: port<{ id: string }, { taskId: string }>('withdrawImport'),
    fetchImport: port<ImportTask, { taskId: string }>('fetchImport'),
  },
  guards: {
    begun: ({ context }) => context.taskId !== null,
    neverBegun: ({ context }) => context.taskId === null,
    anyWaiting: ({ context }) => waitingFiles(context.files).length > 0,
    anyFiles: (_, files: readonly ChosenFile[]) => files.length > 0,
    anyArrived: ({ context }) => anyUploaded(context.files) || context.found.length > 0,
    chosenHere: ({ context }) => context.files.length > 0,
    moreArrived: ({ context }, task: ImportTask) => task.files.length > context.found.length,
    endedElsewhere: ({ context }) =>
      context.failure !== null &&
      isRefusedAs(context.failure, 'import-wrong-step') &&
      waitingFiles(context.files).length > 0,
    nothingImportable: ({ context }) => nothingImportable(context.found),
    nobodyToAsk: ({ context }) => context.mismatchConfirmed || mismatches(context.found).length === 0,
    worthRetrying: ({ context }) => context.failure !== null,
    about: ({ context }, report: Report) => report.taskId === context.taskId,
    progress: ({ context }, { report, step }: { report: Report & { type: 'progress.reported' }; step: ImportStep }) =>
      report.taskId === context.taskId && report.step === importSteps[step],
    failedThere: (_, task: ImportTask) => task.error,
    stands: (_, { task, at }: { task: ImportTask; at: ImportStep }) => task.step === importSteps[at],
    temporary: (_, failure: Failure) => isWorthRetrying(failure),
    alreadyPast: (_, failure: Failure) => isRefusedAs(failure, 'import-wrong-step'),
  },
  actions: {
    enterStep: assign({ step: (_, step: ImportStep) => step, failure: null }),
    forgetPercent: assign({ percent: 0 }),
    rememberFailure: assign({ failure: (_, failure: Failure) => failure }),
    rememberPercent: assign({ percent: (_, percent: number) => percent }),
    rememberTruth: assign({
      found: (_, task: ImportTask) => task.files,
      percent: (_, task: ImportTask) => task.percent,
      expected: (_, task: ImportTask) => task.totalFilesCount,
    }),
    addFiles: assign({ files: (_, files: readonly ChosenFile[]) => files.map(uploadFileOf) }),
    startOver: assign({ taskId: null, found: [], expected: 0, files: ({ context }) => restOf(context.files) }),
    changeFile: assign({
      files: ({ context }, { key, ...change }: Pick<UploadFile, 'key'> & Partial<UploadFile>) =>
        withFile(context.files, key, change),
    }),
  },
  delays: { quietDelay: 10_000 },
});

/** News can be lost: after a silence, and when the connection is back, the archive is asked how the import stands. */
export const listening = chart.createStateConfig({
  after: { quietDelay: 'checking' },
  on: { 'connection.restored': 'checking' },
});

export const checking = chart.createStateConfig({
  invoke: {
    id: 'fetchImport',
    src: 'fetchImport',
    input: ({ context }) => ({ taskId: context.taskId ?? '' }),
    onDone: { actions: raise(({ event }) => ({ type: 'truth.learned', task: event.output })) },
    onError: [
      { guard: { type: 'temporary', params: ({ event }) => failureOf(event.error) }, target: 'listening' },
      {
        target: '#import-study.failed',
        actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
      },
    ],
  },
});
