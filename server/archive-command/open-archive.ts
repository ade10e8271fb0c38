import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Config } from '../config.ts';
import { DataFolderInUse, openDataFolder } from '../data-folder.ts';
import { connect, type Database } from '../db/client.ts';
import { hasEmbeddedDatabase, openDatabase } from '../db/open-database.ts';
import { isResponding, readPostmaster, superuser } from '../db/postmaster.ts';
import type { Schema } from '../db/schema.ts';
import { openFilesRoot } from '../files-root.ts';
import { progressOn } from '../progress.ts';
import { StartupError } from '../startup-error.ts';
import type { FilesRoot } from '../storage/files-home.ts';

export interface OpenArchiveForCommand {
  readonly database: Database;
  readonly db: Kysely<Schema>;
  /** The files of the archive. */
  readonly root: FilesRoot;
  close(): Promise<void>;
}

/** Connection to the bundled database of a running server; null when none answers. */
const ofRunningServer = async (dataFolder: string) => {
  const folder = path.join(dataFolder, 'database');
  const found = readPostmaster(folder);
  if (!found || !(await isResponding(found.socketFolder, folder))) return null;
  return connect({ host: found.socketFolder, user: superuser, database: 'dentarium' });
};

/** A server that starts or ends has locked the data folder, but its database does not answer. */
const waitMs = 30_000;
const pauseMs = 250;

/**
 * Opens the database and the files folder of an installation, whether its server is running or not; waits for a server that starts or ends.
 * `open`: with or without migrating a database whose server does not run.
 * @throws StartupError
 */
export const openArchiveForCommand = async (
  config: Pick<Config, 'dataFolder' | 'databaseUrl' | 'databaseOwnerUrl'> &
    Partial<Pick<Config, 'databaseDirectUrl' | 'filesBucket'>>,
  open: typeof openDatabase = openDatabase,
  onWait = (pid: string) => progressOn(process.stderr).step(`Waiting for the database of the server (process ${pid})`),
): Promise<OpenArchiveForCommand> => {
  const { dataFolder, databaseUrl, databaseOwnerUrl, databaseDirectUrl } = config;
  const root = await openFilesRoot(config);
  if (!databaseUrl && !hasEmbeddedDatabase(dataFolder))
    throw new StartupError(
      `There is no archive in ${dataFolder}: mount its disk, or name its data folder with DENTARIUM_DATA`,
    );
  const openAlone = async (): Promise<OpenArchiveForCommand> => {
    const { release } = openDataFolder(dataFolder, { exclusive: !databaseUrl, by: 'command' });
    try {
      const { database, close } = await open({ dataFolder, databaseUrl, databaseOwnerUrl, databaseDirectUrl });
      return { database, db: database.db, root, close: () => close().finally(release) };
    } catch (error) {
      release();
      throw error;
    }
  };
  const deadline = performance.now() + waitMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openAlone();
    } catch (error) {
      const running = error instanceof StartupError && !databaseUrl ? await ofRunningServer(dataFolder) : null;
      if (running) return { database: running, db: running.db, root, close: running.close };
      if (!(error instanceof DataFolderInUse) || error.by === 'command' || performance.now() > deadline) throw error;
      if (attempt === 1) onWait(error.pid);
      await pause(pauseMs);
    }
  }
};
