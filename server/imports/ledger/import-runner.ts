import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { keepTask, releaseTask, takeTask } from '../../db/stores/import-leases.ts';
import { runTask, type TaskWork } from './run-task.ts';

export interface ImportRunner {
  /** There may be something to do: called after every decision of a person. */
  wake(): void;
  /** Stops after the files in hand and gives the tasks back. */
  close(): Promise<void>;
}

export interface RunnerOptions extends TaskWork {
  readonly onFailure: (error: unknown, taskId: string | null) => void;
  /** Tasks that this node works on at the same time. */
  readonly parallelTasks?: number;
  /** How long a task stays with a node that does not answer any more. */
  readonly leaseSeconds?: number;
}

/**
 * Works on imports that have something to do, whoever began them: those that were cut off by a crash are taken up as soon as their
 * lease has run out. Several nodes share the work through the leases.
 */
export const startImportRunner = (options: RunnerOptions): ImportRunner => {
  const { db, onFailure, parallelTasks = 2, leaseSeconds = 10 } = options;
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  let asked = false;

  const work = async (taskId: string): Promise<void> => {
    const lost = new AbortController();
    const keep = async () => {
      if (!(await keepTask(db, taskId, owner, leaseSeconds))) lost.abort(new Error('the lease of the import was lost'));
    };
    const heartbeat = setInterval(() => keep().catch((error) => onFailure(error, taskId)), (leaseSeconds * 1000) / 3);
    try {
      await runTask(options, taskId, AbortSignal.any([closing.signal, lost.signal]));
      await releaseTask(db, taskId, owner);
    } catch (error) {
      if (closing.signal.aborted) return await releaseTask(db, taskId, owner);
      // The lease stays until it runs out: a fault that lasts does not turn into a busy loop.
      onFailure(error, taskId);
    } finally {
      clearInterval(heartbeat);
    }
  };

  const lane = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      asked = false;
      const task = await takeTask(db, owner, leaseSeconds);
      if (task) await work(task.id);
      // Somebody may have asked just when nothing was found.
      else if (!asked) return;
    }
  };

  const wake = () => {
    asked = true;
    if (closing.signal.aborted || running.size >= parallelTasks) return;
    const run = lane()
      .catch((error) => onFailure(error, null))
      .finally(() => running.delete(run));
    running.add(run);
  };

  // Finds what other nodes left behind, and what came in while all lanes were busy.
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
