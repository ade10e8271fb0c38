/** What of the page tells that it was away. */
export interface WakingPage {
  readonly now: () => number;
  /** Tells when the page is seen again, comes back as it was, or has a network again. Returns what stops it. */
  readonly onSeen: (tell: () => void) => () => void;
}

export const browserPage: WakingPage = {
  now: Date.now,
  onSeen: (tell) => {
    const whenVisible = () => {
      if (document.visibilityState === 'visible') tell();
    };
    document.addEventListener('visibilitychange', whenVisible);
    window.addEventListener('pageshow', tell);
    window.addEventListener('online', tell);
    return () => {
      document.removeEventListener('visibilitychange', whenVisible);
      window.removeEventListener('pageshow', tell);
      window.removeEventListener('online', tell);
    };
  },
};

const tickMs = 5_000;
/** More than timers are late by themselves; a page in the background may tick once a minute, and may look once a minute. */
const gapMs = 20_000;

/** Tells when the page was asleep: the computer slept (its timers stood still), the tab was in the background, the network was gone. */
export const watchWaking = (onWoke: () => void, page: WakingPage = browserPage): (() => void) => {
  let last = page.now();
  const tick = setInterval(() => {
    const now = page.now();
    // A clock that was set back counts as well.
    if (Math.abs(now - last) > gapMs) onWoke();
    last = now;
  }, tickMs);
  const leave = page.onSeen(onWoke);
  return () => {
    clearInterval(tick);
    leave();
  };
};
