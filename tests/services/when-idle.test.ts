import { afterEach, expect, it, vi } from 'vitest';
import { whenIdle } from '../../src/services/when-idle.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('waits for an idle page, two seconds at most', () => {
  const idle = vi.fn<(work: () => void, options: { timeout: number }) => void>();
  vi.stubGlobal('requestIdleCallback', idle);
  const work = vi.fn();
  whenIdle(work);
  expect(work).not.toHaveBeenCalled();
  expect(idle.mock.lastCall?.[1]).toEqual({ timeout: 2_000 });
  idle.mock.lastCall?.[0]();
  expect(work).toHaveBeenCalledTimes(1);
});

it('waits two seconds in browsers without idle callbacks', () => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', undefined);
  const work = vi.fn();
  whenIdle(work);
  vi.advanceTimersByTime(1_999);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(work).toHaveBeenCalledTimes(1);
});
