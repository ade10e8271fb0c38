import { setTimeout as pause } from 'node:timers/promises';
import type { Address } from './client.ts';
import { lockClient, nodeLocks } from './node-locks.ts';

/** A connection of its own that competes for the lock of the jobs of which one node is enough. */
export interface JobLock {
  /** Returns whether this node has the lock now. @throws when the database does not answer */
  take(): Promise<boolean>;
  /** @throws when the connection, and with it the lock, is lost */
  check(): Promise<void>;
  /** Ends the connection, and frees the lock. */
  close(): void;
}

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

/** Connects. `onLost`: the connection has ended. */
export const openJobLock = async (address: Address, onLost: () => void): Promise<JobLock> => {
  const client = await lockClient(address);
  client.once('end', onLost);
  return {
    take: async () => {
      const { rows } = await inTime(
        client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', [
          nodeLocks.space,
          nodeLocks.owningJobs,
        ]),
      );
      return rows[0]?.locked ?? false;
    },
    check: async () => void (await inTime(client.query('select'))),
    close: () => void client.end().catch(() => undefined),
  };
};
