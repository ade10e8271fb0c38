import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import {
  type ImportFile,
  type ImportKind,
  type ImportStep,
  type ImportStudy,
  type ImportTask,
  importSteps,
} from '../../../contract/imports.ts';
import { type Failure, failureOf, type WaitReason } from '../../services/failure.ts';
import { checking, importing, listening, parsing, preparing } from './following.ts';
import { arrivedPercent, type DecisionFailure, keysBeingSent } from './import-study.rules.ts';
import { chart, initialContext } from './import-study.setup.ts';
import { filesWithStatus, type SkippedFile, type UploadFile, uploadPercent } from './upload.rules.ts';
import { uploading } from './uploading.ts';
import { validation } from './validation.ts';

export type { WaitReason } from '../../services/failure.ts';
export type { ImportInput, ImportStudyEvent } from './import-study.events.ts';

type Fetched = { event: { type: 'task.fetched'; task: ImportTask } };
const taskOf = ({ event }: Fetched) => event.task;
const setTask = { type: 'setTask', params: taskOf } as const;
const atStep = (at: ImportStep) =>
  ({ type: 'isAtStep', params: ({ event }: Fetched) => ({ task: event.task, at }) }) as const;

/** One import, from the chosen files to images in the archive. */
export const importStudyMachine = chart.createMachine({
  id: 'import-study',
  context: ({ input }) => initialContext(input),
  initial: 'chosen',
  on: {
    // The fetched step wins over earlier hub events.
    'task.fetched': [
      { guard: { type: 'taskFailed', params: taskOf }, target: '.failed', actions: setTask },
      { guard: atStep('validation'), target: '.validation', actions: setTask },
      { guard: { type: 'doneInPart', params: taskOf }, target: '.doneInPart', actions: setTask },
      { guard: atStep('done'), target: '.done', actions: setTask },
      { guard: atStep('importing'), target: '.importing.listening', actions: setTask },
      { guard: atStep('parsing'), target: '.parsing.listening', actions: setTask },
      { guard: atStep('preparing'), target: '.preparing.listening', actions: setTask },
      // Step uploading: missing files are uploaded. If none is missing, the end of the upload was lost.
      { guard: 'chosenHere', target: '.uploading', actions: setTask },
      // Another session uploads, or did until it stopped. Only the user ends that state.
      { guard: { type: 'moreArrived', params: taskOf }, target: '.arriving', actions: setTask },
      { target: '.interrupted', actions: setTask },
    ],
    'import.cancelled': '.withdrawing',
  },
  states: {
    chosen: { always: [{ guard: 'created', target: 'catchingUp' }, { target: 'uploading' }] },
    uploading,
    preparing,
    parsing,
    validation,
    importing,
    catchingUp: { initial: 'checking', states: { listening, checking } },
    arriving: {
      entry: { type: 'enterStep', params: 'uploading' },
      initial: 'listening',
      on: {
        'preparing.reported': { guard: { type: 'isAboutTask', params: ({ event }) => event }, target: '.checking' },
      },
      states: { listening, checking },
    },
    interrupted: {
      entry: { type: 'enterStep', params: 'uploading' },
      on: {
        'import.resumed': { guard: 'anyArrived', target: 'preparing' },
        'files.added': {
          guard: { type: 'anyFiles', params: ({ event }) => event.files },
          target: 'uploading',
          actions: { type: 'addFiles', params: ({ event }) => event.files },
        },
        'preparing.reported': { guard: { type: 'isAboutTask', params: ({ event }) => event }, target: 'catchingUp' },
        'connection.restored': 'catchingUp',
      },
    },
    failed: {
      entry: 'unconfirm',
      on: {
        'import.retried': [
          // The import continued without the remaining files, or is gone: they become a new import.
          { guard: 'endedElsewhere', target: 'uploading', actions: 'startOver' },
          { guard: 'anyWaiting', target: 'uploading' },
          { guard: 'anyTemporary', target: 'retrying' },
          { guard: 'worthRetrying', target: 'catchingUp' },
        ],
      },
    },
    /** Imported, except files that were rejected for a temporary reason; the user can retry them. */
    doneInPart: {
      entry: { type: 'enterStep', params: 'done' },
      on: { 'import.cancelled': {}, 'import.retried': 'retrying' },
    },
    retrying: {
      entry: 'unconfirm',
      invoke: {
        id: 'retryImport',
        src: 'retryImport',
        input: ({ context }) => ({ taskId: context.taskId ?? '' }),
        onDone: 'catchingUp',
        onError: {
          target: 'failed',
          actions: { type: 'setFailure', params: ({ event }) => failureOf(event.error) },
        },
      },
    },
    done: { entry: { type: 'enterStep', params: 'done' }, type: 'final' },
    withdrawing: {
      always: { guard: 'notCreated', target: 'cancelled' },
      on: { 'import.cancelled': {} },
      invoke: {
        id: 'withdrawImport',
        src: 'withdrawImport',
        input: ({ context }) => ({ taskId: context.taskId ?? '' }),
        onDone: 'cancelled',
        // Too late or offline: the archive keeps the import and lists it again.
        onError: 'cancelled',
      },
    },
    cancelled: { type: 'final' },
  },
});

export type ImportStudyActor = ActorRefFrom<typeof importStudyMachine>;
type ImportStudySnapshot = SnapshotFrom<typeof importStudyMachine>;

export const selectKind = ({ context }: ImportStudySnapshot): ImportKind => context.kind;
export const selectName = ({ context }: ImportStudySnapshot): string => context.name;
/** Returns the archive's id; null until the import is created there. */
export const selectTaskId = ({ context }: ImportStudySnapshot): string | null => context.taskId;
export const selectPatientId = ({ context }: ImportStudySnapshot): string | null => context.patientId;
export const selectStep = ({ context }: ImportStudySnapshot): ImportStep => context.step;
/** Returns the number of the step as in the contract. */
export const selectStepNumber = ({ context }: ImportStudySnapshot): number => importSteps[context.step];
/** Returns the progress of the current step, 0 to 100. */
export const selectPercent = ({ context }: ImportStudySnapshot): number => {
  if (context.step === 'done') return 100;
  if (context.step !== 'uploading') return context.percent;
  return context.upload.files.length > 0
    ? uploadPercent(context.upload)
    : arrivedPercent(context.found, context.expected);
};
export const selectUploadFiles = ({ context }: ImportStudySnapshot): readonly UploadFile[] => context.upload.files;
/** Returns files that were chosen with the others but are not uploaded. */
export const selectLeftOut = ({ context }: ImportStudySnapshot): readonly SkippedFile[] => context.leftOut;
/** Returns the archive's files with status and problem; empty before validation for an import of this browser. */
export const selectFoundFiles = ({ context }: ImportStudySnapshot): readonly ImportFile[] => context.found;
/** Returns the studies found in the files, with their decisions. */
export const selectStudies = ({ context }: ImportStudySnapshot): readonly ImportStudy[] => context.studies;
/** Returns the numbers of finished and of all files of the current step. A new object for each call. */
export const selectFilesCount = ({
  context,
}: ImportStudySnapshot): { readonly done: number; readonly total: number } => {
  const { upload, found, step, percent, expected } = context;
  if (step === 'uploading' && upload.files.length > 0)
    return { done: upload.counts.uploaded + upload.counts.refused, total: upload.files.length };
  const total = Math.max(found.length, expected, upload.files.length);
  if (step === 'uploading') return { done: found.length, total };
  return { done: step === 'validation' || step === 'done' ? total : Math.round((percent / 100) * total), total };
};
/** Returns the bytes of the upload. A new object for each call. */
export const selectBytes = ({ context }: ImportStudySnapshot): { readonly loaded: number; readonly total: number } => ({
  loaded: context.upload.loadedBytes,
  total: context.upload.totalBytes,
});
/** Returns bytes per second over the last seconds; null when unknown or when nothing is sent. */
export const selectSpeed = ({ context }: ImportStudySnapshot): number | null => context.bytesPerSecond;
export const selectFailure = ({ context }: ImportStudySnapshot): Failure | null => context.failure;
export const selectIsFailed = (snapshot: ImportStudySnapshot): boolean => snapshot.matches('failed');
/** Returns whether everything importable is imported; other files carry their problem. */
export const selectIsDone = (snapshot: ImportStudySnapshot): boolean =>
  snapshot.matches('done') || snapshot.matches('doneInPart');
export const selectIsPaused = (snapshot: ImportStudySnapshot): boolean => snapshot.matches({ uploading: 'paused' });
export const selectCanPause = (snapshot: ImportStudySnapshot): boolean => snapshot.can({ type: 'upload.paused' });
/** Returns whether the archive cannot be reached; the upload continues by itself. */
export const selectIsOffline = (snapshot: ImportStudySnapshot): boolean =>
  snapshot.matches({ uploading: { sending: 'waiting' } }) || snapshot.matches({ uploading: 'unreachable' });
/** Returns why the upload waits; null when it does not wait. */
export const selectWaitReason = (snapshot: ImportStudySnapshot): WaitReason | null =>
  selectIsOffline(snapshot) ? snapshot.context.waitReason : null;
/** Returns files whose bytes the browser lost and that must be chosen again. A new list for each call unless empty. */
export const selectLostFiles = ({ context }: ImportStudySnapshot): readonly UploadFile[] =>
  filesWithStatus(context.upload, 'lost');
/** Returns whether the upload waits for lost files, or for the user to continue without them. */
export const selectLacksFiles = (snapshot: ImportStudySnapshot): boolean =>
  snapshot.matches({ uploading: 'missingFiles' });
/** Returns the number of files that the archive expects; 0 before the first fetch. */
export const selectExpectedCount = ({ context }: ImportStudySnapshot): number => context.expected;
/** Returns whether the upload stopped in another session: the user continues with what arrived, or adds files. */
export const selectIsInterrupted = (snapshot: ImportStudySnapshot): boolean => snapshot.matches('interrupted');
/** Returns whether the import waits for a decision of the user. */
export const selectWaitsForPerson = (snapshot: ImportStudySnapshot): boolean => snapshot.matches('validation');
/** Returns keys of studies whose decisions are being sent. A new list for each call unless empty. */
export const selectIsDeciding = ({ context }: ImportStudySnapshot): readonly string[] =>
  keysBeingSent(context.decided, context.deciding);
/** Returns why the last decision was rejected; null when it was accepted or a new one is being sent. */
export const selectDecisionFailure = ({ context }: ImportStudySnapshot): DecisionFailure | null =>
  context.decisionFailure;
export const selectCanConfirm = (snapshot: ImportStudySnapshot): boolean => snapshot.can({ type: 'import.confirmed' });
export const selectCanRetry = (snapshot: ImportStudySnapshot): boolean => snapshot.can({ type: 'import.retried' });
export const selectCanCancel = (snapshot: ImportStudySnapshot): boolean =>
  snapshot.status === 'active' && snapshot.can({ type: 'import.cancelled' });
