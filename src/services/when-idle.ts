const maxWaitMs = 2_000;

/** Runs work when the browser is idle, after two seconds at the latest. */
export const whenIdle = (work: () => void): void => {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: maxWaitMs });
  else setTimeout(work, maxWaitMs);
};
