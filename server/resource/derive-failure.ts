import { DicomProblem } from '../../dicom/problem.ts';
import { StorageError } from '../storage/file-store.ts';
import { asStorageError } from '../storage/storage-error.ts';

/** Availability of the files folder. Jobs start only while it is available. */
export interface FolderAvailability {
  isAvailable(): boolean;
  /** Checks now and returns whether the folder is available. */
  check(): Promise<boolean>;
}

/** Returns whether the stored file is damaged or missing. Jobs skip the images of a file with a recorded error (`FileErrors.watch`). */
export const isFileError = (error: unknown): boolean =>
  error instanceof StorageError && (error.code === 'damaged' || error.code === 'missing');

/** Returns whether the storage is full, read-only or missing, so that no image can be processed now. */
export const isStorageUnavailable = (error: unknown): boolean => {
  const storageError = asStorageError(error, 'the data folder');
  return storageError instanceof StorageError && ['full', 'unwritable', 'away'].includes(storageError.code);
};

/** Classifies a failure: decoder errors are permanent, except timeouts; all others are temporary. */
export const outcomeOfFailure = (error: unknown): 'permanent' | 'temporary' =>
  error instanceof DicomProblem && error.code !== 'took-too-long' ? 'permanent' : 'temporary';
