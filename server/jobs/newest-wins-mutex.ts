interface Holder {
  /** Asks the current work to end early. */
  readonly cancel: () => void;
  readonly done: Promise<unknown>;
}

/**
 * Creates a mutex per key in which the newest caller wins: it cancels the current holder and waits for its end. A client that lost its
 * connection can thus continue before the old connection times out. Without `cancel`, callers run one after the other.
 */
export const createNewestWinsMutex = () => {
  const running = new Map<string, Holder>();
  return async <T>(key: string, work: () => Promise<T>, cancel: () => void = () => undefined): Promise<T> => {
    for (let before = running.get(key); before; before = running.get(key)) {
      before.cancel();
      await before.done;
    }
    const result = work();
    const holder = {
      cancel,
      done: result.then(
        () => undefined,
        () => undefined,
      ),
    };
    running.set(key, holder);
    try {
      return await result;
    } finally {
      running.delete(key);
    }
  };
};
