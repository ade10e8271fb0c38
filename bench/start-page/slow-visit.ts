import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { type Vitals, watchVitals } from './vitals.ts';

/** A small machine behind an ordinary line. */
const slowMachine = { times: 4, downBytesPerSecond: 10_000_000 / 8, latencyMs: 40 };

const warmUpMs = 180_000;

export interface Visit {
  readonly url: string;
  readonly context?: BrowserContextOptions;
  /** What the page's own storage holds before anything runs. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** Words by which one sees that the page shows what it is for. */
  readonly shows: string;
  /** Deeds of a person, each of which must be answered at once. */
  readonly deeds: readonly ((page: Page) => Promise<void>)[];
}

/** Looked for now and then: who looks at each frame slows the page that is measured. */
const seldom = { polling: 200 };

/** The page has these words, and no overlay above them. */
const shown = async (page: Page, words: string): Promise<void> => {
  await page.waitForFunction((text) => document.body?.textContent?.includes(text), words, seldom);
  const isClear = () =>
    !document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2)?.closest('[role=status]');
  await page.waitForFunction(isClear, undefined, seldom);
};

/** As a visit, at full speed and unmeasured: what a server makes ready at the first call is ready. */
export const warmUp = async (browser: Browser, visit: Visit): Promise<void> => {
  const context = await browser.newContext({ locale: 'en-GB', ...visit.context });
  const page = await context.newPage();
  page.setDefaultTimeout(warmUpMs);
  await visit.prepare?.(page);
  await page.goto(visit.url, { waitUntil: 'commit' });
  await shown(page, visit.shows);
  await context.close();
};

export interface Visited extends Vitals {
  /** The largest paint, or when it was uncovered, if that is later. */
  readonly seenMs: number;
  readonly bytes: number;
  readonly requests: number;
}

/** Two frames later everything that was drawn is on the screen, and told of. */
const drawn = (page: Page) =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
  );

/** One first visit: nothing in the cache, a slow processor, a slow line. */
export const visitSlowly = async (browser: Browser, visit: Visit): Promise<Visited> => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    ...visit.context,
  });
  try {
    const page = await context.newPage();
    await page.addInitScript(watchVitals);
    await visit.prepare?.(page);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.setCacheDisabled', { cacheDisabled: false });
    await devtools.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: slowMachine.latencyMs },
      downloadThroughput: slowMachine.downBytesPerSecond,
      uploadThroughput: slowMachine.downBytesPerSecond,
    });
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowMachine.times });
    let [bytes, requests] = [0, 0];
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
      requests += 1;
    });
    await page.goto(visit.url, { waitUntil: 'commit' });
    await shown(page, visit.shows);
    await page.waitForLoadState('networkidle');
    await drawn(page);
    const came = { bytes, requests };
    // The first deed ends the search for the largest paint.
    for (const deed of visit.deeds) {
      await deed(page);
      await drawn(page);
    }
    const vitals = await page.evaluate(() => window.vitals);
    return { ...vitals, ...came, seenMs: Math.max(vitals.largestPaintMs, vitals.uncoveredMs) };
  } finally {
    await context.close();
  }
};
