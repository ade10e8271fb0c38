import type { Kysely } from 'kysely';
import type { HubEvent } from '../../contract/hub.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import type { Schema } from '../db/schema.ts';
import { findImage } from '../db/stores/images.ts';
import { recentImporters, setThumbStatus, takePendingImage } from '../db/stores/thumbnails.ts';
import type { Hub } from '../hub/hub.ts';
import { type Lanes, startLanes } from './lanes.ts';
import { isPassing } from './passing-fault.ts';
import type { Thumbnails } from './thumbnails.ts';

export interface ThumbnailRunnerOptions {
  readonly db: Kysely<Schema>;
  readonly hub: Hub;
  readonly thumbnails: Thumbnails;
  readonly onFailure: (error: unknown) => void;
  /** No image waits any more (that another node does not hold). */
  readonly onDrained: () => void;
  readonly isClosing: () => boolean;
  /** Images in hand at the same time; each holds a database connection meanwhile. */
  readonly parallel?: number;
  readonly pollSeconds?: number;
}

/** What the picture's viewers are told: an image of a viewset and one that hangs nowhere have different names. */
const newsOf = (name: { viewsetId: string | null; ready: boolean }, body: HubEvent['body']): HubEvent => {
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
 * Makes the thumbnails that images wait for, those of the newest first. What waits is a column of the image, so a restart goes on where the last run
 * ended, and the row's lock keeps several nodes from making the same picture.
 */
export const startThumbnailRunner = (options: ThumbnailRunnerOptions): Lanes => {
  // One more than two workers: while a row is written and told of, both decode.
  const { db, hub, thumbnails, onFailure, onDrained, isClosing, parallel = 3, pollSeconds = 10 } = options;

  const statusOf = async (sha256: string): Promise<'ready' | 'error'> => {
    try {
      await thumbnails.prepare(sha256);
      return 'ready';
    } catch (error) {
      if (isClosing() || isPassing(error)) throw error;
      // Said once, in the row: one image that cannot be drawn must not hold up the others.
      if (!(error instanceof DicomProblem)) onFailure(error);
      return 'error';
    }
  };

  const announce = async (imageId: string, ready: boolean): Promise<void> => {
    const row = await findImage(db, imageId);
    if (!row) return;
    const people = await recentImporters(db, row.patient_id);
    // No link that shows the picture to everybody who hears of it: whoever wants it asks, and is noted in the access log.
    const link = ready ? null : 'error';
    const body = {
      patientId: row.patient_id,
      viewsetId: row.viewset_id,
      item: { imageUid: row.id, activeImageThumbLink: link },
    };
    const groups = [`clinic:${row.customer_id}` as const, ...people.map((id) => `user:${id}` as const)];
    await hub.publish(groups, newsOf({ viewsetId: row.viewset_id, ready }, body));
  };

  /** True when there was an image to work on. */
  const workOne = async (): Promise<boolean> => {
    const made = await db.transaction().execute(async (transaction) => {
      const image = await takePendingImage(transaction);
      if (!image) return null;
      const status = await statusOf(image.sha256);
      await setThumbStatus(transaction, image.id, status);
      return { id: image.id, ready: status === 'ready' };
    });
    if (made) await announce(made.id, made.ready).catch(onFailure);
    return made !== null;
  };

  return startLanes({ parallel, pollSeconds, workOne, onFailure, onDrained });
};
