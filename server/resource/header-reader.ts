import { DicomProblem } from '../../dicom/problem.ts';
import type { FileErrors } from '../integrity/file-errors.ts';
import { type JobRunner, startJobRunner } from '../jobs/job-runner.ts';
import type { FileStore } from '../storage/file-store.ts';
import { type FolderAvailability, isFileError } from './derive-failure.ts';

export interface StoredFiles {
  readonly files: FileStore;
  readonly fileErrors: FileErrors;
}

export interface StoredObject {
  readonly sha256: string;
  readonly size_bytes: number;
}

/**
 * Returns what `read` finds in a stored file; a file that is intact but unreadable has `nothing`.
 * @throws StorageError
 */
export const readIntact = <T>(
  { files, fileErrors }: StoredFiles,
  { sha256 }: StoredObject,
  read: () => Promise<T>,
  nothing: T,
): Promise<T> =>
  fileErrors.watch(sha256, async () => {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DicomProblem)) throw error;
      await files.verify(sha256);
      return nothing;
    }
  });

export interface HeaderReaderOptions {
  readonly folder: FolderAvailability;
  readonly isClosing: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

interface Reading<Image> {
  /** Returns images that are not read yet. */
  readonly unread: (limit: number) => Promise<readonly Image[]>;
  /** Reads an image and saves what was found. @throws StorageError */
  readonly read: (image: Image) => Promise<void>;
}

const batchImages = 50;
/** For images that an older node imported; imports of this node wake the reader. */
const pollSeconds = 60;

/** Starts a job that reads the headers of stored images, one file after the other. */
export const startHeaderReader = <Image>(
  { folder, isClosing, onFailure }: HeaderReaderOptions,
  { unread, read }: Reading<Image>,
): JobRunner => {
  /** Returns whether the image was read; false while its file is damaged or missing, which is recorded. */
  const readOne = async (image: Image): Promise<boolean> => {
    try {
      await read(image);
      return true;
    } catch (error) {
      if (isFileError(error)) return false;
      throw error;
    }
  };

  const workOne = async (): Promise<boolean> => {
    if (!folder.isAvailable()) return false;
    let count = 0;
    for (const image of await unread(batchImages)) {
      if (isClosing()) return false;
      if (await readOne(image)) count += 1;
    }
    return count > 0;
  };

  return startJobRunner({ parallel: 1, pollSeconds, workOne, onFailure });
};
