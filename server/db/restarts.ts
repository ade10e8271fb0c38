import { setTimeout as pause } from 'node:timers/promises';
import type { Postmaster } from './postmaster.ts';

/** A responding postmaster. */
export interface Running {
  readonly postmaster: Postmaster;
  /** It outlived the process that started it. */
  readonly adopted: boolean;
  /** Calls back once, when it has ended. */
  readonly onExit: (ended: () => void) => void;
}

/** Notifications about a postmaster that ended unexpectedly (killed by the OOM killer, for example). */
export interface Outage {
  /** It ended and is being restarted. */
  readonly onLost?: () => void;
  /** It responds again, after this many milliseconds. */
  readonly onBack?: (milliseconds: number) => void;
  /** All restart attempts failed: the last error. */
  readonly onGivenUp?: (error: unknown) => void;
}

/** Number of restart attempts, about six minutes in total. */
const maxAttempts = 20;
const pauseBefore = (attempt: number): number => Math.min(30_000, 250 * 2 ** (attempt - 1));

/** Restarts a postmaster whenever it exits. `end`: stops restarting; `running` is the last postmaster. */
export const supervised = (first: Running, bringUp: () => Promise<Running>, outage: Outage) => {
  const closing = new AbortController();
  let running = first;
  let restarting: Promise<void> = Promise.resolve();

  const restart = async (): Promise<void> => {
    const lostAt = performance.now();
    outage.onLost?.();
    for (let attempt = 1; !closing.signal.aborted; attempt += 1) {
      try {
        running = await bringUp();
        watch();
        outage.onBack?.(Math.round(performance.now() - lostAt));
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        if (attempt === maxAttempts) return outage.onGivenUp?.(error);
        await pause(pauseBefore(attempt), undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  };

  const watch = (): void =>
    running.onExit(() => {
      if (!closing.signal.aborted) restarting = restart();
    });

  watch();
  return {
    running: () => running,
    end: async (): Promise<void> => {
      closing.abort();
      await restarting;
    },
  };
};
