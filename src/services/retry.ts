import { type Failure, failureOf, type WaitReason, waitReasonOf } from './failure.ts';

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
  /** Called when an attempt failed for a reason that is waited for without limit, before the next attempt. */
  readonly onNoAnswer: (reason: WaitReason) => void;
  /** Called after any other reply. */
  readonly onAnswer: () => void;
}

const isBusy = (failure: Failure): boolean =>
  failure.kind === 'refused' && (failure.status >= 500 || failure.status === 429);

/**
 * Repeats work until a reply comes: what `waitReasonOf` names is retried without limit, other server errors as often as there are delays.
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
      const reason = waitReasonOf(failure);
      if (reason) onNoAnswer(reason);
      else {
        onAnswer();
        busyAnswers += 1;
        if (!isBusy(failure) || busyAnswers > delaysMs.length) throw error;
      }
      await pause(delaysMs[Math.min(tries, delaysMs.length - 1)] ?? 0, signal, network);
    }
  }
};
