import { test as base, expect } from '@playwright/test';
import { type Archive, startArchive } from './archive.ts';
import { demoFolder } from './demo-folder.ts';

/** Every journey runs against the real server with its demo clinic, drawn once a run. */
export const test = base.extend<{ policyKept: undefined }, { archive: Archive }>({
  archive: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      const archive = await startArchive(demoFolder());
      await use(archive);
      await archive.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  // What the content security policy forbids is forgotten by browsers without a word; here it fails the journey.
  policyKept: [
    async ({ context }, use) => {
      const broken: string[] = [];
      context.on('console', (message) => {
        if (/Content Security Policy/i.test(message.text())) broken.push(message.text());
      });
      await use(undefined);
      expect(broken).toEqual([]);
    },
    { auto: true },
  ],
  baseURL: async ({ archive }, use) => use(archive.url),
});

export { expect };
