import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isDatabaseUnavailable } from '../../db/database-unavailable.ts';
import { claimTask, releaseTask, renewLease } from '../../db/stores/import-leases.ts';
import { untilAvailable } from '../../db/until-available.ts';
import { type JobRunner, startJobRunner } from '../../jobs/job-runner.ts';
import { defaultReceivingTimes, startReceivingJob } from './receiving-job.ts';
import { runTask, type TaskWork } from './run-task.ts';

/** `wake` is called after every user decision; `close` stops after the current files and releases the tasks. */
export type ImportRunner = Pick<JobRunner, 'wake' | 'close'>;

export interface RunnerOptions extends TaskWork {
  readonly onFailure: (error: unknown, taskId: string | null) => void;
  /** Tasks that this node works on at the same time. */
  readonly parallelTasks?: number;
  /** How long a task stays leased to a node that stopped responding. */
  readonly leaseSeconds?: number;
  /** False while the folder of files is missing: no task is claimed then. */
  readonly isAvailable: () => boolean;
  readonly receivingTimes?: typeof defaultReceivingTimes | undefined;
}

/**
 * Works on imports that have something to do, whichever node started them: interrupted ones are resumed when their lease has expired. Leases
 * distribute the work among nodes. Also ends and judges imports that receive objects without a user.
 */
export const startImportRunner = (options: RunnerOptions): ImportRunner => {
  const { db, onFailure, isAvailable, parallelTasks = 2, leaseSeconds = 10 } = options;
  const { events, receivingTimes: times = defaultReceivingTimes } = options;
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  const closing = new AbortController();

  const releaseWhenBack = async (taskId: string): Promise<void> => {
    const waiting = { milliseconds: leaseSeconds * 1_000, signal: closing.signal };
    await untilAvailable(() => releaseTask(db, taskId, owner), waiting).catch((error: unknown) => {
      if (!closing.signal.aborted && !isDatabaseUnavailable(error)) throw error;
    });
  };

  const work = async (taskId: string): Promise<void> => {
    const lost = new AbortController();
    const renew = async () => {
      if (!(await renewLease(db, taskId, owner, leaseSeconds)))
        lost.abort(new Error('the lease of the import was lost'));
    };
    const heartbeat = setInterval(() => renew().catch((error) => onFailure(error, taskId)), (leaseSeconds * 1000) / 3);
    try {
      await runTask(options, taskId, AbortSignal.any([closing.signal, lost.signal]));
      await releaseTask(db, taskId, owner);
    } catch (error) {
      if (closing.signal.aborted) return await releaseTask(db, taskId, owner);
      onFailure(error, taskId);
      // The lease is kept until it expires, so a lasting error causes no busy loop. A returning database releases it earlier.
      if (isDatabaseUnavailable(error)) await releaseWhenBack(taskId);
    } finally {
      clearInterval(heartbeat);
    }
  };

  const runner = startJobRunner({
    parallel: parallelTasks,
    pollSeconds: leaseSeconds / 2,
    workOne: async () => {
      if (closing.signal.aborted || !isAvailable()) return false;
      const task = await claimTask(db, owner, leaseSeconds);
      if (task) await work(task.id);
      return task !== undefined;
    },
    onFailure: (error) => onFailure(error, null),
  });

  const receiving = startReceivingJob({
    db,
    times,
    events,
    wake: runner.wake,
    onFailure: (error) => onFailure(error, null),
  });

  return {
    wake: runner.wake,
    close: async () => {
      closing.abort(new Error('the server is closing'));
      await Promise.all([runner.close(), receiving.close()]);
    },
  };
};
