import { readConfig } from '../config.ts';
import { openDataFolder } from '../data-folder.ts';
import { moveDatabase } from '../db/move-database.ts';
import { withServersExcluded } from '../db/no-server.ts';
import { openExternal, openUnmigrated } from '../db/open-database.ts';
import { loadSettings } from '../load-settings.ts';
import { program } from '../program-name.ts';
import { progressOn } from '../progress.ts';
import { readOptions } from './options.ts';
import { type CommandOutput, help, outputOf } from './output.ts';
import { UsageError } from './usage.ts';

const moveHelp = `Usage: ${program} move-database --to URL

Copies the database of this installation to an empty database of another PostgreSQL (15 or later,
encoding UTF8): from the embedded one to your own, or between servers. Stop the server before. All
tables are copied from one snapshot and their rows are counted; users stay signed in. The database
that is copied from stays as it is. The files stay in the data folder.

Then set DATABASE_URL to the address, on every node, and start the server. To return, remove the
setting again: what was written in between stays in the new database.

Options:
  --to URL       the empty database: postgres://user@host/name. PGPASSWORD gives the password, since
                 other users of this machine can read arguments
  --data DIR     the data folder (default: DENTARIUM_DATA); DATABASE_URL names the database to copy
  --config FILE  the configuration file
  --json         prints one JSON object
  --help         prints this text

Exit codes: 0 copied, 1 not copied (one sentence on stderr), 2 wrong usage.
`;

const servedSource = 'A server uses the database of this installation: stop all servers first';
const servedTarget = 'The target database is in use: choose an empty one';
/** How long the target may take to answer. */
const targetWaitMs = 10_000;

/** @throws UsageError */
const targetOf = (given: string | undefined): URL => {
  if (given === undefined) throw new UsageError('move-database needs --to URL');
  if (!URL.canParse(given) || !/^postgres(ql)?:$/.test(new URL(given).protocol))
    throw new UsageError('--to is an address like postgres://user@host/name');
  return new URL(given);
};

/** Without its password, but with its place. */
const shownUrl = (url: URL): string => {
  const shown = new URL(url);
  if (shown.password !== '' || process.env.PGPASSWORD) shown.password = 'PASSWORD';
  return shown.href;
};

/** Copies the database to another PostgreSQL. @throws UsageError, DatabaseServed, TargetUnusable, StartupError */
export const moveDatabaseCommand = async (args: readonly string[]): Promise<CommandOutput> => {
  const { values: options } = readOptions(args, { to: { type: 'string' } });
  if (options.help) return help(moveHelp);
  const to = targetOf(options.to);
  const { dataFolder, databaseUrl, databaseOwnerUrl, databaseDirectUrl } = readConfig(loadSettings(options), {
    data: options.data,
  });
  process.umask(0o077);
  const { release } = openDataFolder(dataFolder, { exclusive: !databaseUrl, by: 'command' });
  try {
    const source = await openUnmigrated({ dataFolder, databaseUrl, databaseOwnerUrl, databaseDirectUrl });
    try {
      const target = await openExternal(to.href, { milliseconds: targetWaitMs }, { setting: '--to' });
      const { count } = progressOn(process.stderr);
      const move = () =>
        moveDatabase({
          source: source.database,
          target: target.database,
          onProgress: (done, total) => count('Database, tables', done, total),
        });
      try {
        const moved = await withServersExcluded(source.database.address, servedSource, () =>
          withServersExcluded(target.database.address, servedTarget, move),
        );
        return outputOf({ ...moved, setting: `DATABASE_URL=${shownUrl(to)}` }, { json: options.json });
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  } finally {
    release();
  }
};
