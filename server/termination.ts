/** Ctrl-C arrives twice: from the terminal and, on a busy machine later, from npm or the start script. */
const repeatedSignalMs = 5_000;

/** Calls `end` at the first termination signal. Another one, later than a repetition, exits immediately. */
export const onTermination = (end: () => void): void => {
  let since: number | null = null;
  // One listener that stays: in a moment without any, a repetition would kill the process.
  const receive = () => {
    if (since === null) {
      since = performance.now();
      end();
    } else if (performance.now() - since > repeatedSignalMs) process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, receive);
};
