import type { Kysely } from 'kysely';
import { type Exposure, exposureOf, irradiationEventOf, notStatedExposure } from '../../dicom/exposure.ts';
import type { Schema } from '../db/schema.ts';
import { imagesWithUnreadDose, saveDose } from '../db/stores/doses.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import { readStoredHeader } from '../storage/stored-header.ts';
import {
  type HeaderReaderOptions,
  readIntact,
  type StoredFiles,
  type StoredObject,
  startHeaderReader,
} from './header-reader.ts';

interface ReadExposure {
  readonly exposure: Exposure;
  readonly irradiationEvent: string | null;
}

/**
 * Reads what the stored file of a DICOM image states about its exposure. A file that is intact but unreadable states nothing.
 * @throws StorageError
 */
export const readExposure = (stored: StoredFiles, image: StoredObject): Promise<ReadExposure> => {
  const read = async (): Promise<ReadExposure> => {
    const { dataSet } = await readStoredHeader(stored.files, image.sha256, image.size_bytes);
    return { exposure: exposureOf(dataSet), irradiationEvent: irradiationEventOf(dataSet) };
  };
  return readIntact(stored, image, read, { exposure: notStatedExposure, irradiationEvent: null });
};

interface DoseReaderOptions extends StoredFiles, HeaderReaderOptions {
  readonly db: Kysely<Schema>;
}

/** Reads the doses of images from their files, newest first. */
export const startDoseReader = (options: DoseReaderOptions): JobRunner =>
  startHeaderReader(options, {
    unread: (limit) => imagesWithUnreadDose(options.db, limit),
    read: async (image) => {
      const { exposure, irradiationEvent } = await readExposure(options, image);
      const { areaDoseMgyCm2: dose } = exposure;
      // No exposure has no dose: devices write 0 where they do not measure it.
      await saveDose(options.db, image.id, { irradiationEvent, areaDose: dose !== null && dose > 0 ? dose : null });
    },
  });
