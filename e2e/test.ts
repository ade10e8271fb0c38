import { test as base } from '@playwright/test';
import { type Archive, newDataFolder, removeDataFolder, startArchive } from './archive.ts';

/** Every journey runs against the real server with its demo clinic, started once and thrown away at the end. */
export const test = base.extend<object, { archive: Archive }>({
  archive: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      const folder = await newDataFolder();
      const archive = await startArchive(folder);
      await use(archive);
      await archive.stop();
      await removeDataFolder(folder);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  baseURL: async ({ archive }, use) => use(archive.url),
});

export { expect } from '@playwright/test';
