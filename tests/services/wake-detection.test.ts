import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchWakeUp } from '../../src/services/wake-detection.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page whose clock runs with the timers, and jumps when the computer sleeps. */
const page = () => {
  let slept = 0;
  const seen = new Set<() => void>();
  return {
    now: () => Date.now() + slept,
    onVisible: (listener: () => void) => {
      seen.add(listener);
      return () => void seen.delete(listener);
    },
    sleep: (ms: number) => {
      slept += ms;
    },
    see: () => {
      for (const listener of seen) listener();
    },
    listeners: seen,
  };
};

it('notifies once that the computer slept, as soon as its timers run again', () => {
  const here = page();
  const woke = vi.fn();
  watchWakeUp(woke, here);
  vi.advanceTimersByTime(3_600_000);
  expect(woke).not.toHaveBeenCalled();
  here.sleep(8 * 3_600_000);
  vi.advanceTimersByTime(5_000);
  expect(woke).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(3_600_000);
  expect(woke).toHaveBeenCalledTimes(1);
});

it('notifies when the page becomes visible again, and never after it was stopped', () => {
  const here = page();
  const woke = vi.fn();
  const stop = watchWakeUp(woke, here);
  here.see();
  expect(woke).toHaveBeenCalledTimes(1);
  stop();
  here.sleep(8 * 3_600_000);
  vi.advanceTimersByTime(60_000);
  expect(here.listeners.size).toBe(0);
  expect(woke).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});
