import { appMachine } from './app.machine.ts';

/**
 * Returns the remaining start-up delays. They count from navigation start, `openForMs` ago, so that a slow download is not followed by
 * another wait.
 */
export const remainingStartDelays = (openForMs: number) => {
  const { minimumWait, spinnerDelay } = appMachine.implementations.delays;
  const remaining = (wait: unknown) => Math.max(0, Number(wait) - openForMs);
  return { minimumWait: remaining(minimumWait), spinnerDelay: remaining(spinnerDelay) };
};
