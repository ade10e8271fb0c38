import { sendRaw } from './send.ts';

export interface OutageListener {
  readonly onUnavailable: () => void;
  readonly onAvailable: () => void;
}

/** Detects outages of the archive's database. */
export interface DatabaseOutage {
  /** Reports a `database-unavailable` reply: the archive is polled until it is ready. */
  reportUnavailable(retryAfterMs: number | null): void;
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
  let isUnavailable = false;

  const poll = async (retryMs: number): Promise<void> => {
    if (!(await isReady())) {
      setTimeout(() => void poll(retryMs), retryMs);
      return;
    }
    isUnavailable = false;
    for (const { onAvailable } of [...listeners]) onAvailable();
  };
  return {
    reportUnavailable: (retryAfterMs) => {
      if (isUnavailable) return;
      isUnavailable = true;
      for (const { onUnavailable } of [...listeners]) onUnavailable();
      const retryMs = retryAfterMs ?? usualRetryMs;
      setTimeout(() => void poll(retryMs), retryMs);
    },
    listen: (listener) => {
      listeners.add(listener);
      if (isUnavailable) listener.onUnavailable();
      return () => listeners.delete(listener);
    },
  };
};
