import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { HubEvent } from '../../contract/hub.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import type { Schema } from '../db/schema.ts';
import type { DeriveOutcome } from '../db/stores/derive-retries.ts';
import { findImage } from '../db/stores/images.ts';
import { recentImporters, setThumbStatus, takePendingImage } from '../db/stores/thumbnails.ts';
import type { Hub } from '../hub/hub.ts';
import { type JobRunner, startJobRunner } from '../jobs/job-runner.ts';
import { deriveClaimed } from './derive-claimed.ts';
import { type FolderAvailability, isFileError, isStorageUnavailable, outcomeOfFailure } from './derive-failure.ts';
import type { Thumbnails } from './thumbnails.ts';

export interface ThumbnailRunnerOptions {
  readonly db: Kysely<Schema>;
  readonly hub: Hub;
  readonly thumbnails: Thumbnails;
  readonly onFailure: (error: unknown) => void;
  /** Called when no image is waiting (that another node does not hold). */
  readonly onDrained: () => void;
  readonly isClosing: () => boolean;
  readonly folder: FolderAvailability;
  /** Images processed at the same time. */
  readonly parallel?: number;
  readonly pollSeconds?: number;
}

/** Event for clients that show the picture: mounted and loose images have different events. */
const notifyImporters = (name: { viewsetId: string | null; ready: boolean }, body: HubEvent['body']): HubEvent => {
  const event = name.viewsetId
    ? name.ready
      ? 'ImageProcessed'
      : 'ImageProcessedFailed'
    : name.ready
      ? 'DetachImageProcessed'
      : 'DetachedImageProcessedFailed';
  return { name: event, body } as HubEvent;
};

/**
 * Makes the thumbnails of waiting images, newest first. The queue is a column of the image, so a restart resumes, and a claim keeps nodes from
 * making the same picture twice.
 */
export const startThumbnailRunner = (options: ThumbnailRunnerOptions): JobRunner => {
  // One more than two workers, so that both decode while a row is written and published.
  const { db, hub, thumbnails, onFailure, onDrained, isClosing, folder, parallel = 3, pollSeconds = 10 } = options;
  const owner = randomUUID();

  /** Null: the file is damaged or missing, which is recorded; the image waits until it is repaired. */
  const outcomeOf = async (sha256: string): Promise<DeriveOutcome | null> => {
    try {
      await thumbnails.prepare(sha256);
      return 'made';
    } catch (error) {
      if (isClosing() || isStorageUnavailable(error) || !(await folder.check())) throw error;
      if (isFileError(error)) return null;
      // Recorded in the row: one image that cannot be rendered must not block the others.
      if (!(error instanceof DicomProblem)) onFailure(error);
      return outcomeOfFailure(error);
    }
  };

  const announce = async (imageId: string, ready: boolean): Promise<void> => {
    const row = await findImage(db, imageId);
    if (!row) return;
    const accountIds = await recentImporters(db, row.patient_id);
    // The event holds no link to the picture: clients request it, which is logged.
    const link = ready ? null : 'error';
    const body = {
      patientId: row.patient_id,
      viewsetId: row.viewset_id,
      item: { imageUid: row.id, activeImageThumbLink: link },
    };
    const groups = [`clinic:${row.customer_id}` as const, ...accountIds.map((id) => `user:${id}` as const)];
    await hub.publish(groups, notifyImporters({ viewsetId: row.viewset_id, ready }, body));
  };

  /** Returns whether there was an image to process. */
  const workOne = async (): Promise<boolean> => {
    if (!folder.isAvailable()) return false;
    const image = await takePendingImage(db, owner);
    if (!image) return false;
    const outcome = await deriveClaimed(
      db,
      { imageId: image.id, owner },
      {
        derive: () => outcomeOf(image.sha256),
        save: (transaction, saved) => setThumbStatus(transaction, image.id, saved),
      },
    );
    if (outcome) await announce(image.id, outcome === 'made').catch(onFailure);
    return true;
  };

  return startJobRunner({ parallel, pollSeconds, workOne, onFailure, onDrained });
};
