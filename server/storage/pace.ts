import { setTimeout as pause } from 'node:timers/promises';
import type { Pace } from './file-store.ts';

/** Limits readers together to a rate, and stops them when the signal is aborted. */
export const paceOf = (bytesPerSecond: number, signal: AbortSignal): Pace => {
  let dueMs = Date.now();
  return async (bytes) => {
    signal.throwIfAborted();
    const now = Date.now();
    dueMs = Math.max(dueMs, now) + (bytes / bytesPerSecond) * 1000;
    if (dueMs - now > 5) await pause(dueMs - now, undefined, { signal });
  };
};
