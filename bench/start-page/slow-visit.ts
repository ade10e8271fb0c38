import { setTimeout as passed } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { openQuietPage, type QuietPage } from './quiet-page.ts';
import { type Vitals, watchVitals } from './vitals.ts';

/** A small machine behind an ordinary line. */
const slowMachine = { times: 4, downBytesPerSecond: 10_000_000 / 8, latencyMs: 40 };
const size = { width: 1280, height: 800 };
const locale = 'en-GB';

const warmUpMs = 180_000;

/** Now and then: who looks at each frame slows the page that is measured. */
const lookMs = 200;

export interface Visit {
  readonly url: string;
  /** A script that runs before anything of the page: what the page's own storage holds. */
  readonly before?: string;
  /** Words by which one sees that the page shows what it is for. */
  readonly shows: string;
  /** Deeds of a person, each of which must be answered at once. */
  readonly deeds: readonly ((page: Page) => Promise<void>)[];
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

/** Two frames later everything that was drawn is on the screen, and told of. */
const drawn = () =>
  new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));

const callOf = (deed: unknown, ...given: unknown[]): string => `(${deed})(${given.map((one) => JSON.stringify(one))})`;

const until = async (page: QuietPage, expression: string): Promise<void> => {
  while (!(await page.value<boolean>(expression))) await passed(lookMs);
};

/** A page of its own at the first moment of a visit. */
const opened = async (browser: Browser, { before = '' }: Visit) => {
  const context = await browser.newContext({ viewport: size, locale });
  const page = await context.newPage();
  await page.addInitScript(before);
  return { context, page };
};

/** As a visit, at full speed and unmeasured: what a server makes ready at the first call is ready. */
export const warmUp = async (browser: Browser, visit: Visit): Promise<void> => {
  const { context, page } = await opened(browser, visit);
  page.setDefaultTimeout(warmUpMs);
  await page.goto(visit.url, { waitUntil: 'commit' });
  await page.waitForFunction(isShown, visit.shows, { polling: lookMs });
  await context.close();
};

const slowDown = async (send: QuietPage['send']): Promise<void> => {
  await send('Network.enable');
  await send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: slowMachine.latencyMs },
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

/** One first visit that only looks: nothing in the cache, a slow processor, a slow line. */
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

/** One first visit of somebody who does something. @returns from a deed to the next paint, the longest, in milliseconds */
export const actSlowly = async (browser: Browser, visit: Visit): Promise<number> => {
  const { context, page } = await opened(browser, visit);
  try {
    await page.addInitScript(watchVitals);
    const devtools = await context.newCDPSession(page);
    await slowDown((method, parameters) => devtools.send(method as never, parameters as never));
    await page.goto(visit.url, { waitUntil: 'commit' });
    await page.waitForFunction(isShown, visit.shows, { polling: lookMs });
    await page.waitForLoadState('networkidle');
    for (const deed of visit.deeds) {
      await deed(page);
      await page.evaluate(drawn);
    }
    return await page.evaluate(() => window.vitals.interactionMs);
  } finally {
    await context.close();
  }
};
