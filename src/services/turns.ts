/** Lets a few pieces of work run at a time, over all who ask. */
export interface Turns {
  /** Those who wait are served in rotation by `group`, so that a long queue of one never starves another. Who is aborted while waiting never begins. */
  readonly run: <Result>(group: string, signal: AbortSignal, work: () => Promise<Result>) => Promise<Result>;
}

interface Waiting {
  readonly begin: () => void;
}

export const createTurns = (most: number): Turns => {
  /** In the order in which the groups are served next. */
  const queues = new Map<string, Waiting[]>();
  let running = 0;

  const serve = () => {
    while (running < most) {
      const [entry] = queues;
      if (!entry) return;
      const [group, queue] = entry;
      const next = queue.shift();
      // The group goes to the end of the rotation.
      queues.delete(group);
      if (queue.length > 0) queues.set(group, queue);
      if (!next) continue;
      running += 1;
      next.begin();
    }
  };

  const turnOf = (group: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = () => {
        const queue = queues.get(group);
        const place = queue?.indexOf(mine) ?? -1;
        if (queue && place >= 0) queue.splice(place, 1);
        if (queue?.length === 0) queues.delete(group);
        reject(signal.reason);
      };
      const mine = {
        begin: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      const queue = queues.get(group);
      if (queue) queue.push(mine);
      else queues.set(group, [mine]);
      serve();
    });

  return {
    run: async (group, signal, work) => {
      await turnOf(group, signal);
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
