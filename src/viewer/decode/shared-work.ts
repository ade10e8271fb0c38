export type Progress = (loadedBytes: number, totalBytes: number | null) => void;

export interface WorkOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: Progress | undefined;
}

/** Deduplicates async work by name: runs once for all callers and is aborted when no caller waits for it any more. */
export interface SharedWork<Result> {
  /** Rejects with the reason of `signal` for this caller alone. */
  readonly join: (name: string, options: WorkOptions) => Promise<Result>;
  readonly abortAll: (reason: Error) => void;
}

interface Work<Result> {
  readonly controller: AbortController;
  readonly promise: Promise<Result>;
  readonly listeners: Set<Progress>;
  waiting: number;
}

export const createSharedWork = <Result>(
  run: (name: string, signal: AbortSignal, onProgress: Progress) => Promise<Result>,
): SharedWork<Result> => {
  const works = new Map<string, Work<Result>>();

  const started = (name: string): Work<Result> => {
    const controller = new AbortController();
    const listeners = new Set<Progress>();
    const notify: Progress = (loaded, total) => {
      for (const listener of listeners) listener(loaded, total);
    };
    const promise = run(name, controller.signal, notify).finally(() => {
      if (works.get(name) === work) works.delete(name);
    });
    // Every waiting caller gets the rejection; without callers it must not be unhandled.
    promise.catch(() => undefined);
    const work: Work<Result> = { controller, promise, listeners, waiting: 0 };
    works.set(name, work);
    return work;
  };

  return {
    join: (name, { signal, onProgress }) => {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const work = works.get(name) ?? started(name);
      work.waiting++;
      if (onProgress) work.listeners.add(onProgress);
      return new Promise<Result>((resolve, reject) => {
        const leave = () => {
          signal?.removeEventListener('abort', aborted);
          if (onProgress) work.listeners.delete(onProgress);
          work.waiting--;
        };
        const aborted = () => {
          leave();
          reject(signal?.reason);
          if (work.waiting > 0) return;
          if (works.get(name) === work) works.delete(name);
          work.controller.abort(signal?.reason);
        };
        signal?.addEventListener('abort', aborted);
        work.promise.then(
          (result) => {
            leave();
            resolve(result);
          },
          (reason) => {
            leave();
            reject(reason);
          },
        );
      });
    },
    abortAll: (reason) => {
      for (const { controller } of works.values()) controller.abort(reason);
      works.clear();
    },
  };
};
