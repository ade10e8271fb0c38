import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** What was walked of the machines is taken down when a report of it is wanted (tests/cover/README.md). */
const walked = process.env.DENTARIUM_COVER ? { setupFiles: ['tests/cover/set-up.ts'] } : {};

const node = (name: string, extra: object = {}) => ({
  extends: true as const,
  test: { name, include: [`tests/${name}/**/*.test.ts`], environment: 'node' as const, ...extra },
});

/** These start their own embedded database or none, or are about other things than it and long: on another PostgreSQL they would only say the same again. */
const ofNoOtherDatabase = [
  ...['start', 'embedded-postgres', 'demo-files', 'demo-phantom', 'kills', 'storage', 'web', 'authorization/matrix'],
  ...['aws', 'aws-config', 'aws-crash', 'bank-id', 'unpack-fuzz', 'upstream', 'upstream-away', 'upstream-key'],
];
const onOtherPostgres = {
  exclude: process.env.DENTARIUM_TEST_POSTGRES_BIN
    ? ofNoOtherDatabase.map((name) => `tests/server/${name}.test.ts`)
    : [],
};

/** The folder of a test decides how it runs. The browser's own suites (tests/gpu, e2e) belong to Playwright. */
export default defineConfig({
  plugins: [react()],
  test: {
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // On two cores Vitest would work on one: much of these tests is other programs' work (PostgreSQL, servers that are killed).
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      { extends: true, test: { name: 'architecture', include: ['tests/*.test.ts'], environment: 'node' } },
      node('contract'),
      node('dicom', { testTimeout: 120_000 }),
      node('machines', { testTimeout: 60_000, ...walked }),
      node('services', walked),
      node('inspect'),
      node('viewer'),
      node('server', { globalSetup: ['tests/server/global-setup.ts'], testTimeout: 120_000, ...onOtherPostgres }),
      {
        extends: true,
        test: { name: 'views', include: ['tests/views/**/*.test.{ts,tsx}'], environment: 'jsdom', ...walked },
      },
    ],
  },
});
