import type {
  ImportDecision,
  ImportFile,
  ImportKind,
  ImportStep,
  ImportStudy,
  ImportTask,
} from '../../../contract/imports.ts';
import type { Failure, WaitReason } from '../../services/failure.ts';
import type { Decision, DecisionFailure, Report } from './import-study.rules.ts';
import type { ChosenFile, FileChange, SkippedFile, StoredFile, Upload } from './upload.rules.ts';

/** Names of an import's files in the object store; the parse request returns them to the archive. */
export interface AwsNames {
  readonly awsFileName: string;
  readonly awsDirectroryKey: string;
}

export type ImportStudyEvent =
  /** Changes of files since the last such event; batched to a few events a second. */
  | { type: 'upload.progressed'; changes: readonly FileChange[]; bytesPerSecond: number | null }
  /** The archive cannot be reached or its disk is full; the upload retries without limit. */
  | { type: 'upload.waited'; reason: WaitReason }
  | { type: 'upload.continued' }
  /** Every file was stored, rejected or is lost. */
  | { type: 'upload.finished'; aws: AwsNames | null }
  /** The archive rejected the whole import; uploaded files stay stored. */
  | { type: 'upload.broken'; failure: Failure }
  | { type: 'upload.paused' }
  | { type: 'upload.resumed' }
  | Report
  | { type: 'connection.restored' }
  /** Raised by the machine: the import was fetched. */
  | { type: 'task.fetched'; task: ImportTask }
  /** The user continues with the files that arrived, although others are lost or their session ended. */
  | { type: 'import.resumed' }
  /** The user chose missing files: keys of lost files, or new ones for an import of another session. */
  | { type: 'files.added'; files: readonly ChosenFile[] }
  | { type: 'study.decided'; key: string; decision: Partial<ImportDecision> }
  | { type: 'import.confirmed' }
  | { type: 'import.retried' }
  | { type: 'import.cancelled' };

export interface ImportInput {
  /** Id in the tray; also the idempotency key under which the archive creates the import. */
  readonly id: string;
  /** null: into the clinic; the patient is chosen per study. */
  readonly patientId: string | null;
  readonly customerId: string;
  readonly kind: ImportKind;
  readonly name: string;
  readonly files: readonly (ChosenFile | StoredFile)[];
  /** Files that were chosen with the others but are not uploaded; unknown after a reload. */
  readonly leftOut?: readonly SkippedFile[];
  /** Id of an import that exists in the archive, from an earlier session; null for a new one. */
  readonly taskId: string | null;
  readonly paused?: boolean;
}

export interface ImportStudyContext {
  id: string;
  /** The archive ended the import with this id: the next one gets a new id. */
  isIdUsed: boolean;
  patientId: string | null;
  customerId: string;
  kind: ImportKind;
  name: string;
  taskId: string | null;
  upload: Upload;
  leftOut: readonly SkippedFile[];
  /** Why the upload waited last. */
  waitReason: WaitReason;
  bytesPerSecond: number | null;
  paused: boolean;
  aws: AwsNames | null;
  /** Files that the archive has. */
  found: readonly ImportFile[];
  studies: readonly ImportStudy[];
  /** Number of files that the archive expects; 0 before the first fetch. */
  expected: number;
  /** The current step, or the step at which it stopped. */
  step: ImportStep;
  /** Progress of an archive step, 0 to 100. */
  percent: number;
  /** Decisions to be sent, and decisions being sent. */
  decided: readonly Decision[];
  deciding: readonly Decision[];
  decisionFailure: DecisionFailure | null;
  /** The user confirmed the import. */
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
