import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from '../db/client.ts';
import { type JobLock, openJobLock } from '../db/job-lock.ts';
import type { IntervalJob } from './interval-job.ts';

/** Starts jobs where no other node runs them. */
export type RunOwned = (start: () => IntervalJob) => IntervalJob;

export interface JobOwner {
  /** Runs a job while this node owns the jobs. */
  readonly run: RunOwned;
  close(): Promise<void>;
}

const pollMs = 5_000;

/** For a node that leaves these jobs to others. */
export const noJobOwner: JobOwner = { run: () => ({ close: async () => undefined }), close: async () => undefined };

/** For an archive that no other node works on. */
export const runAtOnce: RunOwned = (start) => start();

/**
 * Competes with the other nodes for the jobs that one node at a time runs. The owner holds an advisory lock, which ends with its connection: when it is
 * closed, killed or cut off, another node starts the jobs within some seconds.
 */
export const openJobOwner = (address: Address, everyMs = pollMs): JobOwner => {
  const closing = new AbortController();
  const starts = new Set<() => IntervalJob>();
  const running = new Map<() => IntervalJob, IntervalJob>();
  let lock: JobLock | null = null;
  let isOwner = false;

  const lose = async (): Promise<void> => {
    const lost = lock;
    lock = null;
    isOwner = false;
    const jobs = [...running.values()];
    running.clear();
    await Promise.all(jobs.map((job) => job.close()));
    lost?.close();
  };
  const connect = async (): Promise<JobLock> => {
    const opened = await openJobLock(address, () => {
      if (lock === opened) void lose();
    });
    return opened;
  };
  /** Becomes the owner when there is none; an owner finds out whether its connection is there. */
  const compete = async (): Promise<void> => {
    const own = lock ?? (await connect());
    lock = own;
    if (isOwner) return own.check();
    const isTaken = await own.take();
    if (!isTaken || lock !== own || closing.signal.aborted) return;
    isOwner = true;
    for (const start of starts) running.set(start, start());
  };
  const keepCompeting = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      // Without the database there is nothing to own.
      await compete().catch(lose);
      await pause(everyMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  };
  const competing = keepCompeting();
  return {
    run: (start) => {
      starts.add(start);
      if (isOwner) running.set(start, start());
      return {
        close: async () => {
          starts.delete(start);
          const job = running.get(start);
          running.delete(start);
          await job?.close();
        },
      };
    },
    close: async () => {
      closing.abort();
      await competing;
      await lose();
    },
  };
};
