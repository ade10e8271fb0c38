import { test as base, expect } from '@playwright/test';
import { type Archive, removeDataFolder, startArchive } from './archive.ts';
import { copyDemoFolder } from './demo-folder.ts';
import { type StandIns, startStandIns } from './stand-ins.ts';

/** Every journey runs against the real server; each worker has its own copy of the demo clinic. */
interface WorkerFixtures {
  archive: Archive;
  /** Set with `test.use` in files whose users sign in by other methods than password. */
  withStandIns: boolean;
  standIns: StandIns | null;
}

export const test = base.extend<{ cspEnforced: undefined }, WorkerFixtures>({
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
      const folder = await copyDemoFolder();
      const archive = await startArchive(folder, { environment: standIns?.environment ?? {} });
      await use(archive);
      await archive.stop();
      await removeDataFolder(folder);
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  // Browsers only log violations of the content security policy; here they fail the test.
  cspEnforced: [
    async ({ context }, use) => {
      const broken: string[] = [];
      context.on('console', (message) => {
        if (/Content Security Policy/i.test(message.text())) broken.push(message.text());
      });
      // A blocked `eval` with a fallback is not logged.
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
