import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { forgetGone, markGone, objectsOver } from '../../db/stores/import-objects.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { objectKey } from './object-key.ts';

export interface ObjectSweep {
  /** Something may be over. */
  wake(): void;
  /** Stops after the object in hand. */
  close(): Promise<void>;
}

export interface SweepOptions {
  readonly db: Kysely<Schema>;
  readonly store: ObjectStore;
  readonly onFailure: (error: unknown) => void;
  /** Between two looks without anybody's asking. */
  readonly everyMs?: number;
}

const atATime = 200;
const longestMs = 10 * 60_000;

/**
 * Takes out of the object store what nobody needs there any more: what was fetched, what was given up, what was never finished. It knows only
 * what stands in `import_object`, so a bucket may hold other things. What cannot be removed now is tried again at the next look.
 */
export const startObjectSweep = ({ db, store, onFailure, everyMs = 10_000 }: SweepOptions): ObjectSweep => {
  let isClosing = false;
  let isAsked = false;
  let running: Promise<void> | null = null;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const sweep = async (): Promise<void> => {
    const over = await objectsOver(db, atATime);
    let removed = 0;
    for (const { name, task_id, upload_id } of over) {
      if (isClosing) return;
      // What stays (a part came in while its upload was ended) waits for the next look.
      if (!(await store.discard(objectKey(task_id, name), upload_id))) continue;
      await markGone(db, name);
      removed += 1;
    }
    if (over.length === atATime && removed > 0) isAsked = true;
    await forgetGone(db);
  };

  const run = async (): Promise<void> => {
    while (isAsked && !isClosing) {
      isAsked = false;
      await sweep();
    }
  };

  /** A store that stays away is asked ever more seldom, so that the log stays readable. */
  const wait = (): void => {
    clearTimeout(timer);
    if (!isClosing) timer = setTimeout(wake, Math.min(everyMs * 2 ** failures, longestMs));
  };

  const wake = (): void => {
    isAsked = true;
    if (isClosing) return;
    running ??= run().then(
      () => {
        running = null;
        failures = 0;
        // Somebody may have asked just when the last look was over.
        if (isAsked) wake();
        else wait();
      },
      (error: unknown) => {
        running = null;
        failures += 1;
        wait();
        onFailure(error);
      },
    );
  };

  wake();
  return {
    wake,
    close: async () => {
      isClosing = true;
      clearTimeout(timer);
      await running;
    },
  };
};
