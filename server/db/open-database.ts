import path from 'node:path';
import { sql } from 'kysely';
import { StartupError } from '../startup-error.ts';
import { type Address, type ConnectOptions, connect, type Database } from './client.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { type EmbeddedPostgresOptions, openEmbeddedPostgres } from './embedded-postgres.ts';
import { ensureHearsItself } from './hears-itself.ts';
import { appliedMigrations, migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { isCluster } from './postgres-cluster.ts';
import type { Outage } from './restarts.ts';
import { embeddedRole, ensureEmbeddedRole, grantServerRights } from './server-role.ts';
import { untilAvailable, type Waiting } from './until-available.ts';

export interface OpenDatabase {
  readonly database: Database;
  /** Closes the connections, and the bundled PostgreSQL if this process started it. */
  close(): Promise<void>;
}

const name = 'dentarium';
/** PostgreSQL 15 in the format of `server_version_num`. */
const oldest = 150_000;

const ensureDatabase = async (address: Address): Promise<void> => {
  const postgres = connect({ ...address, database: 'postgres' }, { connections: 1 });
  try {
    const { rows } = await sql`select 1 from pg_database where datname = ${name}`.execute(postgres.db);
    if (rows.length === 0) await sql.raw(`create database ${name}`).execute(postgres.db);
  } finally {
    await postgres.close();
  }
};

const refuseOld = async ({ db }: Database, setting: string): Promise<void> => {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::int as version`.execute(
    db,
  );
  if ((rows[0]?.version ?? 0) < oldest)
    throw new StartupError(`The database of ${setting} is older than PostgreSQL 15`);
};

const reasonOf = (error: unknown): string => {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  // A host with several addresses fails with an AggregateError, which has no message of its own.
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
};

interface ExternalOptions extends Pick<ConnectOptions, 'connections'> {
  /** Where its address was given, for errors. */
  readonly setting?: string;
  readonly directUrl?: string | undefined;
}

/** Opens a database of another PostgreSQL. @throws StartupError */
export const openExternal = async (
  connectionString: string,
  { onWait, milliseconds }: Waiting,
  { setting = 'DATABASE_URL', directUrl, connections }: ExternalOptions = {},
): Promise<OpenDatabase> => {
  const direct = directUrl === undefined ? undefined : { connectionString: directUrl };
  const database = connect({ connectionString }, { connections, direct });
  const check = async () => {
    await refuseOld(database, setting);
    await ensureHearsItself(database, { setting, hasDirect: direct !== undefined });
  };
  try {
    await untilAvailable(check, { milliseconds, ...(onWait && { onWait }) });
  } catch (error) {
    await database.close();
    if (error instanceof StartupError) throw error;
    throw new StartupError(`The database of ${setting} does not answer: ${reasonOf(error)}`);
  }
  return { database, close: database.close };
};

const clusterFolder = (dataFolder: string): string => path.join(dataFolder, 'database');

/** Returns whether a data folder has an embedded database. */
export const hasEmbeddedDatabase = (dataFolder: string): boolean => isCluster(clusterFolder(dataFolder));

const embedded = async (dataFolder: string, listener: DatabaseListener, waiting: Waiting): Promise<OpenDatabase> => {
  const postgres = await openEmbeddedPostgres({ folder: clusterFolder(dataFolder), ...listener });
  const address = { host: postgres.host, user: postgres.user };
  try {
    await untilAvailable(() => ensureDatabase(address), waiting);
  } catch (error) {
    await postgres.close();
    throw error;
  }
  const database = connect({ ...address, database: name });
  const close = async () => {
    await database.close();
    await postgres.close();
  };
  return { database, close };
};

/** Continues on an embedded database as the role of the server, without the rights of the superuser who migrated it. */
const asServerRole = async (
  { database: owner, close }: OpenDatabase,
  connections: number | undefined,
): Promise<OpenDatabase> => {
  await ensureEmbeddedRole(owner.db);
  await grantServerRights(owner.db, embeddedRole);
  const database = connect({ ...owner.address, user: embeddedRole }, { connections });
  return {
    database,
    close: async () => {
      await database.close();
      await close();
    },
  };
};

/** Continues on another database as the role of DATABASE_URL, which DATABASE_OWNER_URL has migrated it for. */
const asUserOf = async (
  { database: owner, close }: OpenDatabase,
  databaseUrl: string,
  waiting: Waiting,
  options: ExternalOptions,
): Promise<OpenDatabase> => {
  const open = await openExternal(databaseUrl, waiting, options);
  try {
    const { rows } = await sql<{ role: string }>`select current_user as role`.execute(open.database.db);
    await grantServerRights(owner.db, rows[0]?.role ?? '');
    if ((await appliedMigrations(open.database.db)).length < Object.keys(migrations).length)
      throw new StartupError('DATABASE_URL and DATABASE_OWNER_URL are different databases');
    return open;
  } catch (error) {
    await open.database.close();
    throw error;
  } finally {
    await close();
  }
};

export interface DatabaseListener extends Outage, Pick<EmbeddedPostgresOptions, 'progress'> {}

export interface DatabaseOptions {
  readonly databaseUrl?: string | undefined;
  /** Migrates the database when DATABASE_URL names a role without the right to. */
  readonly databaseOwnerUrl?: string | undefined;
  /** The same database without a pooler. */
  readonly databaseDirectUrl?: string | undefined;
  /** Most connections of the pool. */
  readonly databaseConnections?: number;
  readonly dataFolder: string;
  /** How long a start waits for a database that does not respond. */
  readonly databaseWaitSeconds?: number;
}

const externalOf = ({ databaseDirectUrl, databaseConnections }: DatabaseOptions): ExternalOptions => ({
  directUrl: databaseDirectUrl,
  connections: databaseConnections,
});

const defaultWaitSeconds = 60;

const waitingOf = (seconds: number, { progress }: DatabaseListener): Waiting => ({
  milliseconds: seconds * 1_000,
  onWait: () => progress?.(`Waiting for the database, at most ${seconds} seconds`),
});

/**
 * Opens the database of the installation as it is, as the owner of its tables: that of DATABASE_URL, else the bundled one in the data folder. Waits until it is available.
 * @throws StartupError, DatabaseUnavailable
 */
export const openUnmigrated = (options: DatabaseOptions, listener: DatabaseListener = {}): Promise<OpenDatabase> => {
  const { databaseUrl, databaseOwnerUrl, dataFolder, databaseWaitSeconds = defaultWaitSeconds } = options;
  const waiting = waitingOf(databaseWaitSeconds, listener);
  const external = externalOf(options);
  if (databaseOwnerUrl) return openExternal(databaseOwnerUrl, waiting, { ...external, setting: 'DATABASE_OWNER_URL' });
  return databaseUrl ? openExternal(databaseUrl, waiting, external) : embedded(dataFolder, listener, waiting);
};

/** As `openUnmigrated`, with the tables of this version. @throws StartupError, DatabaseUnavailable */
export const openDatabase = async (
  options: DatabaseOptions,
  listener: DatabaseListener = {},
): Promise<OpenDatabase> => {
  const { databaseUrl, databaseOwnerUrl, databaseWaitSeconds = defaultWaitSeconds } = options;
  const waiting = waitingOf(databaseWaitSeconds, listener);
  const open = await openUnmigrated(options, listener);
  try {
    await untilAvailable(() => migrate(open.database.db), waiting);
    if (!databaseUrl) return await asServerRole(open, options.databaseConnections);
    return databaseOwnerUrl ? await asUserOf(open, databaseUrl, waiting, externalOf(options)) : open;
  } catch (error) {
    await open.close();
    throw error;
  }
};
