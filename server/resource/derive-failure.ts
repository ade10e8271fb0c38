import { DicomProblem } from '../../dicom/problem.ts';
import { StorageError } from '../storage/file-store.ts';
import { asStorageError } from '../storage/storage-error.ts';

/** The files folder as jobs see it: they start only while it is available. */
export interface FolderAvailability {
  isAvailable(): boolean;
  /** Checks now and returns whether the folder is available. */
  check(): Promise<boolean>;
}

/** Returns whether the stored file is damaged or missing. Jobs skip its images while that is recorded (`FileErrors.watch`). */
export const isFileError = (error: unknown): boolean =>
  error instanceof StorageError && (error.code === 'damaged' || error.code === 'missing');

/** Returns whether the disk is full or read-only, or the folder of files is missing: nothing can be derived from any image now. */
export const isStorageUnavailable = (error: unknown): boolean => {
  const storageError = asStorageError(error, 'the data folder');
  return storageError instanceof StorageError && ['full', 'unwritable', 'away'].includes(storageError.code);
};

/** Classifies a failure: only decoder problems are permanent errors of the file; any other may be temporary. */
export const outcomeOfFailure = (error: unknown): 'file' | 'later' =>
  error instanceof DicomProblem && error.code !== 'took-too-long' ? 'file' : 'later';
