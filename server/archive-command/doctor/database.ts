import { folderProblemText } from '../../archive-folder/folder-problem-text.ts';
import { matchFolder } from '../../archive-folder/open-folder.ts';
import { type DatabaseFacts, databaseFacts } from '../../db/database-facts.ts';
import { canAlterLog } from '../../db/server-role.ts';
import { program } from '../../program-name.ts';
import { nameOf } from '../../storage/home-of.ts';
import type { OpenArchiveForCommand } from '../open-archive.ts';
import { type Check, failure, failureOf, guarded, ok, warning } from './check.ts';

/** The pool of one server and its connections outside of it. */
const minConnections = 20;
const maxClockDifferenceMs = 2_000;

const settingsOf = ({ settings }: DatabaseFacts): Check => {
  const name = 'database settings';
  const { fsync, full_page_writes, synchronous_commit, max_connections, server_encoding } = settings;
  const unsafe = [
    ...(fsync === 'on' ? [] : ['fsync']),
    ...(full_page_writes === 'on' ? [] : ['full_page_writes']),
    ...(synchronous_commit === 'off' ? ['synchronous_commit'] : []),
  ];
  if (unsafe.length > 0)
    return failure(
      name,
      `${unsafe.join(', ')} off: a power cut loses or destroys data`,
      'Set to on in postgresql.conf, and reload PostgreSQL',
    );
  if (server_encoding !== 'UTF8')
    return failure(
      name,
      `the encoding is ${server_encoding}`,
      `Create a database with encoding UTF8 and copy this one with "${program} move-database"`,
    );
  if (Number(max_connections) < minConnections)
    return warning(
      name,
      `max_connections is ${max_connections}`,
      `Set at least ${minConnections} for each server in postgresql.conf, and restart PostgreSQL`,
    );
  return ok(name, `durable, UTF8, ${max_connections} connections`);
};

const migrationsOf = ({ pending, unknown }: DatabaseFacts): Check => {
  const name = 'migrations';
  if (unknown.length > 0)
    return failure(name, `the database is of a newer version (${unknown[0]})`, 'Install that version');
  if (pending.length > 0)
    return warning(name, `${pending.length} wait for the next start of the server`, 'Make a backup, then restart it');
  return ok(name, 'none waits');
};

const clockOf = ({ clockAheadMs }: DatabaseFacts): Check => {
  const name = 'clock of the database';
  const text = `${(Math.abs(clockAheadMs) / 1000).toFixed(1)} s ${clockAheadMs < 0 ? 'behind' : 'ahead of'} this machine`;
  return Math.abs(clockAheadMs) > maxClockDifferenceMs
    ? warning(name, text, 'Synchronize both clocks (NTP)')
    : ok(name, text);
};

/** The bundled database is checked as its superuser, who made a role without rights for the server. */
const roleOf = ({ db }: OpenArchiveForCommand, isEmbedded: boolean): Promise<Check> =>
  guarded('role of the server', 'Start the server, which migrates the database', async () => {
    const name = 'role of the server';
    if (isEmbedded || !(await canAlterLog(db))) return ok(name, 'cannot change entries of the access log');
    return warning(
      name,
      'the role of DATABASE_URL could change entries of the access log',
      'Set DATABASE_OWNER_URL, see "To a PostgreSQL of your own" in docs/operate.md',
    );
  });

const filesFolder = ({ db, root }: OpenArchiveForCommand): Promise<Check> =>
  guarded('files folder', 'Start the server, which migrates the database', async () => {
    const { kind } = await matchFolder(db, root);
    const name = 'files folder';
    if (kind === 'same') return ok(name, `${nameOf(root)} belongs to the database`);
    if (kind === 'unclaimed') return ok(name, 'is created by the first start of the server');
    if (kind === 'database-older')
      return warning(name, 'the database is older than the files', `See "${program} quarantine --help"`);
    return failureOf(name, folderProblemText(kind, root));
  });

/** Checks the database and the files folder, which belong together. */
export const checkDatabase = async (
  archive: OpenArchiveForCommand,
  { isEmbedded }: { readonly isEmbedded: boolean },
): Promise<readonly Check[]> => {
  const facts = await databaseFacts(archive.database);
  return [
    ok('database', `PostgreSQL ${facts.version} answers, ${(facts.sizeBytes / 1e6).toFixed(0)} MB`),
    settingsOf(facts),
    migrationsOf(facts),
    clockOf(facts),
    await roleOf(archive, isEmbedded),
    await filesFolder(archive),
  ];
};
