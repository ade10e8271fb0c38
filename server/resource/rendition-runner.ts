import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { DicomProblem } from '../../dicom/problem.ts';
import type { Schema } from '../db/schema.ts';
import type { DeriveOutcome } from '../db/stores/derive-retries.ts';
import { setRenditionStatus, takeImageToPrepare } from '../db/stores/renditions.ts';
import { type JobRunner, startJobRunner } from '../jobs/job-runner.ts';
import { deriveClaimed } from './derive-claimed.ts';
import { type FolderAvailability, isFileError, isStorageUnavailable, outcomeOfFailure } from './derive-failure.ts';
import type { Renditions } from './renditions.ts';

export interface RenditionRunnerOptions {
  readonly db: Kysely<Schema>;
  readonly renditions: Pick<Renditions, 'makeAhead'>;
  readonly onFailure: (error: unknown) => void;
  readonly isClosing: () => boolean;
  readonly folder: FolderAvailability;
  readonly pollSeconds?: number;
}

/**
 * Prepares renditions once every image has its thumbnail: first the reduced pictures of all images, then the conversions. The queue is a
 * column of the image. One worker is enough: a client that needs a rendition requests it directly, which has priority.
 */
export const startRenditionRunner = (options: RenditionRunnerOptions): JobRunner => {
  const { db, renditions, onFailure, isClosing, folder, pollSeconds = 10 } = options;
  const owner = randomUUID();

  /** Null: the file is damaged or missing, which is recorded; the image waits until it is repaired. */
  const outcomeOf = async (sha256: string, before: 'pending' | 'reduced'): Promise<DeriveOutcome | null> => {
    try {
      await renditions.makeAhead(sha256, before === 'pending' ? 'reduced' : 'full');
      return 'made';
    } catch (error) {
      if (isClosing() || isStorageUnavailable(error) || !(await folder.check())) throw error;
      if (isFileError(error)) return null;
      if (!(error instanceof DicomProblem)) onFailure(error);
      return outcomeOfFailure(error);
    }
  };

  const workOne = async (): Promise<boolean> => {
    if (!folder.isAvailable()) return false;
    const image = await takeImageToPrepare(db, owner);
    if (!image) return false;
    await deriveClaimed(
      db,
      { imageId: image.id, owner },
      {
        derive: () => outcomeOf(image.sha256, image.before),
        save: (transaction, outcome) => setRenditionStatus(transaction, image, outcome),
      },
    );
    return true;
  };

  return startJobRunner({ parallel: 1, pollSeconds, workOne, onFailure });
};
