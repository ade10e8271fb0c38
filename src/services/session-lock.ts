import type { QueryClient } from '@tanstack/query-core';
import {
  sessionLock,
  sessionUnlock,
  sessionUnlockOptions,
  type UnlockBody,
  type UnlockBy,
} from '../../contract/sessions.ts';
import type { Call } from './call.ts';
import { hasProblemCode, ServiceError } from './failure.ts';
import type { PasskeyCalls } from './passkey-calls.ts';
import { watchWakeUp } from './wake-detection.ts';

/** Account whose session is locked: tells other tabs, and a reloaded page while the archive cannot be reached. */
const lockedKey = 'dentarium-locked';
/** Time of the last key, click or touch in any tab, in milliseconds. */
const inputKey = 'dentarium-last-input';

const minute = 60_000;
const tickMs = 5_000;
const inputs = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const;

interface LockWatch {
  readonly accountId: string;
  readonly idleMinutes: number | null;
  readonly onIdle: () => void;
  readonly onLocked: () => void;
  readonly onUnlocked: () => void;
}

/** Watches input in all tabs. Calls `onIdle` after `idleMinutes` without any. Returns the function that stops it. */
const watchInput = (store: Storage, idleMinutes: number, onIdle: () => void): (() => void) => {
  let noted = 0;
  const note = () => {
    const now = Date.now();
    if (now - noted < tickMs) return;
    noted = now;
    store.setItem(inputKey, String(now));
  };
  const check = () => {
    const last = Math.max(noted, Number(store.getItem(inputKey) ?? 0));
    if (Date.now() - last >= idleMinutes * minute) onIdle();
  };
  note();
  const tick = setInterval(check, tickMs);
  const stopWaking = watchWakeUp(check);
  for (const input of inputs) window.addEventListener(input, note, { capture: true, passive: true });
  return () => {
    clearInterval(tick);
    stopWaking();
    for (const input of inputs) window.removeEventListener(input, note, { capture: true });
  };
};

/** The page was locked without a connection, so the archive does not know of it. */
const isNotLocked = (error: unknown): boolean =>
  error instanceof ServiceError && hasProblemCode(error.failure, 'conflict');

export interface SessionLockDependencies {
  readonly call: Call;
  readonly queryClient: QueryClient;
  readonly passkeyCalls: () => Promise<Pick<PasskeyCalls, 'askForPasskey'>>;
  /** Shared by all tabs. */
  readonly store: Storage;
  /** Called when the archive refuses a call because the session is locked. */
  readonly lockedListeners: Set<() => void>;
}

/** Creates the calls that lock and unlock the session, and the watch over input and other tabs. */
export const createSessionLock = (deps: SessionLockDependencies) => {
  const { call, queryClient, passkeyCalls, store, lockedListeners } = deps;
  const bodyOf = async (by: UnlockBy): Promise<UnlockBody> => {
    if (by !== 'passkey') return by;
    const request = await call(sessionUnlockOptions, { body: {} });
    return { passkey: await (await passkeyCalls()).askForPasskey(request) };
  };
  return {
    isLocked: (accountId: string): boolean => store.getItem(lockedKey) === accountId,
    lock: async (accountId: string): Promise<void> => {
      store.setItem(lockedKey, accountId);
      await call(sessionLock, { body: {} });
    },
    /** @throws ServiceError of the route; `sign-in-cancelled` without a passkey */
    unlock: async (by: UnlockBy): Promise<void> => {
      const body = await bodyOf(by);
      try {
        await call(sessionUnlock, { body });
      } catch (error) {
        if (!isNotLocked(error)) throw error;
        await call(sessionLock, { body: {} });
        await call(sessionUnlock, { body });
      }
      store.removeItem(lockedKey);
      void queryClient.invalidateQueries();
    },
    /** For the next session in this browser. */
    forget: (): void => store.removeItem(lockedKey),
    /** Returns the function that stops it. */
    watch: ({ accountId, idleMinutes, onIdle, onLocked, onUnlocked }: LockWatch): (() => void) => {
      const listen = ({ key, newValue }: StorageEvent) => {
        if (key !== lockedKey) return;
        if (newValue === accountId) onLocked();
        else if (newValue === null) onUnlocked();
      };
      window.addEventListener('storage', listen);
      lockedListeners.add(onLocked);
      const stopInput = idleMinutes === null ? null : watchInput(store, idleMinutes, onIdle);
      return () => {
        window.removeEventListener('storage', listen);
        lockedListeners.delete(onLocked);
        stopInput?.();
      };
    },
  };
};
export type SessionLock = ReturnType<typeof createSessionLock>;
