import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Address } from '../db/client.ts';
import { lockClient, nodeLocks } from '../db/node-locks.ts';
import type { IntervalJob } from './interval-job.ts';

/** Starts jobs where no other node runs them. */
export type RunOwned = (start: () => IntervalJob) => IntervalJob;

export interface JobOwner {
  /** Runs a job while this node owns the jobs. */
  readonly run: RunOwned;
  close(): Promise<void>;
}

const pollMs = 5_000;
const key = [nodeLocks.space, nodeLocks.owningJobs];

/** A network that is cut gives no error for minutes. */
const maxAnswerMs = 10_000;

const inTime = async <Result>(answer: Promise<Result>): Promise<Result> => {
  const over = new AbortController();
  const late = pause(maxAnswerMs, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error('the database does not answer');
  });
  late.catch(() => undefined);
  answer.catch(() => undefined);
  return Promise.race([answer, late]).finally(() => over.abort());
};

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
  let client: pg.Client | null = null;
  let isOwner = false;

  const begin = (): void => {
    isOwner = true;
    for (const start of starts) running.set(start, start());
  };
  const end = async (): Promise<void> => {
    isOwner = false;
    const jobs = [...running.values()];
    running.clear();
    await Promise.all(jobs.map((job) => job.close()));
  };
  const lose = async (): Promise<void> => {
    const lost = client;
    client = null;
    void lost?.end().catch(() => undefined);
    await end();
  };
  const connect = async (): Promise<pg.Client> => {
    const opened = await lockClient(address);
    opened.once('end', () => {
      if (client === opened) void lose();
    });
    return opened;
  };
  /** Becomes the owner when there is none; an owner finds out whether its connection is there. */
  const compete = async (): Promise<void> => {
    client ??= await connect();
    if (isOwner) return void (await inTime(client.query('select')));
    const { rows } = await inTime(client.query('select pg_try_advisory_lock($1, $2) as locked', key));
    if (rows[0].locked && client !== null && !closing.signal.aborted) begin();
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
