import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';

/** One PostgreSQL for the whole run, thrown away afterwards; or the one that DENTARIUM_TEST_DATABASE_URL names. */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env.DENTARIUM_TEST_DATABASE_URL || process.env.DENTARIUM_TEST_SOCKET) return undefined;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-test-'));
  const postgres = await openEmbeddedPostgres({
    folder: path.join(folder, 'database'),
    settings: ['fsync=off', 'full_page_writes=off', 'max_connections=200'],
  });
  process.env.DENTARIUM_TEST_SOCKET = postgres.host;
  return async () => {
    delete process.env.DENTARIUM_TEST_SOCKET;
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  };
};

export default setup;
