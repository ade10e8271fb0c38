/** Web vitals of a page (web.dev/vitals), in milliseconds; `shift` has no unit. */
export interface Vitals {
  readonly largestPaintMs: number;
  /** When the loading overlay was removed, which hid earlier paints. 0: there was none. */
  readonly uncoveredMs: number;
  /** The element of the largest paint, for the report. */
  readonly largest: string;
  /** Layout shift: the worst second of shifts at most a second apart, without those that follow a user action. */
  readonly shift: number;
  /** The longest time from a user action to the next paint. */
  readonly interactionMs: number;
}

declare global {
  interface Window {
    vitals: { -readonly [Name in keyof Vitals]: Vitals[Name] };
  }
  // Chromium's own; TypeScript's library does not know them.
  interface PerformanceEntry {
    readonly element?: Element | null;
    readonly value?: number;
    readonly hadRecentInput?: boolean;
    readonly interactionId?: number;
  }
}

/** Records from the start of a page. Runs in the page. */
export const watchVitals = (): void => {
  // The browser does not report durations below 16 ms.
  const vitals = { largestPaintMs: 0, uncoveredMs: 0, largest: '', shift: 0, interactionMs: 16 };
  window.vitals = vitals;
  const watch = (type: string, each: (entry: PerformanceEntry) => void, options = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) each(entry);
    }).observe({ type, buffered: true, ...options });
  watch('largest-contentful-paint', ({ startTime, element }) => {
    vitals.largestPaintMs = startTime;
    vitals.largest = element
      ? `${element.tagName.toLowerCase()} ${(element.textContent ?? '').slice(0, 30)}`.trim()
      : '';
  });
  let isCovered = false;
  const observe = (now: number) => {
    const middle = document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2);
    const covers = middle?.closest('[role=status]')?.clientHeight === window.innerHeight;
    if (isCovered && !covers) vitals.uncoveredMs = now;
    isCovered = covers;
  };
  // Observing forces a layout, so it runs only after elements were added or removed.
  let isObserving = false;
  new MutationObserver(() => {
    if (isObserving) return;
    isObserving = true;
    requestAnimationFrame((now) => {
      isObserving = false;
      observe(now);
    });
  }).observe(document, { childList: true, subtree: true });
  let shifts = { from: 0, last: 0, sum: 0 };
  watch('layout-shift', ({ startTime, value = 0, hadRecentInput }) => {
    if (hadRecentInput) return;
    const continues = startTime - shifts.last < 1_000 && startTime - shifts.from < 5_000;
    shifts = continues
      ? { ...shifts, last: startTime, sum: shifts.sum + value }
      : { from: startTime, last: startTime, sum: value };
    vitals.shift = Math.max(vitals.shift, shifts.sum);
  });
  watch(
    'event',
    ({ interactionId, duration }) => {
      if (interactionId) vitals.interactionMs = Math.max(vitals.interactionMs, duration);
    },
    { durationThreshold: 16 },
  );
};
