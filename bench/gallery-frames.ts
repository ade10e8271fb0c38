import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { withManyImages } from '../e2e/many-images.ts';
import { freePort } from '../tests/free-port.ts';
import { benchAccount, startOwnServer } from './own-server.ts';

const images = 100_000;
/** Wheel distance of each frame, in CSS pixels. */
const steps = [40, 400, 4_000] as const;
const framesCounted = 240;

interface Frames {
  /** Milliseconds between two frames. */
  readonly p50: number;
  readonly p95: number;
  readonly worst: number;
  /** Milliseconds of script, style and layout in a frame. */
  readonly work: number;
}

/** Scrolls a box by `step` in each frame and returns the frame times. Runs in the page. */
const scrolled = ([selector, step, count]: readonly [string, number, number]): Promise<readonly number[]> =>
  new Promise((resolve) => {
    const box = document.querySelector(selector);
    if (!box) throw new Error('The page has no scroll container');
    const at: number[] = [];
    const frame = (now: number) => {
      at.push(now);
      if (at.length > count) return resolve(at.slice(1).map((time, index) => time - (at[index] ?? time)));
      box.scrollTop += step;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });

const atShare = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;

/** The gallery of a clinic with 100,000 images in a real browser, scrolled slowly, fast and in jumps: frame times. */
export const benchGalleryFrames = async (): Promise<void> => {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'bench-frames-'));
  const server = await startOwnServer({ dataFolder, port: await freePort() });
  const browser = await chromium.launch({
    ...(process.env.DENTARIUM_CHROMIUM && { executablePath: process.env.DENTARIUM_CHROMIUM }),
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
    await withManyImages(page, images, { isCounted: true });
    await page.goto(server.url);
    await page
      .getByRole('button', { name: 'English' })
      .or(page.getByText('English', { exact: true }))
      .first()
      .click();
    await page.getByLabel('E-mail').fill(benchAccount.email);
    await page.getByLabel('Password', { exact: true }).fill(benchAccount.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Account and settings' }).waitFor();
    await page.evaluate((id) => sessionStorage.setItem('dentarium.clinic', id), server.customerId ?? '');
    await page.goto(`${server.url}/${server.customerId}/gallery`);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    const worked = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
    };
    for (const view of ['Grid', 'Table'] as const) {
      await page.getByText(view, { exact: true }).click();
      await page.locator('[data-index] img').first().waitFor();
      const selector = view === 'Grid' ? '[role=listbox][aria-label="Images"]' : 'section[aria-label="Images"]';
      for (const step of steps) {
        const before = await worked();
        const times = (await page.evaluate(scrolled, [selector, step, framesCounted] as const)).toSorted(
          (a, b) => a - b,
        );
        const frames: Frames = {
          p50: atShare(times, 0.5),
          p95: atShare(times, 0.95),
          worst: atShare(times, 1),
          work: ((await worked()) - before) / framesCounted,
        };
        const words = Object.entries(frames).map(([name, value]) => `${name} ${value.toFixed(1)} ms`);
        console.log(`gallery-frames: ${view}, ${step} px a frame: ${words.join(', ')}`);
      }
    }
  } finally {
    await browser.close();
    await server.close();
    await rm(dataFolder, { recursive: true, force: true });
  }
};
