/** Work that comes round: does it now and every so often, one round after the other. */
export interface Rounds {
  /** Resolves when the round in hand has stopped. */
  close(): Promise<void>;
}

/** `work` gives up when its signal is aborted; what it throws then is not told. The timer keeps no process alive. */
export const startRounds = (
  everyMs: number,
  work: (signal: AbortSignal) => Promise<unknown>,
  onFailure: (error: unknown) => void,
): Rounds => {
  const closing = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = running
      .then(() => (closing.signal.aborted ? null : work(closing.signal)))
      .catch((error: unknown) => {
        if (!closing.signal.aborted) onFailure(error);
      });
  };
  const timer = setInterval(run, everyMs);
  timer.unref();
  run();
  return {
    close: async () => {
      clearInterval(timer);
      closing.abort(new Error('the server is closing'));
      await running;
    },
  };
};
