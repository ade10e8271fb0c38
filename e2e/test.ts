import { test as base, expect } from '@playwright/test';
import { type Archive, startArchive } from './archive.ts';
import { demoFolder } from './demo-folder.ts';
import { type StandIns, startStandIns } from './stand-ins.ts';

/** Every journey runs against the real server with its demo clinic, drawn once a run. */
interface WorkerFixtures {
  archive: Archive;
  /** Set by `test.use` in a file whose people sign in otherwise than by password. */
  withStandIns: boolean;
  standIns: StandIns | null;
}

export const test = base.extend<{ policyKept: undefined }, WorkerFixtures>({
  withStandIns: [false, { option: true, scope: 'worker' }],
  standIns: [
    async ({ withStandIns }, use) => {
      const standIns = withStandIns ? await startStandIns() : null;
      await use(standIns);
      await standIns?.close();
    },
    { scope: 'worker' },
  ],
  archive: [
    async ({ standIns }, use) => {
      const archive = await startArchive(demoFolder(), { environment: standIns?.environment ?? {} });
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
      // Of `eval` that something tries and does without, the console says nothing.
      await context.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
          console.error('Content Security Policy', effectiveDirective, blockedURI, sourceFile),
        );
      });
      await use(undefined);
      expect(broken).toEqual([]);
    },
    { auto: true },
  ],
  baseURL: async ({ archive }, use) => use(archive.url),
});

export { expect };
