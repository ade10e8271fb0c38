import { availableParallelism } from 'node:os';
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { SlowFirst } from './tests/slow-first.ts';
import { textPacks } from './vite-text-packs.ts';

/** Records what the tests cover of the machines when DENTARIUM_COVER is set (tools/coverage/README.md). */
const walked = process.env.DENTARIUM_COVER ? { setupFiles: ['tools/coverage/set-up.ts'], isolate: true } : {};

const node = (name: string, extra: object = {}) => ({
  extends: true as const,
  test: { name, include: [`tests/${name}/**/*.test.ts`], environment: 'node' as const, ...extra },
});

/** Test files of one worker share loaded modules: for projects whose tests leave nothing behind in them. */
const shared = { isolate: false };
const server = { globalSetup: ['tests/server/global-setup.ts'], testTimeout: 120_000 };
/** These replace modules, which others may have loaded before them. With an `exclude` of its own, a project ignores `--exclude`. */
const withMocks = ['tests/server/password.test.ts'];

/** The folder of a test decides how it runs, tests/tiers.mjs when. The browser's own suites (tests/gpu, e2e) belong to Playwright. */
export default defineConfig({
  plugins: [react(), textPacks()],
  test: {
    // Tests start some hundred servers, which share their compiled modules.
    env: { NODE_COMPILE_CACHE: path.join(import.meta.dirname, 'node_modules/.cache/compiled') },
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // A busy machine needs more than the second that Vitest gives a condition to come true.
    expect: { poll: { timeout: 20_000 } },
    // On two cores Vitest would work on one: much of these tests is other programs' work (PostgreSQL, servers that are killed).
    maxWorkers: Math.max(2, availableParallelism() - 1),
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'architecture',
          include: ['tests/*.test.ts', 'tools/**/*.test.ts'],
          environment: 'node',
          ...shared,
        },
      },
      node('contract', shared),
      node('dicom', { testTimeout: 120_000, ...shared }),
      node('machines', { testTimeout: 60_000, ...shared, ...walked }),
      node('services', walked),
      node('inspect', shared),
      node('viewer', shared),
      node('package'),
      node('server', {
        ...server,
        ...shared,
        include: ['tests/server/**/*.test.ts', ...withMocks.map((file) => `!${file}`)],
      }),
      node('server', { ...server, name: 'server with mocks', include: withMocks }),
      {
        extends: true,
        test: {
          name: 'views',
          include: ['tests/views/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          // Isolates files like processes do, in half the time.
          pool: 'vmThreads',
          ...walked,
          setupFiles: ['tests/views/set-up.ts', ...(walked.setupFiles ?? [])],
        },
      },
    ],
  },
});
