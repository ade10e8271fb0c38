import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';
import { memoryFolder } from '../memory-folder.ts';
import { openInstalledPostgres } from './installed-postgres.ts';

const openBundled = (folder: string) =>
  openEmbeddedPostgres({ folder, settings: ['fsync=off', 'full_page_writes=off', 'max_connections=200'] });

/**
 * Starts one temporary PostgreSQL for the whole run: the bundled one, or the installed one in DENTARIUM_TEST_POSTGRES_BIN. None if
 * DENTARIUM_TEST_DATABASE_URL names a running server. Its folder also keeps what tests share.
 */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env.DENTARIUM_TEST_DATABASE_URL || process.env.DENTARIUM_TEST_SOCKET) return undefined;
  const folder = mkdtempSync(path.join(memoryFolder(), 'dentarium-test-'));
  const cluster = path.join(folder, 'database');
  const binFolder = process.env.DENTARIUM_TEST_POSTGRES_BIN;
  if (binFolder) chmodSync(folder, 0o755);
  const postgres = binFolder ? await openInstalledPostgres(binFolder, cluster) : await openBundled(cluster);
  process.env.DENTARIUM_TEST_SOCKET = postgres.host;
  process.env.DENTARIUM_TEST_FOLDER = folder;
  return async () => {
    delete process.env.DENTARIUM_TEST_SOCKET;
    delete process.env.DENTARIUM_TEST_FOLDER;
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  };
};

export default setup;
