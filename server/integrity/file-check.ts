import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { DicomProblem } from '../../dicom/problem.ts';
import type { Schema } from '../db/schema.ts';
import {
  claimFileCheck,
  nextFilesToCheck,
  releaseFileCheck,
  restartFileCheck,
  saveFileCheck,
} from '../db/stores/file-check.ts';
import { deleteUnreferencedFileError, fileErrorsToCheck } from '../db/stores/file-errors.ts';
import { type IntervalJob, startIntervalJob } from '../jobs/interval-job.ts';
import { type FileStore, type Pace, StorageError } from '../storage/file-store.ts';
import { paceOf } from '../storage/pace.ts';
import type { FileCheckSettings } from './check-settings.ts';
import type { FileErrors } from './file-errors.ts';

export interface FileCheckParts {
  readonly db: Kysely<Schema>;
  readonly files: FileStore;
  readonly fileErrors: FileErrors;
  readonly isFolderAvailable: () => boolean;
  readonly settings: FileCheckSettings;
  /** Recreates a damaged or missing file from others. @throws StorageError, DicomProblem when that is impossible */
  readonly repair: (sha256: string) => Promise<void>;
  /** Reports an error to the log. */
  readonly onFailure: (error: unknown) => void;
}

/** Approximate duration of a run; runs start at twice this interval. */
const runEveryMs = 60_000;
/** Number of files after which the position is saved. */
const batchFiles = 50;
/** Maximum time between saves of the position while files are read. */
const saveMs = 30_000;
/** Known file errors that are checked again in one run. */
const fileErrorsPerRun = 100;
const hashDigits = 12;

/** Hashes are evenly distributed, so the elapsed part of the pass gives the hash up to which files must have been checked. */
const hashDueAfter = (elapsedMs: number, passMs: number): string => {
  if (elapsedMs >= passMs) return 'f'.repeat(64);
  return Math.floor((elapsedMs / passMs) * 16 ** hashDigits)
    .toString(16)
    .padStart(hashDigits, '0');
};

/** Compares stored files with their hashes, some in each run, so that every file is read once per pass. */
export const createFileCheck = (parts: FileCheckParts) => {
  const { db, files, fileErrors, isFolderAvailable, settings, repair, onFailure } = parts;
  const owner = randomUUID();
  const ignoreFileErrors = (error: unknown): void => {
    if (!(error instanceof StorageError || error instanceof DicomProblem)) onFailure(error);
  };

  /** Returns whether the file is intact. @throws StorageError 'away'; the signal's reason */
  const isRight = async (sha256: string, pace: Pace, signal: AbortSignal): Promise<boolean> => {
    try {
      await fileErrors.watch(sha256, () => files.verify(sha256, pace));
      return true;
    } catch (error) {
      if (signal.aborted || (error instanceof StorageError && error.code === 'away')) throw error;
      // A file that cannot be opened must not stop the check of the others.
      if (!(error instanceof StorageError)) onFailure(error);
      return false;
    }
  };

  const recheckFileErrors = async (pace: Pace, signal: AbortSignal): Promise<void> => {
    for (const sha256 of await fileErrorsToCheck(db, fileErrorsPerRun)) {
      if (await deleteUnreferencedFileError(db, sha256)) continue;
      if (await isRight(sha256, pace, signal)) await fileErrors.clear([sha256]);
      else await repair(sha256).catch(ignoreFileErrors);
    }
  };

  /** Checks the files that are due, until the run's time is over. Returns whether all were checked. */
  const checkDue = async (from: string, due: string, pace: Pace, signal: AbortSignal): Promise<boolean> => {
    const end = Date.now() + runEveryMs;
    let position = from;
    while (Date.now() < end) {
      const batch = await nextFilesToCheck(db, position, due, batchFiles);
      let savedAt = Date.now();
      for (const sha256 of batch) {
        await isRight(sha256, pace, signal);
        position = sha256;
        if (Date.now() - savedAt < saveMs) continue;
        if (!(await saveFileCheck(db, owner, position))) return false;
        savedAt = Date.now();
      }
      if (!(await saveFileCheck(db, owner, position))) return false;
      if (batch.length < batchFiles) return true;
    }
    return false;
  };

  return {
    /** Checks files with known errors, then those that are due. Does nothing while another node checks. */
    round: async (signal: AbortSignal): Promise<void> => {
      if (!isFolderAvailable()) return;
      const progress = await claimFileCheck(db, owner);
      if (!progress) return;
      const pace = paceOf(settings.bytesPerSecond, signal);
      await recheckFileErrors(pace, signal);
      const due = hashDueAfter(progress.elapsedMs, settings.passMs);
      const isDone = await checkDue(progress.position, due, pace, signal);
      if (isDone && progress.elapsedMs >= settings.passMs) await restartFileCheck(db, owner);
    },
    release: () => releaseFileCheck(db, owner),
  };
};

export interface FileCheck extends IntervalJob {
  /** Starts an extra run now. */
  round(signal: AbortSignal): Promise<void>;
}

/** Checks files in the background until it is closed. */
export const startFileCheck = (parts: FileCheckParts): FileCheck => {
  const fileCheck = createFileCheck(parts);
  const job = startIntervalJob(2 * runEveryMs, fileCheck.round, parts.onFailure);
  return {
    round: fileCheck.round,
    close: async () => {
      await job.close();
      await fileCheck.release().catch(parts.onFailure);
    },
  };
};
