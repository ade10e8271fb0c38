import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseUnavailable } from './database-unavailable.ts';

export interface Waiting {
  readonly milliseconds: number;
  /** Called before the first pause. */
  readonly onWait?: () => void;
  readonly signal?: AbortSignal;
}

const pauseMs = 250;

/** Retries `work` while the database is unavailable. @throws its last error when the time is over; the reason of `signal` */
export const untilAvailable = async <Result>(
  work: () => Promise<Result>,
  { milliseconds, onWait, signal }: Waiting,
): Promise<Result> => {
  const end = Date.now() + milliseconds;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || Date.now() >= end) throw error;
      if (attempt === 1) onWait?.();
      await pause(pauseMs, undefined, signal && { signal });
    }
  }
};
