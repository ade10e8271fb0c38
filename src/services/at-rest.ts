const longestWaitMs = 2_000;

/** Does what is needed later when the page has nothing more urgent to do, after two seconds at the latest. */
export const atRest = (work: () => void): void => {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: longestWaitMs });
  else setTimeout(work, longestWaitMs);
};
