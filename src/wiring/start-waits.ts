import { appMachine } from '../machines/app/app.machine.ts';

/**
 * What is left of the waits of the start. They count from when the page was asked for, `openForMs` ago: who has waited for the program to come
 * over a slow line does not wait once more.
 */
export const startWaits = (openForMs: number) => {
  const { minimumWait, spinnerDelay } = appMachine.implementations.delays;
  const left = (wait: unknown) => Math.max(0, Number(wait) - openForMs);
  return { minimumWait: left(minimumWait), spinnerDelay: left(spinnerDelay) };
};
