import type {
  ImportDecision,
  ImportFile,
  ImportKind,
  ImportStep,
  ImportStudy,
  ImportTask,
} from '../../../contract/imports.ts';
import type { Failure } from '../../services/failure.ts';
import type { Decision, DecisionFailure, Report } from './import-study.rules.ts';
import type { ChosenFile, FileChange, KeptFile, Upload } from './upload.rules.ts';

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
