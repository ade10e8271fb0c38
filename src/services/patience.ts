import { type Failure, failureOf } from './failure.ts';

/** What the browser knows of its network. */
export interface Line {
  /** Tells when there is a network again. Returns what stops listening. */
  readonly onUp: (tell: () => void) => () => void;
}

export const browserLine: Line = {
  onUp: (tell) => {
    window.addEventListener('online', tell);
    return () => window.removeEventListener('online', tell);
  },
};

/** Waits; a network that comes back ends the wait, `signal` ends it with its reason. */
export const pause = (ms: number, signal: AbortSignal, line: Line): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const leave = () => {
      clearTimeout(timer);
      leaveLine();
      signal.removeEventListener('abort', stop);
    };
    const stop = () => {
      leave();
      reject(signal.reason);
    };
    const go = () => {
      leave();
      resolve();
    };
    const timer = setTimeout(go, ms);
    const leaveLine = line.onUp(go);
    signal.addEventListener('abort', stop, { once: true });
  });

export interface Patience {
  readonly signal: AbortSignal;
  readonly line: Line;
  /** Pauses before the next try in milliseconds; the last one again and again. */
  readonly pausesMs: readonly number[];
  /** No answer came; it will be tried again. */
  readonly onNoAnswer: () => void;
  /** An answer came, whatever it says. */
  readonly onAnswer: () => void;
}

const isBusy = (failure: Failure): boolean =>
  failure.kind === 'refused' && (failure.status >= 500 || failure.status === 429);

/**
 * Does it until an answer comes: a lost line is never a failure. An archive that answers but cannot is tried as often as there are pauses.
 * @throws whatever else `work` throws; the reason of `signal`
 */
export const patiently = async <Result>(work: () => Promise<Result>, patience: Patience): Promise<Result> => {
  const { signal, line, pausesMs, onNoAnswer, onAnswer } = patience;
  let busy = 0;
  for (let tries = 0; ; tries += 1) {
    try {
      const result = await work();
      onAnswer();
      return result;
    } catch (error) {
      if (signal.aborted) throw error;
      const failure = failureOf(error);
      if (failure.kind === 'offline') onNoAnswer();
      else {
        onAnswer();
        busy += 1;
        if (!isBusy(failure) || busy > pausesMs.length) throw error;
      }
      await pause(pausesMs[Math.min(tries, pausesMs.length - 1)] ?? 0, signal, line);
    }
  }
};
