import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { forgetGone, markGone, objectsOver } from '../../db/stores/import-objects.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { objectKey } from './object-key.ts';

export interface ObjectSweep {
  /** Requests a sweep: an object may no longer be needed. */
  wake(): void;
  /** Stops after the current object. */
  close(): Promise<void>;
}

export interface SweepOptions {
  readonly db: Kysely<Schema>;
  readonly store: ObjectStore;
  readonly onFailure: (error: unknown) => void;
  /** Interval between sweeps without a request. */
  readonly everyMs?: number;
}

const atATime = 200;
const maxMs = 10 * 60_000;

/**
 * Removes objects from the object store that were fetched, cancelled or never finished. It touches only objects listed in `import_object`, so
 * the bucket may hold other things. Failed removals are retried in the next sweep.
 */
export const startObjectSweep = ({ db, store, onFailure, everyMs = 10_000 }: SweepOptions): ObjectSweep => {
  let isClosing = false;
  let isRequested = false;
  let running: Promise<void> | null = null;
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const sweep = async (): Promise<void> => {
    const over = await objectsOver(db, atATime);
    let removed = 0;
    for (const { name, task_id, upload_id } of over) {
      if (isClosing) return;
      // What remains (a part arrived while its upload was aborted) is left for the next sweep.
      if (!(await store.discard(objectKey(task_id, name), upload_id))) continue;
      await markGone(db, name);
      removed += 1;
    }
    if (over.length === atATime && removed > 0) isRequested = true;
    await forgetGone(db);
  };

  const run = async (): Promise<void> => {
    while (isRequested && !isClosing) {
      isRequested = false;
      await sweep();
    }
  };

  /** Back-off while the store is unavailable, so that the log stays readable. */
  const wait = (): void => {
    clearTimeout(timer);
    if (!isClosing) timer = setTimeout(wake, Math.min(everyMs * 2 ** failures, maxMs));
  };

  const wake = (): void => {
    isRequested = true;
    if (isClosing) return;
    running ??= run().then(
      () => {
        running = null;
        failures = 0;
        // A request may have come just as the sweep ended.
        if (isRequested) wake();
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
