import type { Kysely } from 'kysely';
import { type Exposure, exposureOf, irradiationEventOf, notStatedExposure } from '../../dicom/exposure.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import type { Schema } from '../db/schema.ts';
import { imagesWithUnreadDose, saveDose } from '../db/stores/doses.ts';
import type { FileErrors } from '../integrity/file-errors.ts';
import { type JobRunner, startJobRunner } from '../jobs/job-runner.ts';
import type { FileStore } from '../storage/file-store.ts';
import { readStoredHeader } from '../storage/stored-header.ts';
import { type FolderAvailability, isFileError } from './derive-failure.ts';

interface StoredFiles {
  readonly files: FileStore;
  readonly fileErrors: FileErrors;
}

interface StoredObject {
  readonly sha256: string;
  readonly size_bytes: number;
}

/**
 * Reads what the stored file of a DICOM image states about its exposure. A file that is intact but unreadable states nothing.
 * @throws StorageError
 */
export const readExposure = (
  { files, fileErrors }: StoredFiles,
  { sha256, size_bytes }: StoredObject,
): Promise<{ readonly exposure: Exposure; readonly irradiationEvent: string | null }> =>
  fileErrors.watch(sha256, async () => {
    try {
      const { dataSet } = await readStoredHeader(files, sha256, size_bytes);
      return { exposure: exposureOf(dataSet), irradiationEvent: irradiationEventOf(dataSet) };
    } catch (error) {
      if (!(error instanceof DicomProblem)) throw error;
      await files.verify(sha256);
      return { exposure: notStatedExposure, irradiationEvent: null };
    }
  });

interface DoseReaderOptions extends StoredFiles {
  readonly db: Kysely<Schema>;
  readonly folder: FolderAvailability;
  readonly isClosing: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

const batchImages = 50;
/** For images that an older node imported; imports of this node wake the reader. */
const pollSeconds = 60;

/** Reads the doses of images from their files, one file after the other, newest first. */
export const startDoseReader = (options: DoseReaderOptions): JobRunner => {
  const { db, folder, isClosing, onFailure } = options;

  /** Returns whether the image was read; false while its file is damaged or missing, which is recorded. */
  const readOne = async (image: StoredObject & { readonly id: string }): Promise<boolean> => {
    try {
      const { exposure, irradiationEvent } = await readExposure(options, image);
      const { areaDoseMgyCm2: dose } = exposure;
      // No exposure has no dose: devices write 0 where they do not measure it.
      await saveDose(db, image.id, { irradiationEvent, areaDose: dose !== null && dose > 0 ? dose : null });
      return true;
    } catch (error) {
      if (isFileError(error)) return false;
      throw error;
    }
  };

  const workOne = async (): Promise<boolean> => {
    if (!folder.isAvailable()) return false;
    let read = 0;
    for (const image of await imagesWithUnreadDose(db, batchImages)) {
      if (isClosing()) return false;
      if (await readOne(image)) read += 1;
    }
    return read > 0;
  };

  return startJobRunner({ parallel: 1, pollSeconds, workOne, onFailure });
};
