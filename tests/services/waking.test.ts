import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchWaking } from '../../src/services/waking.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page whose clock goes with the timers, and jumps when the computer sleeps. */
const page = () => {
  let slept = 0;
  const seen = new Set<() => void>();
  return {
    now: () => Date.now() + slept,
    onSeen: (tell: () => void) => {
      seen.add(tell);
      return () => void seen.delete(tell);
    },
    sleep: (ms: number) => {
      slept += ms;
    },
    see: () => {
      for (const tell of seen) tell();
    },
    listeners: seen,
  };
};

it('tells once that the computer slept, as soon as its timers go again', () => {
  const here = page();
  const woke = vi.fn();
  watchWaking(woke, here);
  vi.advanceTimersByTime(3_600_000);
  expect(woke).not.toHaveBeenCalled();
  here.sleep(8 * 3_600_000);
  vi.advanceTimersByTime(5_000);
  expect(woke).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(3_600_000);
  expect(woke).toHaveBeenCalledTimes(1);
});

it('tells when somebody looks at the page again, and nothing after it was stopped', () => {
  const here = page();
  const woke = vi.fn();
  const stop = watchWaking(woke, here);
  here.see();
  expect(woke).toHaveBeenCalledTimes(1);
  stop();
  here.sleep(8 * 3_600_000);
  vi.advanceTimersByTime(60_000);
  expect(here.listeners.size).toBe(0);
  expect(woke).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});
