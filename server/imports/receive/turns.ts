interface Turn {
  readonly breakOff: () => void;
  readonly done: Promise<unknown>;
}

/**
 * One at a time for each key, and the newest has the right of way: whoever comes asks the one before to break off, and waits for its end. So a sender whose
 * connection was lost goes on at once, not when the old connection is found to be dead.
 */
export const createTurns = () => {
  const running = new Map<string, Turn>();
  return async <T>(key: string, work: () => Promise<T>, breakOff: () => void = () => undefined): Promise<T> => {
    for (let before = running.get(key); before; before = running.get(key)) {
      before.breakOff();
      await before.done;
    }
    const answer = work();
    const turn = {
      breakOff,
      done: answer.then(
        () => undefined,
        () => undefined,
      ),
    };
    running.set(key, turn);
    try {
      return await answer;
    } finally {
      running.delete(key);
    }
  };
};
