import { test as base } from '@playwright/test';
import { type Archive, startArchive } from './archive.ts';
import { demoFolder } from './demo-folder.ts';

/** Every journey runs against the real server with its demo clinic, drawn once a run. */
export const test = base.extend<object, { archive: Archive }>({
  archive: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      const archive = await startArchive(demoFolder());
      await use(archive);
      await archive.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ archive }, use) => use(archive.url),
});

export { expect } from '@playwright/test';
