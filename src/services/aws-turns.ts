/** Lets `most` pieces of work run at a time; the others wait for their turn, in order. Who is aborted while waiting never begins. */
export const inTurn = (most: number) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  const leave = () => {
    running -= 1;
    waiting.shift()?.();
  };
  return async <Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
    // A turn is asked for anew after each wait: somebody else may have taken it.
    while (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      leave();
    }
  };
};
