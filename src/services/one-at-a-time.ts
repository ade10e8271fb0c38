const running = new Map<string, Promise<unknown>>();

/**
 * Runs `work` while nobody else runs work of that name: in this tab, and, where the browser has locks (secure addresses), in all tabs of
 * the origin. Callers queue; each runs its own work.
 */
export const oneAtATime = <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  const before = running.get(name) ?? Promise.resolve();
  const locks = typeof navigator === 'undefined' ? undefined : navigator.locks;
  const turn = before
    .catch(() => {})
    .then(async (): Promise<Result> => (locks ? await locks.request(name, work) : await work()));
  running.set(name, turn);
  const leave = () => {
    if (running.get(name) === turn) running.delete(name);
  };
  turn.then(leave, leave);
  return turn;
};
