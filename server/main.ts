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
import { listen } from './listen.ts';
import { openLog } from './log.ts';
import { screenOf } from './screen.ts';
import { StartRefused } from './start-refused.ts';

const root = path.dirname(import.meta.dirname);
const opened = closing();
const progress = (line: string) => console.log(`  ${line} ...`);

const versions = {
  adminVersion: packageFile.version,
  gitCommitNumber: process.env.DENTARIUM_COMMIT ?? 'development',
  dataLibraryVersion: packageFile.version,
};

const flags = () => {
  try {
    return parseArgs({
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        data: { type: 'string' },
        empty: { type: 'boolean' },
        'seed-only': { type: 'boolean' },
        dev: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new StartRefused(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
};

const start = async (config: Config): Promise<void> => {
  opened.add(openDataFolder(config.dataFolder, { alone: !config.databaseUrl }).release);
  // From here on everything that we write is ours alone.
  process.umask(0o077);
  const log = openLog(path.join(config.dataFolder, 'server.log'), config.logLevel);
  const { database, close } = await openDatabase(config, progress);
  opened.add(close);
  await ensureBuiltInRoles(database.db);
  if (config.seedOnly) return opened.closeAll();

  const address = config.publicUrl ?? `http://localhost:${config.port}`;
  const demoAccounts = async () => [];
  const { server } = await buildServer({
    database,
    log,
    publicUrl: address,
    trustProxy: config.trustProxy,
    dataFolder: config.dataFolder,
    browserFolder: config.dev ? null : path.join(root, 'dist'),
    checkReplies: config.dev,
    versions,
    demoAccounts,
  });
  opened.add(() => server.close());
  await listen(server, config);
  console.log(
    screenOf({
      address,
      dataFolder: config.dataFolder,
      demoAccounts: await demoAccounts(),
      firstAdministratorKey: await firstAdministratorOf(database.db).newKey(),
    }),
  );
};

const stop = async (): Promise<void> => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  await opened.closeAll();
  process.exit(0);
};

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());

try {
  const { 'seed-only': seedOnly, ...rest } = flags();
  await start(readConfig(process.env, { ...rest, seedOnly }));
} catch (error) {
  console.error(error instanceof StartRefused ? error.message : error);
  await opened.closeAll().catch(() => undefined);
  process.exit(1);
}
