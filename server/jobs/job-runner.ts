export interface JobRunner {
  /** Starts idle workers: there is work. */
  wake(): void;
  /** Resolves when no work is left that can be done now. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

interface JobRunnerOptions {
  /** Number of jobs that run at the same time. */
  readonly parallel: number;
  /** Interval at which the runner looks for work left by other nodes and earlier runs. */
  readonly pollSeconds: number;
  /** Does one job; returns false when there was none. */
  readonly workOne: () => Promise<boolean>;
  readonly onFailure: (error: unknown) => void;
  /** Called when the last worker is about to end. */
  readonly onDrained?: () => void;
}

/** Runs waiting jobs with a few workers until none is left. A failure ends its worker until the next wake-up. */
export const startJobRunner = (options: JobRunnerOptions): JobRunner => {
  const { parallel, pollSeconds, workOne, onFailure, onDrained } = options;
  const running = new Set<Promise<void>>();
  let closing = false;
  let woken = false;

  const runWorker = async (): Promise<void> => {
    while (!closing) {
      woken = false;
      if (!(await workOne()) && !woken) return;
    }
  };

  const startOne = () => {
    const run = runWorker()
      .catch((error) => {
        if (!closing) onFailure(error);
      })
      .finally(() => {
        if (running.size === 1 && !closing) onDrained?.();
        running.delete(run);
      });
    running.add(run);
  };

  const wake = () => {
    woken = true;
    while (!closing && running.size < parallel) startOne();
  };

  const poll = setInterval(wake, pollSeconds * 1000);
  wake();

  return {
    wake,
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
