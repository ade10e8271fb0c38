/** Visibility and clock of the page. */
export interface PageVisibility {
  readonly now: () => number;
  /** Called when the page is visible again, restored or online. Returns the function that unsubscribes. */
  readonly onVisible: (notify: () => void) => () => void;
}

export const browserPage: PageVisibility = {
  now: Date.now,
  onVisible: (notify) => {
    const whenVisible = () => {
      if (document.visibilityState === 'visible') notify();
    };
    document.addEventListener('visibilitychange', whenVisible);
    window.addEventListener('pageshow', notify);
    window.addEventListener('online', notify);
    return () => {
      document.removeEventListener('visibilitychange', whenVisible);
      window.removeEventListener('pageshow', notify);
      window.removeEventListener('online', notify);
    };
  },
};

const tickMs = 5_000;
/** Longer than normal timer delays; background pages tick once a minute and then check once a minute. */
const gapMs = 20_000;

/** Calls `onWoke` after sleep of the computer, a hidden tab or a network loss. Returns the function that stops it. */
export const watchWakeUp = (onWoke: () => void, page: PageVisibility = browserPage): (() => void) => {
  let last = page.now();
  const tick = setInterval(() => {
    const now = page.now();
    // Also detects a clock that was set back.
    if (Math.abs(now - last) > gapMs) onWoke();
    last = now;
  }, tickMs);
  const stopListening = page.onVisible(onWoke);
  return () => {
    clearInterval(tick);
    stopListening();
  };
};
