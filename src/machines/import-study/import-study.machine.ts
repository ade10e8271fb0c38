import { type ActorRefFrom, assign, raise, type SnapshotFrom, setup } from 'xstate';
import { type ImportFile, type ImportStep, type ImportTask, importSteps } from '../../../contract/imports.ts';
import { type Failure, failureOf, isRefusedAs, isWorthRetrying } from '../../services/failure.ts';
import { port, talkingPort } from '../port.ts';
import {
  anyUploaded,
  type ChosenFile,
  mismatches,
  nothingImportable,
  type Report,
  type UploadFile,
  uploadFileOf,
  uploadPercent,
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
  | { type: 'import.confirmed' }
  | { type: 'import.retried' }
  | { type: 'import.cancelled' };

export interface ImportInput {
  readonly patientId: string;
  readonly files: readonly ChosenFile[];
  /** An import that the archive holds already, left by an earlier session; null for a new one. */
  readonly taskId: string | null;
}

interface ImportStudyContext {
  patientId: string;
  taskId: string | null;
  files: readonly UploadFile[];
  /** What the archive found in the files. */
  found: readonly ImportFile[];
  /** The step it is at, or stopped at. */
  step: ImportStep;
  /** 0 to 100 of a step of the archive. */
  percent: number;
  mismatchConfirmed: boolean;
  failure: Failure | null;
}

const chart = setup({
  types: { context: {} as ImportStudyContext, events: {} as ImportStudyEvent, input: {} as ImportInput },
  actors: {
    beginImport: port<{ id: string }, { patientId: string; totalFilesCount: number }>('beginImport'),
    uploadFiles: talkingPort<{ taskId: string; files: readonly ChosenFile[] }>('uploadFiles'),
    parseImport: port<{ id: string }, { taskId: string }>('parseImport'),
    confirmImport: port<{ id: string }, { taskId: string; mismatchConfirmed: boolean }>('confirmImport'),
    fetchImport: port<ImportTask, { taskId: string }>('fetchImport'),
  },
  guards: {
    begun: ({ context }) => context.taskId !== null,
    anyWaiting: ({ context }) => waitingFiles(context.files).length > 0,
    anyUploaded: ({ context }) => anyUploaded(context.files),
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
    enterStep: assign({ step: (_, step: ImportStep) => step, percent: 0, failure: null }),
    rememberFailure: assign({ failure: (_, failure: Failure) => failure }),
    rememberPercent: assign({ percent: (_, percent: number) => percent }),
    rememberFound: assign({ found: (_, task: ImportTask) => task.files }),
    changeFile: assign({
      files: ({ context }, { key, ...change }: Pick<UploadFile, 'key'> & Partial<UploadFile>) =>
        withFile(context.files, key, change),
    }),
  },
  delays: { quietDelay: 10_000 },
});

/** News can be lost: after a silence, and when the connection is back, the archive is asked how the import stands. */
const listening = chart.createStateConfig({
  after: { quietDelay: 'checking' },
  on: { 'connection.restored': 'checking' },
});

const checking = chart.createStateConfig({
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

/** One import: files of one patient, from the chosen files to pictures in the archive. */
export const importStudyMachine = chart.createMachine({
  id: 'import-study',
  context: ({ input }) => ({
    patientId: input.patientId,
    taskId: input.taskId,
    files: input.files.map(uploadFileOf),
    found: [],
    step: 'uploading',
    percent: 0,
    mismatchConfirmed: false,
    failure: null,
  }),
  initial: 'chosen',
  on: {
    'truth.learned': [
      {
        guard: { type: 'failedThere', params: ({ event }) => event.task },
        target: '.failed',
        actions: { type: 'rememberFound', params: ({ event }) => event.task },
      },
      {
        guard: { type: 'stands', params: ({ event }) => ({ task: event.task, at: 'validation' }) },
        target: '.validation',
        actions: { type: 'rememberFound', params: ({ event }) => event.task },
      },
      {
        guard: { type: 'stands', params: ({ event }) => ({ task: event.task, at: 'done' }) },
        target: '.done',
        actions: { type: 'rememberFound', params: ({ event }) => event.task },
      },
      {
        guard: { type: 'stands', params: ({ event }) => ({ task: event.task, at: 'importing' }) },
        target: '.importing.listening',
      },
      {
        guard: { type: 'stands', params: ({ event }) => ({ task: event.task, at: 'parsing' }) },
        target: '.parsing',
      },
      {
        guard: { type: 'stands', params: ({ event }) => ({ task: event.task, at: 'preparing' }) },
        target: '.preparing.listening',
      },
      // Step uploading: the archive never heard that all files are up.
      { target: '.preparing.asking' },
    ],
  },
  states: {
    chosen: { always: [{ guard: 'begun', target: 'catchingUp' }, { target: 'uploading' }] },
    uploading: {
      entry: { type: 'enterStep', params: 'uploading' },
      on: { 'import.cancelled': 'cancelled' },
      initial: 'beginning',
      states: {
        beginning: {
          always: { guard: 'begun', target: 'sending' },
          invoke: {
            id: 'beginImport',
            src: 'beginImport',
            input: ({ context }) => ({ patientId: context.patientId, totalFilesCount: context.files.length }),
            onDone: { target: 'sending', actions: assign({ taskId: ({ event }) => event.output.id }) },
            onError: {
              target: '#import-study.failed',
              actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
            },
          },
        },
        sending: {
          invoke: {
            id: 'uploadFiles',
            src: 'uploadFiles',
            input: ({ context }) => ({ taskId: context.taskId ?? '', files: waitingFiles(context.files) }),
          },
          on: {
            'file.progressed': {
              actions: {
                type: 'changeFile',
                params: ({ event }) => ({ key: event.key, loadedBytes: event.loadedBytes }),
              },
            },
            'file.uploaded': {
              actions: { type: 'changeFile', params: ({ event }) => ({ key: event.key, status: 'uploaded' }) },
            },
            'file.refused': {
              actions: {
                type: 'changeFile',
                params: ({ event }) => ({ key: event.key, status: 'refused', failure: event.failure }),
              },
            },
            'upload.finished': [
              { guard: 'anyUploaded', target: '#import-study.preparing' },
              { target: '#import-study.failed' },
            ],
            'upload.broken': {
              target: '#import-study.failed',
              actions: { type: 'rememberFailure', params: ({ event }) => event.failure },
            },
          },
        },
      },
    },
    preparing: {
      entry: { type: 'enterStep', params: 'preparing' },
      initial: 'asking',
      on: {
        'preparing.reported': { guard: { type: 'about', params: ({ event }) => event }, target: '.listening' },
        'progress.reported': {
          guard: { type: 'progress', params: ({ event }) => ({ report: event, step: 'parsing' }) },
          target: 'parsing',
          actions: { type: 'rememberPercent', params: ({ event }) => event.percent },
        },
        'outcome.reported': { guard: { type: 'about', params: ({ event }) => event }, target: '.checking' },
      },
      states: {
        asking: {
          invoke: {
            id: 'parseImport',
            src: 'parseImport',
            input: ({ context }) => ({ taskId: context.taskId ?? '' }),
            onDone: 'listening',
            onError: [
              { guard: { type: 'alreadyPast', params: ({ event }) => failureOf(event.error) }, target: 'checking' },
              {
                target: '#import-study.failed',
                actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
              },
            ],
          },
        },
        listening,
        checking,
      },
    },
    parsing: {
      entry: { type: 'enterStep', params: 'parsing' },
      initial: 'listening',
      on: {
        'progress.reported': {
          guard: { type: 'progress', params: ({ event }) => ({ report: event, step: 'parsing' }) },
          target: '.listening',
          actions: { type: 'rememberPercent', params: ({ event }) => event.percent },
        },
        'outcome.reported': { guard: { type: 'about', params: ({ event }) => event }, target: '.checking' },
      },
      states: { listening, checking },
    },
    validation: {
      entry: { type: 'enterStep', params: 'validation' },
      always: [
        { guard: 'nothingImportable', target: 'failed' },
        { guard: 'nobodyToAsk', target: 'importing' },
      ],
      on: {
        'import.confirmed': { target: 'importing', actions: assign({ mismatchConfirmed: true }) },
        'import.cancelled': 'cancelled',
      },
    },
    importing: {
      entry: { type: 'enterStep', params: 'importing' },
      initial: 'asking',
      on: {
        'progress.reported': {
          guard: { type: 'progress', params: ({ event }) => ({ report: event, step: 'importing' }) },
          target: '.listening',
          actions: { type: 'rememberPercent', params: ({ event }) => event.percent },
        },
        'outcome.reported': { guard: { type: 'about', params: ({ event }) => event }, target: '.checking' },
      },
      states: {
        asking: {
          invoke: {
            id: 'confirmImport',
            src: 'confirmImport',
            input: ({ context }) => ({
              taskId: context.taskId ?? '',
              mismatchConfirmed: context.mismatchConfirmed,
            }),
            onDone: 'listening',
            onError: [
              { guard: { type: 'alreadyPast', params: ({ event }) => failureOf(event.error) }, target: 'checking' },
              {
                target: '#import-study.failed',
                actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
              },
            ],
          },
        },
        listening,
        checking,
      },
    },
    catchingUp: {
      initial: 'checking',
      states: { listening, checking },
      on: { 'import.cancelled': 'cancelled' },
    },
    failed: {
      on: {
        'import.retried': [
          { guard: 'anyWaiting', target: 'uploading' },
          { guard: 'worthRetrying', target: 'catchingUp' },
        ],
        'import.cancelled': 'cancelled',
      },
    },
    done: { entry: { type: 'enterStep', params: 'done' }, type: 'final' },
    cancelled: { type: 'final' },
  },
});

export type ImportStudyActor = ActorRefFrom<typeof importStudyMachine>;
type ImportStudySnapshot = SnapshotFrom<typeof importStudyMachine>;

export const selectStep = (snapshot: ImportStudySnapshot): ImportStep => snapshot.context.step;
/** The published number of the step. */
export const selectStepNumber = (snapshot: ImportStudySnapshot): number => importSteps[snapshot.context.step];
/** 0 to 100 of the running step. */
export const selectPercent = ({ context }: ImportStudySnapshot): number =>
  context.step === 'uploading' ? uploadPercent(context.files) : context.step === 'done' ? 100 : context.percent;
export const selectPatientId = (snapshot: ImportStudySnapshot): string => snapshot.context.patientId;
export const selectUploadFiles = (snapshot: ImportStudySnapshot): readonly UploadFile[] => snapshot.context.files;
/** The archive's own list: status and problem of every file. Empty before validation. */
export const selectFoundFiles = (snapshot: ImportStudySnapshot): readonly ImportFile[] => snapshot.context.found;
export const selectFailure = (snapshot: ImportStudySnapshot): Failure | null => snapshot.context.failure;
export const selectIsFailed = (snapshot: ImportStudySnapshot): boolean => snapshot.matches('failed');
export const selectIsDone = (snapshot: ImportStudySnapshot): boolean => snapshot.matches('done');
export const selectIsCancelled = (snapshot: ImportStudySnapshot): boolean => snapshot.matches('cancelled');
/** A file names somebody else: a person must confirm or cancel. */
export const selectWaitsForPerson = (snapshot: ImportStudySnapshot): boolean =>
  snapshot.can({ type: 'import.confirmed' });
export const selectCanRetry = (snapshot: ImportStudySnapshot): boolean => snapshot.can({ type: 'import.retried' });
export const selectCanCancel = (snapshot: ImportStudySnapshot): boolean => snapshot.can({ type: 'import.cancelled' });
