import { type ActorRefFrom, assign, type SnapshotFrom } from 'xstate';
import { type ImportFile, type ImportStep, importSteps } from '../../../contract/imports.ts';
import { type Failure, failureOf } from '../../services/failure.ts';
import { arrivedPercent, type UploadFile, uploadFileOf, uploadPercent, waitingFiles } from './import-study.rules.ts';
import { chart, checking, listening } from './import-study.setup.ts';

export type { ImportInput, ImportStudyEvent } from './import-study.setup.ts';

/** One import: files of one patient, from the chosen files to pictures in the archive. */
export const importStudyMachine = chart.createMachine({
  id: 'import-study',
  context: ({ input }) => ({
    patientId: input.patientId,
    taskId: input.taskId,
    files: input.files.map(uploadFileOf),
    found: [],
    expected: 0,
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
        actions: { type: 'rememberTruth', params: ({ event }) => event.task },
      },
      {
        guard: { type: 'stands', params: ({ event }) => ({ task: event.task, at: 'validation' }) },
        target: '.validation',
        actions: { type: 'rememberTruth', params: ({ event }) => event.task },
      },
      {
        guard: { type: 'stands', params: ({ event }) => ({ task: event.task, at: 'done' }) },
        target: '.done',
        actions: { type: 'rememberTruth', params: ({ event }) => event.task },
      },
      {
        guard: { type: 'stands', params: ({ event }) => ({ task: event.task, at: 'importing' }) },
        target: '.importing.listening',
        actions: { type: 'rememberTruth', params: ({ event }) => event.task },
      },
      {
        guard: { type: 'stands', params: ({ event }) => ({ task: event.task, at: 'parsing' }) },
        target: '.parsing',
        actions: { type: 'rememberTruth', params: ({ event }) => event.task },
      },
      {
        guard: { type: 'stands', params: ({ event }) => ({ task: event.task, at: 'preparing' }) },
        target: '.preparing.listening',
        actions: { type: 'rememberTruth', params: ({ event }) => event.task },
      },
      // Step uploading: the archive never heard that all files are up.
      { guard: 'chosenHere', target: '.preparing.asking' },
      // Another session sends them, or sent them until it was stopped. Only a person ends that.
      {
        guard: { type: 'moreArrived', params: ({ event }) => event.task },
        target: '.arriving.listening',
        actions: { type: 'rememberTruth', params: ({ event }) => event.task },
      },
      { target: '.interrupted', actions: { type: 'rememberTruth', params: ({ event }) => event.task } },
    ],
  },
  states: {
    chosen: { always: [{ guard: 'begun', target: 'catchingUp' }, { target: 'uploading' }] },
    uploading: {
      entry: { type: 'enterStep', params: 'uploading' },
      on: { 'import.cancelled': 'withdrawing' },
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
              { guard: 'anyArrived', target: '#import-study.preparing' },
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
      exit: 'forgetPercent',
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
      exit: 'forgetPercent',
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
        'import.cancelled': 'withdrawing',
      },
    },
    importing: {
      entry: { type: 'enterStep', params: 'importing' },
      exit: 'forgetPercent',
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
      on: { 'import.cancelled': 'withdrawing' },
    },
    arriving: {
      entry: { type: 'enterStep', params: 'uploading' },
      initial: 'listening',
      on: { 'preparing.reported': { guard: { type: 'about', params: ({ event }) => event }, target: '.checking' } },
      states: { listening, checking },
    },
    interrupted: {
      entry: { type: 'enterStep', params: 'uploading' },
      on: {
        'import.resumed': 'preparing',
        'files.added': {
          guard: { type: 'anyFiles', params: ({ event }) => event.files },
          target: 'uploading',
          actions: { type: 'addFiles', params: ({ event }) => event.files },
        },
        'preparing.reported': { guard: { type: 'about', params: ({ event }) => event }, target: 'catchingUp' },
        'connection.restored': 'catchingUp',
      },
    },
    failed: {
      on: {
        'import.retried': [
          // The import went on without the rest: that becomes an import of its own.
          { guard: 'endedElsewhere', target: 'uploading', actions: 'startOver' },
          { guard: 'anyWaiting', target: 'uploading' },
          { guard: 'worthRetrying', target: 'catchingUp' },
        ],
        'import.cancelled': 'withdrawing',
      },
    },
    done: { entry: { type: 'enterStep', params: 'done' }, type: 'final' },
    withdrawing: {
      always: { guard: 'neverBegun', target: 'cancelled' },
      invoke: {
        id: 'withdrawImport',
        src: 'withdrawImport',
        input: ({ context }) => ({ taskId: context.taskId ?? '' }),
        onDone: 'cancelled',
        // Too late, or out of reach: what the archive has it keeps, and shows it again.
        onError: 'cancelled',
      },
    },
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
  context.step === 'uploading'
    ? context.files.length > 0
      ? uploadPercent(context.files)
      : arrivedPercent(context.found, context.expected)
    : context.step === 'done'
      ? 100
      : context.percent;
export const selectPatientId = (snapshot: ImportStudySnapshot): string => snapshot.context.patientId;
export const selectUploadFiles = (snapshot: ImportStudySnapshot): readonly UploadFile[] => snapshot.context.files;
/** The archive's own list: status and problem of every file. Of an import that began here: empty before validation. */
export const selectFoundFiles = (snapshot: ImportStudySnapshot): readonly ImportFile[] => snapshot.context.found;
export const selectFailure = (snapshot: ImportStudySnapshot): Failure | null => snapshot.context.failure;
export const selectIsFailed = (snapshot: ImportStudySnapshot): boolean => snapshot.matches('failed');
export const selectIsDone = (snapshot: ImportStudySnapshot): boolean => snapshot.matches('done');
/** Files that were meant to come, says the archive; 0 before it was asked. */
export const selectExpectedCount = (snapshot: ImportStudySnapshot): number => snapshot.context.expected;
/** Its upload stopped in another session: a person takes what arrived, or adds the rest. */
export const selectIsInterrupted = (snapshot: ImportStudySnapshot): boolean => snapshot.can({ type: 'import.resumed' });
/** A file names somebody else: a person must confirm or cancel. */
export const selectWaitsForPerson = (snapshot: ImportStudySnapshot): boolean =>
  snapshot.can({ type: 'import.confirmed' });
export const selectCanRetry = (snapshot: ImportStudySnapshot): boolean => snapshot.can({ type: 'import.retried' });
export const selectCanCancel = (snapshot: ImportStudySnapshot): boolean => snapshot.can({ type: 'import.cancelled' });
