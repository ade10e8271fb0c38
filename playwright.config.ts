import { defineConfig } from '@playwright/test';

const browser = process.env.DENTARIUM_CHROMIUM ?? '/usr/bin/chromium';

/** The browser's own suites: `gpu` compares pixels, `e2e` walks the journeys against the real server. */
export default defineConfig({
  // Each worker has a server and a browser of its own, and much of its time is waiting.
  workers: 2,
  forbidOnly: true,
  timeout: 180_000,
  // A machine that draws without a GPU, and makes the demo's pictures meanwhile, takes its time.
  expect: { timeout: 45_000 },
  outputDir: 'test-results/playwright',
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [['list'], ['json']] : [['list']],
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: browser,
      args: [
        '--no-sandbox',
        '--enable-unsafe-swiftshader',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
        '--no-first-run',
      ],
    },
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'gpu', testDir: 'tests/gpu' },
    { name: 'demo', testDir: 'e2e', testMatch: 'demo-clinic.setup.ts', timeout: 600_000 },
    { name: 'e2e', testDir: 'e2e/journeys', dependencies: ['demo'] },
  ],
});
