export interface Lanes {
  /** There is something to do. */
  wake(): void;
  /** Resolves when nothing is left that can be done now. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

interface LanesOptions {
  /** Pieces of work in hand at the same time. */
  readonly parallel: number;
  /** Looks for work without being woken: other nodes and earlier runs leave some. */
  readonly pollSeconds: number;
  /** Does one piece of work; false when there was none. */
  readonly workOne: () => Promise<boolean>;
  readonly onFailure: (error: unknown) => void;
  /** The last lane is about to end. */
  readonly onDrained?: () => void;
}

/** Does what is waiting, piece by piece in a few lanes, until there is nothing more. A failure ends its lane until the next waking. */
export const startLanes = (options: LanesOptions): Lanes => {
  const { parallel, pollSeconds, workOne, onFailure, onDrained } = options;
  const running = new Set<Promise<void>>();
  let closing = false;
  let asked = false;

  const lane = async (): Promise<void> => {
    while (!closing) {
      asked = false;
      if (!(await workOne()) && !asked) return;
    }
  };

  const startOne = () => {
    const run = lane()
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
    asked = true;
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
