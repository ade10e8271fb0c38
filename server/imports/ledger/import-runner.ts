import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isDatabaseUnavailable } from '../../db/database-unavailable.ts';
import { claimTask, releaseTask, renewLease } from '../../db/stores/import-leases.ts';
import { untilAvailable } from '../../db/until-available.ts';
import { runTask, type TaskWork } from './run-task.ts';

export interface ImportRunner {
  /** Looks for work; called after every user decision. */
  wake(): void;
  /** Stops after the current files and releases the tasks. */
  close(): Promise<void>;
}

export interface RunnerOptions extends TaskWork {
  readonly onFailure: (error: unknown, taskId: string | null) => void;
  /** Tasks that this node works on at the same time. */
  readonly parallelTasks?: number;
  /** How long a task stays leased to a node that stopped responding. */
  readonly leaseSeconds?: number;
  /** False while the folder of files is missing: no task is claimed then. */
  readonly isAvailable: () => boolean;
}

/**
 * Works on imports that have something to do, whichever node started them: interrupted ones are resumed when their lease has expired. Leases
 * distribute the work among nodes.
 */
export const startImportRunner = (options: RunnerOptions): ImportRunner => {
  const { db, onFailure, isAvailable, parallelTasks = 2, leaseSeconds = 10 } = options;
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  let woken = false;

  const releaseWhenBack = async (taskId: string): Promise<void> => {
    const waiting = { milliseconds: leaseSeconds * 1_000, signal: closing.signal };
    await untilAvailable(() => releaseTask(db, taskId, owner), waiting).catch((error: unknown) => {
      if (!closing.signal.aborted && !isDatabaseUnavailable(error)) throw error;
    });
  };

  const work = async (taskId: string): Promise<void> => {
    const lost = new AbortController();
    const keep = async () => {
      if (!(await renewLease(db, taskId, owner, leaseSeconds)))
        lost.abort(new Error('the lease of the import was lost'));
    };
    const heartbeat = setInterval(() => keep().catch((error) => onFailure(error, taskId)), (leaseSeconds * 1000) / 3);
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

  const runWorker = async (): Promise<void> => {
    while (!closing.signal.aborted && isAvailable()) {
      woken = false;
      const task = await claimTask(db, owner, leaseSeconds);
      if (task) await work(task.id);
      // A wake-up may have come just as nothing was found.
      else if (!woken) return;
    }
  };

  const wake = () => {
    woken = true;
    if (closing.signal.aborted || running.size >= parallelTasks) return;
    const run = runWorker()
      .catch((error) => onFailure(error, null))
      .finally(() => running.delete(run));
    running.add(run);
  };

  // Finds work left by other nodes, and work that arrived while all workers were busy.
  const poll = setInterval(wake, (leaseSeconds * 1000) / 2);
  wake();

  return {
    wake,
    close: async () => {
      clearInterval(poll);
      closing.abort(new Error('the server is closing'));
      await Promise.all(running);
    },
  };
};
