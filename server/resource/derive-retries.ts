import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { requeueAll, requeueDue } from '../db/stores/derive-retries.ts';
import { type IntervalJob, startIntervalJob } from '../jobs/interval-job.ts';

const everyMs = 15_000;

/** Retries failed thumbnails and renditions: at start all without a permanent failure, then each when it is due. */
export const startDeriveRetries = (
  db: Kysely<Schema>,
  wake: () => void,
  onFailure: (error: unknown) => void,
): IntervalJob => {
  let isFirst = true;
  const requeue = async (): Promise<void> => {
    const requeued = await (isFirst ? requeueAll(db) : requeueDue(db));
    isFirst = false;
    if (requeued > 0) wake();
  };
  return startIntervalJob(everyMs, requeue, onFailure);
};
