const running = new Map<string, Promise<unknown>>();

/**
 * Runs work under a named lock: in this tab and, where Web Locks exist (secure contexts), in all tabs of the origin. Callers queue.
 */
export const withLock = <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  const before = running.get(name) ?? Promise.resolve();
  const locks = typeof navigator === 'undefined' ? undefined : navigator.locks;
  const result = before
    .catch(() => {})
    .then(async (): Promise<Result> => (locks ? await locks.request(name, work) : await work()));
  running.set(name, result);
  const cleanUp = () => {
    if (running.get(name) === result) running.delete(name);
  };
  result.then(cleanUp, cleanUp);
  return result;
};
