import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { connect, type Database } from '../db/client.ts';
import { appliedMigrations } from '../db/migrate.ts';
import { migrations } from '../db/migrations.ts';
import { isResponding, readPostmaster } from '../db/postmaster.ts';
import { embeddedRole } from '../db/server-role.ts';
import { StartupError } from '../startup-error.ts';

const pauseMs = 500;

/** Returns where the bundled database of a running server answers; null while none does. */
const bundledAddress = async (dataFolder: string) => {
  const folder = path.join(dataFolder, 'database');
  const found = readPostmaster(folder);
  if (!found || !(await isResponding(found.socketFolder, folder))) return null;
  return { host: found.socketFolder, user: embeddedRole, database: 'dentarium' };
};

const isPrepared = async ({ db }: Database): Promise<boolean> =>
  (await appliedMigrations(db).catch(() => [])).length >= Object.keys(migrations).length;

/**
 * Connects to the database of the server, which starts and migrates it: waits until the tables of this version are there.
 * @throws StartupError when that takes too long; the reason of `signal`
 */
export const openServedDatabase = async (
  {
    dataFolder,
    databaseUrl,
    databaseWaitSeconds,
    databaseConnections,
  }: Pick<Config, 'dataFolder' | 'databaseUrl' | 'databaseWaitSeconds' | 'databaseConnections'>,
  signal: AbortSignal,
  report: (text: string) => void,
): Promise<Database> => {
  const deadline = performance.now() + databaseWaitSeconds * 1_000;
  for (let attempt = 1; ; attempt += 1) {
    const address = databaseUrl ? { connectionString: databaseUrl } : await bundledAddress(dataFolder);
    if (address) {
      const database = connect(address, { connections: databaseConnections });
      if (await isPrepared(database)) return database;
      await database.close();
    }
    if (performance.now() > deadline)
      throw new StartupError('The database of the server does not answer: start the server of this version first');
    if (attempt === 1) report('Waiting for the database of the server');
    await pause(pauseMs, undefined, { signal });
  }
};
