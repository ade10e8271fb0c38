import path from 'node:path';
import pg from 'pg';
import { StartRefused } from '../start-refused.ts';
import { type Address, connect, type Database } from './client.ts';
import { type EmbeddedPostgresOptions, openEmbeddedPostgres } from './embedded-postgres.ts';
import { migrate } from './migrate.ts';

export interface OpenDatabase {
  readonly database: Database;
  /** Ends the connections, and the bundled PostgreSQL when it is ours. */
  close(): Promise<void>;
}

const name = 'dentarium';
/** PostgreSQL 15, as `server_version_num` writes it. */
const oldest = 150_000;

const ensureDatabase = async (address: Address): Promise<void> => {
  const client = new pg.Client({ ...address, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (!rowCount) await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
};

const refuseOld = async (database: Database): Promise<void> => {
  const { rows } = await database.pool
    .query<{ version: number }>("select current_setting('server_version_num')::int as version")
    .catch((error: unknown) => {
      throw new StartRefused(
        `The database of DATABASE_URL does not answer: ${error instanceof Error ? error.message : error}`,
      );
    });
  if ((rows[0]?.version ?? 0) < oldest)
    throw new StartRefused('The database of DATABASE_URL is older than PostgreSQL 15');
};

const external = async (connectionString: string): Promise<OpenDatabase> => {
  const database = connect({ connectionString });
  await refuseOld(database);
  return { database, close: database.close };
};

const embedded = async (
  dataFolder: string,
  listener: Pick<EmbeddedPostgresOptions, 'progress' | 'onLost'>,
): Promise<OpenDatabase> => {
  const postgres = await openEmbeddedPostgres({ folder: path.join(dataFolder, 'database'), ...listener });
  const address = { host: postgres.host, user: postgres.user };
  try {
    await ensureDatabase(address);
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

/** The database of the installation with all its tables: the one that DATABASE_URL names, else the bundled one in the data folder. */
export const openDatabase = async (
  options: { readonly databaseUrl?: string | undefined; readonly dataFolder: string },
  listener: Pick<EmbeddedPostgresOptions, 'progress' | 'onLost'> = {},
): Promise<OpenDatabase> => {
  const open = options.databaseUrl ? await external(options.databaseUrl) : await embedded(options.dataFolder, listener);
  try {
    await migrate(open.database.db);
  } catch (error) {
    await open.close();
    throw error;
  }
  return open;
};
