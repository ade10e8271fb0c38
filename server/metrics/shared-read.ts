import { setTimeout as pause } from 'node:timers/promises';

export interface ReadLimits {
  /** A result is used again for this time. */
  readonly validMs: number;
  readonly timeLimitMs: number;
}

/**
 * Returns a function that reads at most once at a time, and gives null when there is no result in time. A read that is late goes on: the next caller
 * waits for it instead of starting another one.
 */
export const sharedRead = <Result>(
  read: () => Promise<Result>,
  { validMs, timeLimitMs }: ReadLimits,
  onFailure: (error: unknown) => void,
): (() => Promise<Result | null>) => {
  let running: Promise<Result | null> | null = null;
  let last: { readonly result: Result; readonly at: number } | null = null;

  const start = async (): Promise<Result | null> => {
    try {
      const result = await read();
      last = { result, at: performance.now() };
      return result;
    } catch (error) {
      onFailure(error);
      return null;
    } finally {
      running = null;
    }
  };
  return async () => {
    if (last && performance.now() - last.at < validMs) return last.result;
    running ??= start();
    const timeout = new AbortController();
    const late = pause(timeLimitMs, null, { ref: false, signal: timeout.signal }).catch(() => null);
    try {
      return await Promise.race([running, late]);
    } finally {
      timeout.abort();
    }
  };
};
