import path from 'node:path';
import { parseArgs } from 'node:util';
import packageFile from '../package.json' with { type: 'json' };
import { buildServer } from './build.ts';
import { closing } from './closing.ts';
import { type Config, readConfig } from './config.ts';
import { openDataFolder } from './data-folder.ts';
import { openDatabase } from './db/open-database.ts';
import { ensureBuiltInRoles } from './db/stores/role-store.ts';
import { firstAdministratorOf } from './identity/first-administrator.ts';
import { ensurePortFree, listen } from './listen.ts';
import { openLog } from './log.ts';
import { progressOn } from './progress.ts';
import { ensureStandardTemplates } from './resource/standard-templates.ts';
import { screenOf } from './screen.ts';
import { demoAccountsOf } from './seed/demo-accounts.ts';
import { isDemoWanted, seedDemo } from './seed/seed-demo.ts';
import { StartRefused } from './start-refused.ts';

const root = path.dirname(import.meta.dirname);
const opened = closing();
const progress = progressOn(process.stdout);
const stopping = new AbortController();

const versions = {
  adminVersion: packageFile.version,
  gitCommitNumber: process.env.DENTARIUM_COMMIT ?? 'development',
  dataLibraryVersion: packageFile.version,
};

const flags = () => {
  try {
    const { 'seed-only': seedOnly, ...rest } = parseArgs({
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        data: { type: 'string' },
        empty: { type: 'boolean' },
        'seed-only': { type: 'boolean' },
        dev: { type: 'boolean' },
      },
    }).values;
    return { ...rest, seedOnly };
  } catch (error) {
    throw new StartRefused(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
};

const databaseLost = () =>
  void failed(new StartRefused('The database ended by itself; see database.log in the data folder'));

const start = async (): Promise<void> => {
  const config: Config = readConfig(process.env, flags());
  const { dataFolder } = config;
  if (!config.seedOnly) await ensurePortFree(config);
  opened.add(openDataFolder(dataFolder, { alone: !config.databaseUrl }).release);
  // From here on everything that we write is ours alone.
  process.umask(0o077);
  const log = openLog(path.join(dataFolder, 'server.log'), config.logLevel);
  const { database, close } = await openDatabase(config, { progress: progress.step, onLost: databaseLost });
  opened.add(close);
  const { db } = database;
  await ensureBuiltInRoles(db);
  await ensureStandardTemplates(db);
  if (!config.empty && (await isDemoWanted(db)))
    await seedDemo({ db, dataFolder, signal: stopping.signal }, (done, total) =>
      progress.count('Drawing the demo clinic, images', done, total),
    );
  if (config.seedOnly) return opened.closeAll();

  const address = config.publicUrl ?? `http://localhost:${config.port}`;
  const demoAccounts = () => demoAccountsOf(db);
  const { server } = await buildServer({
    database,
    log,
    publicUrl: address,
    trustProxy: config.trustProxy,
    dataFolder,
    renditionBytes: config.renditionGb * 1e9,
    objectStore: config.objectStore,
    imports: config.imports,
    identity: config.identity,
    accessLogYears: config.accessLogYears,
    browserFolder: config.dev ? null : path.join(root, 'dist'),
    checkReplies: config.dev,
    versions,
    demoAccounts,
  });
  opened.add(() => server.close());
  await listen(server, config);
  const firstAdministratorKey = await firstAdministratorOf(db).newKey();
  console.log(screenOf({ address, dataFolder, demoAccounts: await demoAccounts(), firstAdministratorKey }));
};

const failed = async (error: unknown): Promise<void> => {
  if (!stopping.signal.aborted) console.error(error instanceof StartRefused ? error.message : error);
  await opened.closeAll().catch(() => undefined);
  process.exit(1);
};

const started = start();
/** The first signal closes everything in order, a second one ends at once. */
const stop = async (): Promise<void> => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  stopping.abort();
  await started;
  await opened.closeAll();
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop().catch(failed));
await started.catch(failed);
