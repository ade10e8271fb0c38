import { type Failure, failureOf, isDatabaseAway } from './failure.ts';

/** Network status of the browser. */
export interface Network {
  /** Calls the listener when the network is back. Returns the function that unsubscribes. */
  readonly onOnline: (listener: () => void) => () => void;
}

export const browserNetwork: Network = {
  onOnline: (listener) => {
    window.addEventListener('online', listener);
    return () => window.removeEventListener('online', listener);
  },
};

/** Waits; ends early when the network is back; rejects with the reason of `signal`. */
export const pause = (ms: number, signal: AbortSignal, network: Network): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const cleanUp = () => {
      clearTimeout(timer);
      stopListening();
      signal.removeEventListener('abort', stop);
    };
    const stop = () => {
      cleanUp();
      reject(signal.reason);
    };
    const go = () => {
      cleanUp();
      resolve();
    };
    const timer = setTimeout(go, ms);
    const stopListening = network.onOnline(go);
    signal.addEventListener('abort', stop, { once: true });
  });

export interface RetryOptions {
  readonly signal: AbortSignal;
  readonly network: Network;
  /** Delays before retries in milliseconds; the last one repeats. */
  readonly delaysMs: readonly number[];
  /** Called without a reply or without database, before the next attempt. */
  readonly onNoAnswer: () => void;
  /** Called after any reply. */
  readonly onAnswer: () => void;
}

const isBusy = (failure: Failure): boolean =>
  failure.kind === 'refused' && (failure.status >= 500 || failure.status === 429);

/**
 * Repeats work until a reply comes: network errors and database outages are retried without limit, other server errors as often as there
 * are delays.
 * @throws whatever else `work` throws; the reason of `signal`
 */
export const retryUntilAnswered = async <Result>(
  work: () => Promise<Result>,
  options: RetryOptions,
): Promise<Result> => {
  const { signal, network, delaysMs, onNoAnswer, onAnswer } = options;
  let busyAnswers = 0;
  for (let tries = 0; ; tries += 1) {
    try {
      const result = await work();
      onAnswer();
      return result;
    } catch (error) {
      if (signal.aborted) throw error;
      const failure = failureOf(error);
      if (failure.kind === 'offline' || isDatabaseAway(failure)) onNoAnswer();
      else {
        onAnswer();
        busyAnswers += 1;
        if (!isBusy(failure) || busyAnswers > delaysMs.length) throw error;
      }
      await pause(delaysMs[Math.min(tries, delaysMs.length - 1)] ?? 0, signal, network);
    }
  }
};
