import { QueryClient } from '@tanstack/query-core';
import { JSDOM } from 'jsdom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Call } from '../../src/services/call.ts';
import { ServiceError } from '../../src/services/failure.ts';
import { createSessionLock } from '../../src/services/session-lock.ts';

const accountId = '0d3c1b1e-93c2-4a79-8a54-6a4f9d4a2c02';
const minute = 60_000;

/** A reply of a passkey. */
const assertion = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key' as const,
  response: { clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA' },
};

let dom: JSDOM;
const stops: (() => void)[] = [];

beforeEach(() => {
  dom = new JSDOM('', { url: 'http://archive' });
  vi.stubGlobal('window', dom.window);
  vi.stubGlobal('document', dom.window.document);
  vi.useFakeTimers({ now: new Date('2026-11-28T12:00:00Z') });
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  dom.window.close();
});

const lockUnderTest = (answer: (...call: unknown[]) => Promise<object> = async () => ({})) => {
  const call = vi.fn(answer);
  const lockedListeners = new Set<() => void>();
  const store = dom.window.localStorage;
  const lock = createSessionLock({
    call: call as unknown as Call,
    queryClient: new QueryClient(),
    passkeyCalls: async () => ({ askForPasskey: async () => assertion }),
    store,
    lockedListeners,
  });
  const heard: string[] = [];
  const watch = (idleMinutes: number | null) => {
    const stop = lock.watch({
      accountId,
      idleMinutes,
      onIdle: () => heard.push('idle'),
      onLocked: () => heard.push('locked'),
      onUnlocked: () => heard.push('unlocked'),
    });
    stops.push(stop);
    return stop;
  };
  /** A change of the store by another tab. */
  const tellTab = (newValue: string | null) =>
    dom.window.dispatchEvent(
      Object.assign(new dom.window.Event('storage'), { key: 'dentarium-locked', newValue }) as Event,
    );
  return { lock, call, store, heard, watch, tellTab, lockedListeners };
};
const press = () => dom.window.dispatchEvent(new dom.window.Event('keydown'));

describe('input', () => {
  it('that is missing for the idle time is reported, in all tabs together', () => {
    const { heard, watch, store } = lockUnderTest();
    watch(10);
    vi.advanceTimersByTime(9 * minute);
    press();
    vi.advanceTimersByTime(9 * minute);
    // Input in another tab.
    store.setItem('dentarium-last-input', String(Date.now()));
    vi.advanceTimersByTime(9 * minute);
    expect(heard).toEqual([]);
    vi.advanceTimersByTime(2 * minute);
    expect(heard[0]).toBe('idle');
  });

  it('is not watched without an idle time, nor after the end', () => {
    const { heard, watch } = lockUnderTest();
    watch(null);
    const stop = watch(10);
    stop();
    vi.advanceTimersByTime(60 * minute);
    expect(heard).toEqual([]);
  });

  it('that was missing while the computer slept is reported when it wakes', () => {
    const { heard, watch } = lockUnderTest();
    watch(10);
    vi.setSystemTime(Date.now() + 60 * minute);
    vi.advanceTimersByTime(5_000);
    expect(heard[0]).toBe('idle');
  });
});

describe('a lock', () => {
  it('is known to other tabs and after a reload, even when the archive cannot be reached', async () => {
    const { lock } = lockUnderTest(async () => {
      throw new ServiceError({ kind: 'offline' });
    });
    await expect(lock.lock(accountId)).rejects.toThrow('offline');
    expect(lock.isLocked(accountId)).toBe(true);
    expect(lock.isLocked('another account')).toBe(false);
  });

  it('stays after a wrong password, and is lifted by the right one', async () => {
    let isRight = false;
    const { lock } = lockUnderTest(async () => {
      if (!isRight) throw new ServiceError({ kind: 'refused', status: 400, code: 'incorrect-password', errors: [] });
      return {};
    });
    await lock.lock(accountId).catch(() => {});
    await expect(lock.unlock({ password: 'Wrong-1!' })).rejects.toThrow('incorrect-password');
    expect(lock.isLocked(accountId)).toBe(true);
    isRight = true;
    await lock.unlock({ password: 'Right-1!' });
    expect(lock.isLocked(accountId)).toBe(false);
  });

  it('that the archive does not know yet is made there before the PIN lifts it', async () => {
    let isLocked = false;
    const paths: string[] = [];
    const { lock } = lockUnderTest(async (...[route]: unknown[]) => {
      const { path } = route as { path: string };
      paths.push(path);
      if (path.endsWith('/unlock') && !isLocked)
        throw new ServiceError({ kind: 'refused', status: 409, code: 'conflict', errors: [] });
      isLocked = path.endsWith('/lock');
      return {};
    });
    await lock.unlock({ pin: '730182' });
    expect(paths.map((path) => path.split('/').at(-1))).toEqual(['unlock', 'lock', 'unlock']);
    expect(lock.isLocked(accountId)).toBe(false);
  });

  it('is lifted by the passkey that the browser gives for the challenge of the session', async () => {
    const bodies: unknown[] = [];
    const { lock } = lockUnderTest(async (...[route, options]: unknown[]) => {
      bodies.push([(route as { path: string }).path.split('/').at(-1), (options as { body: object }).body]);
      return {};
    });
    await lock.unlock('passkey');
    expect(bodies).toEqual([
      ['unlock_options', {}],
      ['unlock', { passkey: assertion }],
    ]);
  });

  it('of another tab, or of the archive, is reported', () => {
    const { heard, watch, tellTab, lockedListeners } = lockUnderTest();
    watch(null);
    tellTab(accountId);
    tellTab(null);
    tellTab('another account');
    for (const listener of lockedListeners) listener();
    expect(heard).toEqual(['locked', 'unlocked', 'locked']);
  });
});
