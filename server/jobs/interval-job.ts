import { isDatabaseUnavailable } from '../db/database-unavailable.ts';

/** A job that runs at once and then at a fixed interval; a run that lasts longer replaces those that would begin meanwhile. */
export interface IntervalJob {
  /** Aborts the current run and resolves when it has ended. */
  close(): Promise<void>;
}

/** Delay before a retry when the database was unavailable. */
const retryMs = 5_000;

/** Starts an interval job. `work` stops when its signal is aborted; errors after that are not reported. The timers do not keep the process alive. */
export const startIntervalJob = (
  everyMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  onFailure: (error: unknown) => void,
): IntervalJob => {
  const closing = new AbortController();
  let running: Promise<unknown> | null = null;
  let retry: NodeJS.Timeout | undefined;
  const run = () => {
    if (running) return;
    clearTimeout(retry);
    running = Promise.resolve()
      .then(() => (closing.signal.aborted ? null : work(closing.signal)))
      .catch((error: unknown) => {
        if (closing.signal.aborted) return;
        if (isDatabaseUnavailable(error)) retry = setTimeout(run, Math.min(retryMs, everyMs)).unref();
        onFailure(error);
      })
      .finally(() => {
        running = null;
      });
  };
  const timer = setInterval(run, everyMs);
  timer.unref();
  run();
  return {
    close: async () => {
      clearInterval(timer);
      clearTimeout(retry);
      closing.abort(new Error('the server is closing'));
      await running;
    },
  };
};
