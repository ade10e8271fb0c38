/** Limits the number of concurrent tasks. */
export interface Semaphore {
  /** Runs work in a free slot. Groups are served round-robin, so that one cannot starve another. Aborted waiters never start. */
  readonly run: <Result>(group: string, signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;
}

interface Waiter {
  readonly start: () => void;
}

export const createSemaphore = (limit: number): Semaphore => {
  /** Queues by group, in the order of service. */
  const queues = new Map<string, Waiter[]>();
  let running = 0;

  const serve = () => {
    while (running < limit) {
      const [first] = queues;
      if (!first) return;
      const [group, queue] = first;
      const next = queue.shift();
      // Moves the group to the end of the rotation.
      queues.delete(group);
      if (queue.length > 0) queues.set(group, queue);
      if (!next) continue;
      running += 1;
      next.start();
    }
  };

  const slotFor = (group: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const cancel = () => {
        const queue = queues.get(group);
        const place = queue?.indexOf(waiter) ?? -1;
        if (queue && place >= 0) queue.splice(place, 1);
        if (queue?.length === 0) queues.delete(group);
        reject(signal.reason);
      };
      const waiter = {
        start: () => {
          signal.removeEventListener('abort', cancel);
          resolve();
        },
      };
      signal.addEventListener('abort', cancel, { once: true });
      const queue = queues.get(group);
      if (queue) queue.push(waiter);
      else queues.set(group, [waiter]);
      serve();
    });

  return {
    run: async (group, signal, work) => {
      await slotFor(group, signal);
      try {
        signal.throwIfAborted();
        return await work();
      } finally {
        running -= 1;
        serve();
      }
    },
  };
};
