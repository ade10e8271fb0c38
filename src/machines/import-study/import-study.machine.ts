import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import {
  type ImportFile,
  type ImportKind,
  type ImportStep,
  type ImportStudy,
  type ImportTask,
  importSteps,
} from '../../../contract/imports.ts';
import { type Failure, failureOf } from '../../services/failure.ts';
import { checking, importing, listening, parsing, preparing } from './following.ts';
import { arrivedPercent, type DecisionFailure, keysBeingSent } from './import-study.rules.ts';
import { beginningOf, chart } from './import-study.setup.ts';
import { filesThatAre, type UploadFile, uploadPercent } from './upload.rules.ts';
import { uploading } from './uploading.ts';
import { validation } from './validation.ts';

export type { ImportInput, ImportStudyEvent } from './import-study.events.ts';

type Learned = { event: { type: 'truth.learned'; task: ImportTask } };
const taskOf = ({ event }: Learned) => event.task;
const remember = { type: 'rememberTruth', params: taskOf } as const;
const standsAt = (at: ImportStep) =>
  ({ type: 'stands', params: ({ event }: Learned) => ({ task: event.task, at }) }) as const;

/** One import: one thing that was chosen, from its files to pictures in the archive. */
export const importStudyMachine = chart.createMachine({
  id: 'import-study',
  context: ({ input }) => beginningOf(input),
  initial: 'chosen',
  on: {
    // Where the archive says that the import stands, whatever was heard before.
    'truth.learned': [
      { guard: { type: 'failedThere', params: taskOf }, target: '.failed', actions: remember },
      { guard: standsAt('validation'), target: '.validation', actions: remember },
      { guard: { type: 'doneInPart', params: taskOf }, target: '.doneInPart', actions: remember },
      { guard: standsAt('done'), target: '.done', actions: remember },
      { guard: standsAt('importing'), target: '.importing.listening', actions: remember },
      { guard: standsAt('parsing'), target: '.parsing.listening', actions: remember },
      { guard: standsAt('preparing'), target: '.preparing.listening', actions: remember },
      // Step uploading. What is not up goes up; when all is, the archive never heard so.
      { guard: 'chosenHere', target: '.uploading', actions: remember },
      // Another session sends them, or sent them until it was stopped. Only a person ends that.
      { guard: { type: 'moreArrived', params: taskOf }, target: '.arriving', actions: remember },
      { target: '.interrupted', actions: remember },
    ],
    'import.cancelled': '.withdrawing',
  },
  states: {
    chosen: { always: [{ guard: 'begun', target: 'catchingUp' }, { target: 'uploading' }] },
    uploading,
    preparing,
    parsing,
    validation,
    importing,
    catchingUp: { initial: 'checking', states: { listening, checking } },
    arriving: {
      entry: { type: 'enterStep', params: 'uploading' },
      initial: 'listening',
      on: { 'preparing.reported': { guard: { type: 'about', params: ({ event }) => event }, target: '.checking' } },
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
        'preparing.reported': { guard: { type: 'about', params: ({ event }) => event }, target: 'catchingUp' },
        'connection.restored': 'catchingUp',
      },
    },
    failed: {
      entry: 'unconfirm',
      on: {
        'import.retried': [
          // The import went on without the rest, or is gone: that becomes an import of its own.
          { guard: 'endedElsewhere', target: 'uploading', actions: 'startOver' },
          { guard: 'anyWaiting', target: 'uploading' },
          { guard: 'anyPassing', target: 'retrying' },
          { guard: 'worthRetrying', target: 'catchingUp' },
        ],
      },
    },
    /** What could be imported is. Some files were refused for a reason that may have passed: a person may have them read again. */
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
          actions: { type: 'rememberFailure', params: ({ event }) => failureOf(event.error) },
        },
      },
    },
    done: { entry: { type: 'enterStep', params: 'done' }, type: 'final' },
    withdrawing: {
      always: { guard: 'neverBegun', target: 'cancelled' },
      on: { 'import.cancelled': {} },
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

export const selectKind = ({ context }: ImportStudySnapshot): ImportKind => context.kind;
export const selectName = ({ context }: ImportStudySnapshot): string => context.name;
/** The archive's id of it; null until it was begun there. */
export const selectTaskId = ({ context }: ImportStudySnapshot): string | null => context.taskId;
export const selectPatientId = ({ context }: ImportStudySnapshot): string | null => context.patientId;
export const selectStep = ({ context }: ImportStudySnapshot): ImportStep => context.step;
/** The published number of the step. */
export const selectStepNumber = ({ context }: ImportStudySnapshot): number => importSteps[context.step];
/** 0 to 100 of the running step. */
export const selectPercent = ({ context }: ImportStudySnapshot): number => {
  if (context.step === 'done') return 100;
  if (context.step !== 'uploading') return context.percent;
  return context.upload.files.length > 0
    ? uploadPercent(context.upload)
    : arrivedPercent(context.found, context.expected);
};
export const selectUploadFiles = ({ context }: ImportStudySnapshot): readonly UploadFile[] => context.upload.files;
/** The archive's own list: status and problem of every file. Of an import that began here: empty before validation. */
export const selectFoundFiles = ({ context }: ImportStudySnapshot): readonly ImportFile[] => context.found;
/** What the archive found in the files, and what is decided about it. */
export const selectStudies = ({ context }: ImportStudySnapshot): readonly ImportStudy[] => context.studies;
/** Files of the running step: those that are through, of all. A new object for each call. */
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
/** Bytes of the upload. A new object for each call. */
export const selectBytes = ({ context }: ImportStudySnapshot): { readonly loaded: number; readonly total: number } => ({
  loaded: context.upload.loadedBytes,
  total: context.upload.totalBytes,
});
/** Bytes a second over the last seconds; null when nothing is being sent, or it is not known yet. */
export const selectSpeed = ({ context }: ImportStudySnapshot): number | null => context.bytesPerSecond;
export const selectFailure = ({ context }: ImportStudySnapshot): Failure | null => context.failure;
export const selectIsFailed = (snapshot: ImportStudySnapshot): boolean => snapshot.matches('failed');
/** What can be imported is imported; files that are not say why. */
export const selectIsDone = (snapshot: ImportStudySnapshot): boolean =>
  snapshot.matches('done') || snapshot.matches('doneInPart');
export const selectIsPaused = (snapshot: ImportStudySnapshot): boolean => snapshot.matches({ uploading: 'paused' });
export const selectCanPause = (snapshot: ImportStudySnapshot): boolean => snapshot.can({ type: 'upload.paused' });
/** There is no way to the archive: it goes on by itself when there is. */
export const selectIsOffline = (snapshot: ImportStudySnapshot): boolean =>
  snapshot.matches({ uploading: { sending: 'waiting' } }) || snapshot.matches({ uploading: 'unreachable' });
/** Files whose bytes the browser no longer holds: a person must choose them again. A new list for each call unless it is empty. */
export const selectLostFiles = ({ context }: ImportStudySnapshot): readonly UploadFile[] =>
  filesThatAre(context.upload, 'lost');
/** All that the browser has is up, and files are lost: it waits for them, or for a person who says to do without. */
export const selectLacksFiles = (snapshot: ImportStudySnapshot): boolean => snapshot.matches({ uploading: 'lacking' });
/** Files that were meant to come, says the archive; 0 before it was asked. */
export const selectExpectedCount = ({ context }: ImportStudySnapshot): number => context.expected;
/** Its upload stopped in another session: a person takes what arrived, or adds the rest. */
export const selectIsInterrupted = (snapshot: ImportStudySnapshot): boolean => snapshot.matches('interrupted');
/** It stands at validation until a person has decided. */
export const selectWaitsForPerson = (snapshot: ImportStudySnapshot): boolean => snapshot.matches('validation');
/** Keys of the studies whose decisions are being sent. A new list for each call unless it is empty. */
export const selectIsDeciding = ({ context }: ImportStudySnapshot): readonly string[] =>
  keysBeingSent(context.decided, context.deciding);
/** Why the last decision was not taken; null when it was, or a new one is on its way. */
export const selectDecisionFailure = ({ context }: ImportStudySnapshot): DecisionFailure | null =>
  context.decisionFailure;
export const selectCanConfirm = (snapshot: ImportStudySnapshot): boolean => snapshot.can({ type: 'import.confirmed' });
export const selectCanRetry = (snapshot: ImportStudySnapshot): boolean => snapshot.can({ type: 'import.retried' });
export const selectCanCancel = (snapshot: ImportStudySnapshot): boolean =>
  snapshot.status === 'active' && snapshot.can({ type: 'import.cancelled' });
