interface Holder {
  readonly breakOff: () => void;
  readonly done: Promise<unknown>;
}

/**
 * Creates a mutex per key in which the newest caller wins: it cancels the current holder and waits for its end. A sender that lost its
 * connection can so continue at once, before the old connection times out.
 */
export const createNewestWinsMutex = () => {
  const running = new Map<string, Holder>();
  return async <T>(key: string, work: () => Promise<T>, breakOff: () => void = () => undefined): Promise<T> => {
    for (let before = running.get(key); before; before = running.get(key)) {
      before.breakOff();
      await before.done;
    }
    const result = work();
    const holder = {
      breakOff,
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
