import { assign, setup } from 'xstate';
import {
  type ImportDecision,
  type ImportFile,
  type ImportKind,
  type ImportStep,
  type ImportStudy,
  type ImportTask,
  importSteps,
} from '../../../contract/imports.ts';
import { type Failure, isRefusedAs, isWorthRetrying } from '../../services/failure.ts';
import { port, talkingPort } from '../port.ts';
import {
  anyPassing,
  type Decision,
  type DecisionFailure,
  type DecisionOutcome,
  isAllOf,
  mismatches,
  nothingImportable,
  nothingInTheWay,
  type Report,
  refusedDecision,
  withDecision,
  withOutcomes,
} from './import-study.rules.ts';
import {
  type ChosenFile,
  type FileChange,
  filesThatAre,
  type KeptFile,
  restOf,
  settledBy,
  type Upload,
  type UploadFile,
  uploadOf,
  withAdded,
  withChanges,
} from './upload.rules.ts';

/** The names under which an object store has the files of an import: the archive wants them back when it is asked to parse. */
export interface AwsNames {
  readonly awsFileName: string;
  readonly awsDirectroryKey: string;
}

export type ImportStudyEvent =
  /** What happened to the files since the last such news: a few times a second, however many files there are. */
  | { type: 'upload.progressed'; changes: readonly FileChange[]; bytesPerSecond: number | null }
  /** There is no way to the archive now; it is tried again without end. */
  | { type: 'upload.waited' }
  | { type: 'upload.continued' }
  /** Every file was taken, refused, or is lost. */
  | { type: 'upload.finished'; aws: AwsNames | null }
  /** The archive refused the import as a whole; files that are up stay up. */
  | { type: 'upload.broken'; failure: Failure }
  | { type: 'upload.paused' }
  | { type: 'upload.resumed' }
  | Report
  | { type: 'connection.restored' }
  /** The machine's own: the archive was asked how the import stands. */
  | { type: 'truth.learned'; task: ImportTask }
  /** A person wants what arrived, though the session that sent it is gone or files are lost. */
  | { type: 'import.resumed' }
  /** A person gives files that are missing: keys of lost files, or new ones when another session began it. */
  | { type: 'files.added'; files: readonly ChosenFile[] }
  | { type: 'study.decided'; key: string; decision: Partial<ImportDecision> }
  | { type: 'import.confirmed' }
  | { type: 'import.retried' }
  | { type: 'import.cancelled' };

export interface ImportInput {
  /** The import's own name in the tray; the archive opens a new import under it, so that asking twice opens one. */
  readonly id: string;
  /** null: into the clinic, decided study by study. */
  readonly patientId: string | null;
  readonly customerId: string;
  readonly kind: ImportKind;
  readonly name: string;
  readonly files: readonly (ChosenFile | KeptFile)[];
  /** An import that the archive holds already, left by an earlier session; null for a new one. */
  readonly taskId: string | null;
  readonly paused?: boolean;
}

export interface ImportStudyContext {
  id: string;
  /** The archive ended the import that it opened under this id: the next one gets another. */
  idUsedUp: boolean;
  patientId: string | null;
  customerId: string;
  kind: ImportKind;
  name: string;
  taskId: string | null;
  upload: Upload;
  bytesPerSecond: number | null;
  paused: boolean;
  aws: AwsNames | null;
  /** What the archive has, and found in it. */
  found: readonly ImportFile[];
  studies: readonly ImportStudy[];
  /** How many files were meant to come, says the archive; 0 before it was asked. */
  expected: number;
  /** The step it is at, or stopped at. */
  step: ImportStep;
  /** 0 to 100 of a step of the archive. */
  percent: number;
  /** Decisions that wait to be sent, and those on their way. */
  decided: readonly Decision[];
  deciding: readonly Decision[];
  decisionFailure: DecisionFailure | null;
  /** A person said: import. */
  confirmed: boolean;
  failure: Failure | null;
}

export interface BeginInput {
  readonly id: string | null;
  readonly patientId: string | null;
  readonly customerId: string;
  readonly kind: ImportKind;
  readonly name: string;
  readonly totalFilesCount: number;
}
export interface UploadInput {
  readonly id: string;
  readonly taskId: string;
  readonly kind: ImportKind;
  readonly files: readonly ChosenFile[];
}
/** `folder`: a folder with a DICOMDIR, not a zip. */
export interface ParseInput {
  readonly taskId: string;
  readonly folder: boolean;
  readonly aws: AwsNames | null;
}
export interface ConfirmInput {
  readonly taskId: string;
  readonly kind: ImportKind;
}
export interface DecideInput {
  readonly taskId: string;
  readonly decisions: readonly Decision[];
}

const kept = (file: ChosenFile | KeptFile): KeptFile => ({ status: 'waiting', failure: null, ...file });

export const beginningOf = (input: ImportInput): ImportStudyContext => ({
  ...{ id: input.id, idUsedUp: false, patientId: input.patientId, customerId: input.customerId },
  ...{ kind: input.kind, name: input.name, taskId: input.taskId },
  ...{ upload: uploadOf(input.files.map(kept)), bytesPerSecond: null, paused: input.paused ?? false, aws: null },
  ...{ found: [], studies: [], expected: 0, step: 'uploading', percent: 0 },
  ...{ decided: [], deciding: [], decisionFailure: null, confirmed: false, failure: null },
});

/** Its table of contents says what the files are: there is nothing to prepare. A zip has to be unpacked first. */
const isFolder = ({ kind, upload, expected }: ImportStudyContext): boolean =>
  kind === 'dicomdir' && Math.max(upload.files.length, expected) > 1;

export const parseInputOf = (context: ImportStudyContext): ParseInput => ({
  taskId: context.taskId ?? '',
  folder: isFolder(context),
  aws: context.aws,
});

/** What the chart of an import uses: ports, guards, actions, delays. */
export const chart = setup({
  types: { context: {} as ImportStudyContext, events: {} as ImportStudyEvent, input: {} as ImportInput },
  actors: {
    beginImport: port<{ id: string }, BeginInput>('beginImport'),
    uploadFiles: talkingPort<UploadInput>('uploadFiles'),
    parseImport: port<{ id: string }, ParseInput>('parseImport'),
    decideStudies: port<readonly DecisionOutcome[], DecideInput>('decideStudies'),
    confirmImport: port<{ id: string }, ConfirmInput>('confirmImport'),
    retryImport: port<{ id: string }, { taskId: string }>('retryImport'),
    withdrawImport: port<{ id: string }, { taskId: string }>('withdrawImport'),
    fetchImport: port<ImportTask, { taskId: string }>('fetchImport'),
  },
  guards: {
    begun: ({ context }) => context.taskId !== null,
    neverBegun: ({ context }) => context.taskId === null,
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
      (isRefusedAs(context.failure, 'import-wrong-step') || isRefusedAs(context.failure, 'import-not-found')),
    anyPassing: ({ context }) => anyPassing(context.found),
    nothingImportable: ({ context }) => nothingImportable(context.found),
    nobodyToAsk: ({ context: { patientId, studies, found, confirmed, decided } }) =>
      nothingInTheWay(studies) &&
      decided.length === 0 &&
      (confirmed || (patientId !== null && mismatches(found).length === 0 && isAllOf(studies, patientId))),
    mayConfirm: ({ context: { studies, decided, deciding } }) =>
      nothingInTheWay(studies) && decided.length === 0 && deciding.length === 0,
    knownStudy: ({ context }, key: string) => context.studies.some((study) => study.key === key),
    anyDecided: ({ context }) => context.decided.length > 0,
    anyRefused: (_, outcomes: readonly DecisionOutcome[]) => refusedDecision(outcomes) !== null,
    worthRetrying: ({ context }) => context.failure !== null,
    about: ({ context }, report: Report) => report.taskId === context.taskId,
    progress: ({ context }, { report, step }: { report: Report & { type: 'progress.reported' }; step: ImportStep }) =>
      report.taskId === context.taskId && report.step === importSteps[step],
    doneInPart: (_, task: ImportTask) => task.step === importSteps.done && anyPassing(task.files),
    failedThere: (_, task: ImportTask) => task.error,
    stands: (_, { task, at }: { task: ImportTask; at: ImportStep }) => task.step === importSteps[at],
    offline: (_, failure: Failure) => failure.kind === 'offline',
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
      studies: (_, task: ImportTask) => task.studies,
      percent: (_, task: ImportTask) => task.percent,
      expected: (_, task: ImportTask) => task.totalFilesCount,
      upload: ({ context }, task: ImportTask) => settledBy(context.upload, task.files),
    }),
    pause: assign({ paused: true, bytesPerSecond: null }),
    goOn: assign({ paused: false }),
    addFiles: assign({
      upload: ({ context }, files: readonly ChosenFile[]) => settledBy(withAdded(context.upload, files), context.found),
    }),
    startOver: assign({
      ...{ idUsedUp: true, taskId: null, found: [], studies: [], expected: 0 },
      upload: ({ context }) => restOf(context.upload),
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
    forgetSent: assign({ deciding: [] }),
    rememberOutcomes: assign({
      studies: ({ context }, outcomes: readonly DecisionOutcome[]) => withOutcomes(context.studies, outcomes),
      decisionFailure: (_, outcomes: readonly DecisionOutcome[]) => refusedDecision(outcomes),
    }),
    confirm: assign({ confirmed: true }),
    unconfirm: assign({ confirmed: false }),
  },
  delays: { quietDelay: 10_000, retryDelay: 5_000 },
});

export const waitingFilesOf = (context: ImportStudyContext): readonly UploadFile[] =>
  filesThatAre(context.upload, 'waiting');
