import type { Kysely } from 'kysely';
import type { HubEvent } from '../../contract/hub.ts';
import { DicomProblem } from '../../dicom/problem.ts';
import type { Schema } from '../db/schema.ts';
import { findImage } from '../db/stores/images.ts';
import { recentImporters, setThumbStatus, takePendingImage } from '../db/stores/thumbnails.ts';
import type { Hub } from '../hub/hub.ts';
import { StorageFault } from '../storage/file-store.ts';
import type { ThumbLinks } from './thumb-links.ts';
import type { Thumbnails } from './thumbnails.ts';

export interface ThumbnailRunner {
  /** Images came in. */
  wake(): void;
  /** Resolves when no image waits any more (that another node does not hold). */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface ThumbnailRunnerOptions {
  readonly db: Kysely<Schema>;
  readonly hub: Hub;
  readonly thumbnails: Thumbnails;
  readonly links: ThumbLinks;
  readonly onFailure: (error: unknown) => void;
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

/** A full or unwritable disk: no fault of the image, tried again later. */
const isPassing = (error: unknown): boolean =>
  error instanceof StorageFault ? error.code !== 'missing' : error instanceof Error && 'syscall' in error;

/**
 * Makes the thumbnails that images wait for, and with them the renditions that the viewer will ask for. What waits is a column of the image, so a restart goes on where the last run ended,
 * and the row's lock keeps several nodes from making the same picture.
 */
export const startThumbnailRunner = (options: ThumbnailRunnerOptions): ThumbnailRunner => {
  const { db, hub, thumbnails, links, onFailure, parallel = 2, pollSeconds = 10 } = options;
  const running = new Set<Promise<void>>();
  let closing = false;
  let asked = false;

  const statusOf = async (sha256: string): Promise<'ready' | 'error'> => {
    try {
      await thumbnails.prepare(sha256);
      return 'ready';
    } catch (error) {
      if (closing || isPassing(error)) throw error;
      // Said once, in the row: one image that cannot be drawn must not hold up the others.
      if (!(error instanceof DicomProblem)) onFailure(error);
      return 'error';
    }
  };

  const announce = async (imageId: string, ready: boolean): Promise<void> => {
    const row = await findImage(db, imageId);
    if (!row) return;
    const people = await recentImporters(db, row.patient_id);
    const link = ready ? links.linkTo(row.id) : 'error';
    const body = {
      patientId: row.patient_id,
      viewsetId: row.viewset_id,
      item: { imageUid: row.id, activeImageThumbLink: link },
    };
    const groups = [`clinic:${row.customer_id}` as const, ...people.map((id) => `user:${id}` as const)];
    await hub.publish(groups, newsOf({ viewsetId: row.viewset_id, ready }, body));
  };

  /** True when there was an image to work on. */
  const makeOne = async (): Promise<boolean> => {
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

  const lane = async (): Promise<void> => {
    while (!closing) {
      asked = false;
      if (!(await makeOne()) && !asked) return;
    }
  };

  const wake = () => {
    asked = true;
    if (closing || running.size >= parallel) return;
    const run = lane()
      .catch((error) => {
        if (!closing) onFailure(error);
      })
      .finally(() => running.delete(run));
    running.add(run);
  };

  const poll = setInterval(wake, pollSeconds * 1000);
  for (let lanes = 0; lanes < parallel; lanes += 1) wake();

  return {
    wake: () => {
      for (let lanes = 0; lanes < parallel; lanes += 1) wake();
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
    close: async () => {
      clearInterval(poll);
      closing = true;
      await Promise.all(running);
    },
  };
};
