import { assign, setup } from 'xstate';
import { type ImportStep, type ImportTask, importStepNames, importSteps } from '../../../contract/imports.ts';
import { type Failure, hasProblemCode, isWorthRetrying, type WaitReason } from '../../services/failure.ts';
import { callbackPort, port } from '../port.ts';
import type {
  BeginInput,
  ConfirmInput,
  DecideInput,
  ImportInput,
  ImportStudyContext,
  ImportStudyEvent,
  ParseInput,
  UploadInput,
} from './import-study.events.ts';
import {
  anyTemporary,
  type Decision,
  type DecisionOutcome,
  isAllOf,
  mismatches,
  noObstacles,
  nothingImportable,
  type Report,
  rejectedDecision,
  withDecision,
  withOutcomes,
} from './import-study.rules.ts';
import {
  type ChosenFile,
  type FileChange,
  filesWithStatus,
  markUploaded,
  remainingUpload,
  type StoredFile,
  type UploadFile,
  uploadOf,
  withAdded,
  withChanges,
} from './upload.rules.ts';

const withDefaults = (file: ChosenFile | StoredFile): StoredFile => ({ status: 'waiting', failure: null, ...file });

export const initialContext = (input: ImportInput): ImportStudyContext => ({
  id: input.id,
  isIdUsed: false,
  patientId: input.patientId,
  customerId: input.customerId,
  kind: input.kind,
  name: input.name,
  taskId: input.taskId,
  upload: uploadOf(input.files.map(withDefaults)),
  leftOut: input.leftOut ?? [],
  bytesPerSecond: null,
  waitReason: 'connection',
  paused: input.paused ?? false,
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

/** Returns whether it is a folder with a DICOMDIR: it needs no preparation, unlike a zip. */
const isFolder = ({ kind, upload, expected }: ImportStudyContext): boolean =>
  kind === 'dicomdir' && Math.max(upload.files.length, expected) > 1;

export const parseInputOf = (context: ImportStudyContext): ParseInput => ({
  taskId: context.taskId ?? '',
  folder: isFolder(context),
  aws: context.aws,
});

/** Ports, guards, actions and delays of an import. */
export const chart = setup({
  types: { context: {} as ImportStudyContext, events: {} as ImportStudyEvent, input: {} as ImportInput },
  actors: {
    beginImport: port<{ id: string }, BeginInput>('beginImport'),
    uploadFiles: callbackPort<UploadInput>('uploadFiles'),
    parseImport: port<{ id: string }, ParseInput>('parseImport'),
    decideStudies: port<readonly DecisionOutcome[], DecideInput>('decideStudies'),
    confirmImport: port<{ id: string }, ConfirmInput>('confirmImport'),
    retryImport: port<{ id: string }, { taskId: string }>('retryImport'),
    withdrawImport: port<{ id: string }, { taskId: string }>('withdrawImport'),
    fetchImport: port<ImportTask, { taskId: string }>('fetchImport'),
  },
  guards: {
    created: ({ context }) => context.taskId !== null,
    notCreated: ({ context }) => context.taskId === null,
    paused: ({ context }) => context.paused,
    anyWaiting: ({ context }) => context.upload.counts.waiting > 0,
    anyLost: ({ context }) => context.upload.counts.lost > 0,
    anyArrived: ({ context }) => context.upload.counts.uploaded > 0 || context.found.length > 0,
    anyFiles: (_, files: readonly ChosenFile[]) => files.length > 0,
    wereLost: ({ context: { upload } }, files: readonly ChosenFile[]) =>
      files.some(({ key }) => upload.files[upload.places[key] ?? -1]?.status === 'lost'),
    folder: ({ context }) => isFolder(context),
    chosenHere: ({ context }) => context.upload.files.length > 0,
    moreArrived: ({ context }, task: ImportTask) => task.files.length > context.found.length,
    endedElsewhere: ({ context }) =>
      context.upload.counts.waiting > 0 &&
      (hasProblemCode(context.failure, 'import-wrong-step') || hasProblemCode(context.failure, 'import-not-found')),
    anyTemporary: ({ context }) => anyTemporary(context.found),
    nothingImportable: ({ context }) => nothingImportable(context.found),
    noDecisionNeeded: ({ context: { patientId, studies, found, confirmed, decided, deciding } }) =>
      noObstacles(studies) &&
      decided.length + deciding.length === 0 &&
      (confirmed || (patientId !== null && mismatches(found).length === 0 && isAllOf(studies, patientId))),
    canConfirm: ({ context: { studies, decided, deciding } }) =>
      noObstacles(studies) && decided.length === 0 && deciding.length === 0,
    knownStudy: ({ context }, key: string) => context.studies.some((study) => study.key === key),
    anyDecided: ({ context }) => context.decided.length > 0,
    anyRejected: (_, outcomes: readonly DecisionOutcome[]) => rejectedDecision(outcomes) !== null,
    worthRetrying: ({ context }) => context.failure !== null,
    isAboutTask: ({ context }, report: Report) => report.taskId === context.taskId,
    progress: ({ context }, { report, step }: { report: Report & { type: 'progress.reported' }; step: ImportStep }) =>
      report.taskId === context.taskId && report.step === importSteps[step],
    doneInPart: (_, task: ImportTask) => task.step === importSteps.done && anyTemporary(task.files),
    taskFailed: (_, task: ImportTask) => task.error,
    isAtStep: (_, { task, at }: { task: ImportTask; at: ImportStep }) => task.step === importSteps[at],
    offline: (_, failure: Failure) => failure.kind === 'offline',
    temporary: (_, failure: Failure) => isWorthRetrying(failure),
    alreadyPast: (_, failure: Failure) => hasProblemCode(failure, 'import-wrong-step'),
  },
  actions: {
    enterStep: assign({ step: (_, step: ImportStep) => step, failure: null }),
    clearPercent: assign({ percent: 0 }),
    setFailure: assign({ failure: (_, failure: Failure) => failure }),
    setPercent: assign({ percent: (_, percent: number) => percent }),
    setTask: assign({
      found: (_, task: ImportTask) => task.files,
      studies: (_, task: ImportTask) => task.studies,
      // A failed import has no state that names its step.
      step: ({ context }, task: ImportTask) => importStepNames[task.step] ?? context.step,
      percent: (_, task: ImportTask) => task.percent,
      expected: (_, task: ImportTask) => task.totalFilesCount,
      upload: ({ context }, task: ImportTask) => markUploaded(context.upload, task.files),
    }),
    setWaitReason: assign({ waitReason: (_, reason: WaitReason) => reason, bytesPerSecond: null }),
    pause: assign({ paused: true, bytesPerSecond: null }),
    resume: assign({ paused: false }),
    addFiles: assign({
      upload: ({ context }, files: readonly ChosenFile[]) =>
        markUploaded(withAdded(context.upload, files), context.found),
    }),
    startOver: assign({
      isIdUsed: true,
      taskId: null,
      found: [],
      studies: [],
      expected: 0,
      upload: ({ context }) => remainingUpload(context.upload),
    }),
    changeFiles: assign({
      upload: ({ context }, { changes }: { changes: readonly FileChange[]; bytesPerSecond: number | null }) =>
        withChanges(context.upload, changes),
      bytesPerSecond: (_, { bytesPerSecond }: { changes: readonly FileChange[]; bytesPerSecond: number | null }) =>
        bytesPerSecond,
    }),
    decide: assign({
      decided: ({ context }, decision: Decision) => withDecision(context.decided, decision),
      decisionFailure: null,
      confirmed: false,
    }),
    sendDecisions: assign({ deciding: ({ context }) => context.decided, decided: [] }),
    clearDeciding: assign({ deciding: [] }),
    setOutcomes: assign({
      studies: ({ context }, outcomes: readonly DecisionOutcome[]) => withOutcomes(context.studies, outcomes),
      decisionFailure: (_, outcomes: readonly DecisionOutcome[]) => rejectedDecision(outcomes),
    }),
    confirm: assign({ confirmed: true }),
    unconfirm: assign({ confirmed: false }),
  },
  delays: { quietDelay: 10_000, retryDelay: 5_000 },
});

export const waitingFilesOf = (context: ImportStudyContext): readonly UploadFile[] =>
  filesWithStatus(context.upload, 'waiting');
