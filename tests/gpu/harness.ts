import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { test as base, expect } from '@playwright/test';
import { build, mergeConfig, preview } from 'vite';
import type {} from './page/main.ts';
import config from './vite.config.ts';

/** Console errors and WebGL warnings of a page. */
const complaints = /webgl|context|GL_|error|uncaught/i;
/** Warnings about reading pixels back, which these tests do on purpose. */
const expected = /GPU stall due to ReadPixels/;

/** Builds and serves the test page once per worker; `page` opens it and must not log errors. */
export const test = base.extend<object, { site: string }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      const outDir = await mkdtemp(path.join(tmpdir(), 'viewer-page-'));
      const inFolder = mergeConfig(config, { build: { outDir } });
      await build({ ...inFolder, configFile: false });
      const server = await preview({ ...inFolder, configFile: false });
      const [url] = server.resolvedUrls?.local ?? [];
      if (!url) throw new Error('the page is not served');
      await use(url);
      await server.close();
      await rm(outDir, { recursive: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  page: async ({ page, site }, use) => {
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => {
      const serious = message.type() === 'error' || message.type() === 'warning';
      if (serious && complaints.test(message.text()) && !expected.test(message.text())) problems.push(message.text());
    });
    await page.goto(site);
    await page.waitForFunction(() => Boolean(window.suites));
    await use(page);
    expect(problems).toEqual([]);
  },
});

export { expect };

/** Serves files at /given/<name>. */
export const serveFiles = async (page: Page, files: Readonly<Record<string, Uint8Array>>) => {
  await page.route('**/given/*', (route) => {
    const file = files[new URL(route.request().url()).pathname.replace('/given/', '')];
    return file ? route.fulfill({ body: Buffer.from(file) }) : route.fulfill({ status: 404, body: '' });
  });
};
