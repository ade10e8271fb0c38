import { setTimeout as passed } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { openQuietPage, type QuietPage } from './quiet-page.ts';
import { type Vitals, watchVitals } from './vitals.ts';

/** A slow machine with an ordinary network. */
const slowMachine = { times: 4, downBytesPerSecond: 10_000_000 / 8, latencyMs: 40 };
const size = { width: 1280, height: 800 };
const locale = 'en-GB';

const warmUpMs = 180_000;

/** Polling in each frame would slow the page that is measured. */
const pollMs = 200;

export interface Visit {
  readonly url: string;
  /** A script that runs before the page and fills its storage. */
  readonly before?: string;
  /** Text that shows that the page has its content. */
  readonly shows: string;
  /** User actions, each of which must respond at once. */
  readonly actions: readonly ((page: Page) => Promise<void>)[];
}

/** The page has these words, and no overlay above them. */
const isShown = (words: string): boolean =>
  Boolean(document.body?.textContent?.includes(words)) &&
  !document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2)?.closest('[role=status]');

/** Nothing was fetched for half a second. */
const isAtRest = (): boolean => {
  const ends = performance
    .getEntriesByType('resource')
    .map((entry) => (entry as PerformanceResourceTiming).responseEnd);
  return performance.now() - Math.max(0, ...ends) > 500;
};

/** Two frames later everything is painted and reported. */
const drawn = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));

const callOf = (action: unknown, ...given: unknown[]): string =>
  `(${action})(${given.map((one) => JSON.stringify(one))})`;

const until = async (page: QuietPage, expression: string): Promise<void> => {
  while (!(await page.value<boolean>(expression))) await passed(pollMs);
};

/** Opens a new page at the start of a visit. */
const opened = async (browser: Browser, { before = '' }: Visit) => {
  const context = await browser.newContext({ viewport: size, locale });
  const page = await context.newPage();
  await page.addInitScript(before);
  return { context, page };
};

/** Visits once at full speed and unmeasured, to warm up the server. */
export const warmUp = async (browser: Browser, visit: Visit): Promise<void> => {
  const { context, page } = await opened(browser, visit);
  page.setDefaultTimeout(warmUpMs);
  await page.goto(visit.url, { waitUntil: 'commit' });
  await page.waitForFunction(isShown, visit.shows, { polling: pollMs });
  await context.close();
};

const slowDown = async (send: QuietPage['send']): Promise<void> => {
  await send('Network.enable');
  await send('Network.emulateNetworkConditions', {
    offline: false,
    latency: slowMachine.latencyMs,
    downloadThroughput: slowMachine.downBytesPerSecond,
    uploadThroughput: slowMachine.downBytesPerSecond,
  });
  await send('Emulation.setCPUThrottlingRate', { rate: slowMachine.times });
};

export interface Seen extends Omit<Vitals, 'interactionMs'> {
  /** The largest paint, or when it was uncovered, if that is later. */
  readonly seenMs: number;
  readonly bytes: number;
  readonly requests: number;
}

/** Measures a first visit without interaction: empty cache, slow processor, slow network. */
export const seeSlowly = async (browser: Browser, { url, before = '', shows }: Visit): Promise<Seen> => {
  const page = await openQuietPage(browser, size);
  try {
    await page.send('Page.enable');
    await page.send('Emulation.setLocaleOverride', { locale });
    for (const source of [callOf(watchVitals), before])
      await page.send('Page.addScriptToEvaluateOnNewDocument', { source });
    let [bytes, requests] = [0, 0];
    page.on('Network.loadingFinished', ({ encodedDataLength }: { encodedDataLength: number }) => {
      bytes += encodedDataLength;
      requests += 1;
    });
    await slowDown(page.send);
    await page.send('Page.navigate', { url });
    await until(page, callOf(isShown, shows));
    await until(page, callOf(isAtRest));
    await page.value(callOf(drawn));
    const vitals = await page.value<Vitals>('window.vitals');
    return { ...vitals, bytes, requests, seenMs: Math.max(vitals.largestPaintMs, vitals.uncoveredMs) };
  } finally {
    await page.close();
  }
};

/** Measures a first visit with interaction. @returns the longest time from an action to the next paint, in milliseconds */
export const actSlowly = async (browser: Browser, visit: Visit): Promise<number> => {
  const { context, page } = await opened(browser, visit);
  try {
    await page.addInitScript(watchVitals);
    const devtools = await context.newCDPSession(page);
    await slowDown((method, parameters) => devtools.send(method as never, parameters as never));
    await page.goto(visit.url, { waitUntil: 'commit' });
    await page.waitForFunction(isShown, visit.shows, { polling: pollMs });
    await page.waitForLoadState('networkidle');
    for (const action of visit.actions) {
      await action(page);
      await page.evaluate(drawn);
    }
    return await page.evaluate(() => window.vitals.interactionMs);
  } finally {
    await context.close();
  }
};
