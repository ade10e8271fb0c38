import { sendRaw } from './send.ts';

export interface OutageListener {
  readonly onAway: () => void;
  readonly onBack: () => void;
}

/** Detects outages of the archive's database. */
export interface DatabaseOutage {
  /** Reports a `database-unavailable` reply: the archive is polled until it is ready. */
  reportAway(retryAfterMs: number | null): void;
  /** Returns the function that unsubscribes. A listener added during an outage is called immediately. */
  listen(listener: OutageListener): () => void;
}

const usualRetryMs = 2_000;
const readyPath = '/health/ready';

/** Returns whether the archive is ready; false without a reply. */
export const archiveIsReady = (origin: string) => async (): Promise<boolean> => {
  const answer = await sendRaw(`${origin}${readyPath}`, { method: 'GET', timeoutMs: 10_000 }).catch(() => null);
  return answer?.ok ?? false;
};

export const createDatabaseOutage = (isReady: () => Promise<boolean>): DatabaseOutage => {
  const listeners = new Set<OutageListener>();
  let isAway = false;

  const poll = async (retryMs: number): Promise<void> => {
    if (!(await isReady())) {
      setTimeout(() => void poll(retryMs), retryMs);
      return;
    }
    isAway = false;
    for (const { onBack } of [...listeners]) onBack();
  };
  return {
    reportAway: (retryAfterMs) => {
      if (isAway) return;
      isAway = true;
      for (const { onAway } of [...listeners]) onAway();
      const retryMs = retryAfterMs ?? usualRetryMs;
      setTimeout(() => void poll(retryMs), retryMs);
    },
    listen: (listener) => {
      listeners.add(listener);
      if (isAway) listener.onAway();
      return () => listeners.delete(listener);
    },
  };
};
