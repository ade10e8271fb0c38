import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';
import { openInstalledPostgres } from './installed-postgres.ts';

const openBundled = (folder: string) =>
  openEmbeddedPostgres({ folder, settings: ['fsync=off', 'full_page_writes=off', 'max_connections=200'] });

/**
 * One PostgreSQL for the whole run, thrown away afterwards: the bundled one, or the installed one whose programs lie in
 * DENTARIUM_TEST_POSTGRES_BIN. None where DENTARIUM_TEST_DATABASE_URL names one that runs already.
 */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env.DENTARIUM_TEST_DATABASE_URL || process.env.DENTARIUM_TEST_SOCKET) return undefined;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-test-'));
  const cluster = path.join(folder, 'database');
  const bin = process.env.DENTARIUM_TEST_POSTGRES_BIN;
  if (bin) chmodSync(folder, 0o755);
  const postgres = bin ? await openInstalledPostgres(bin, cluster) : await openBundled(cluster);
  process.env.DENTARIUM_TEST_SOCKET = postgres.host;
  return async () => {
    delete process.env.DENTARIUM_TEST_SOCKET;
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  };
};

export default setup;
