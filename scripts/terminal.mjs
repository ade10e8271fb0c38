/** Progress of the set-up: one line per step, updated in place on a terminal, plain in a log. */
const live = process.stdout.isTTY;

/**
 * Runs one step of the set-up and shows how long it takes. The step is only shown once it has taken a moment.
 * @template T
 * @param {string} text what is being done, in plain words
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const step = async (text, work) => {
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1000);
  if (!live) process.stdout.write(`  ${text} ...\n`);
  const timer = live ? setInterval(() => process.stdout.write(`\r  ${text} ... ${seconds()} s `), 250) : undefined;
  try {
    return await work();
  } finally {
    clearInterval(timer);
    process.stdout.write(live ? `\r  ${text}: ${seconds()} s\u001b[K\n` : `  ${text}: ${seconds()} s\n`);
  }
};

/** An error whose message is meant for the user at the terminal: printed without a stack. */
export class Plain extends Error {}

/** Ends the program with one clear line for a Plain error, with the whole stack for any other. */
export const endWith = (error) => {
  process.stderr.write(error instanceof Plain ? `\n${error.message}\n` : `\n${error?.stack ?? error}\n`);
  process.exit(1);
};
