import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import pg from 'pg';
import { type Address, connect, type Database } from '../../server/db/client.ts';
import { migrate } from '../../server/db/migrate.ts';
import { migrations } from '../../server/db/migrations.ts';
import type { Schema } from '../../server/db/schema.ts';
import { setup } from './global-setup.ts';

export interface TestDatabase {
  readonly db: Kysely<Schema>;
  readonly database: Database;
  readonly address: Address;
  close(): Promise<void>;
}

const serverAddress = (): Address =>
  process.env.DENTARIUM_TEST_DATABASE_URL
    ? { connectionString: process.env.DENTARIUM_TEST_DATABASE_URL }
    : { host: process.env.DENTARIUM_TEST_SOCKET, user: 'postgres' };

const inDatabase = (address: Address, name: string): Address => {
  if (!address.connectionString) return { ...address, database: name };
  const url = new URL(address.connectionString);
  url.pathname = `/${name}`;
  return { connectionString: url.href };
};

const admin = async <T>(address: Address, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(inDatabase(address, 'postgres'));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** The first test file creates the migrated template; the others wait for it. */
const ensureTemplate = (address: Address): Promise<string> =>
  admin(address, async (client) => {
    const name = `dentarium_template_${Object.keys(migrations).at(-1)}_${process.ppid}`.replace(/\W/g, '_');
    await client.query('select pg_advisory_lock(4711)');
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return name;
    await client.query(`create database "${name}_draft" template template0 encoding 'UTF8'`);
    const draft = connect(inDatabase(address, `${name}_draft`), { connections: 1 });
    await migrate(draft.db);
    await draft.close();
    await client.query(`alter database "${name}_draft" rename to "${name}"`);
    return name;
  });

const opened = (server: Address, name: string, teardown?: () => Promise<void>): TestDatabase => {
  const address = inDatabase(server, name);
  const database = connect(address);
  return {
    db: database.db,
    database,
    address,
    close: async () => {
      await database.close();
      await admin(server, (client) => client.query(`drop database "${name}" with (force)`));
      await teardown?.();
    },
  };
};

const newName = () => `test_${randomUUID().replaceAll('-', '')}`;

/** Copies an idle database as it is now, like a restored backup. */
export const copyDatabase = async ({ database }: TestDatabase): Promise<TestDatabase> => {
  const { rows } = await database.pool.query<{ name: string }>('select current_database() as name');
  const [source, name] = [rows[0]?.name ?? '', newName()];
  await admin(serverAddress(), async (client) => {
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [source]);
    await client.query(`create database "${name}" template "${source}"`);
  });
  return opened(serverAddress(), name);
};

/** For DATABASE_URL of a child process. */
export const urlOf = ({ connectionString, host = '', user = '', database = '' }: Address): string =>
  connectionString ?? `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}`;

/** Creates a database with all tables for one test file. Close it in `afterAll`. */
export const testDatabase = async (): Promise<TestDatabase> => {
  // Without the global setup (a single file run manually) this file starts its own server.
  const teardown = await setup();
  const server = serverAddress();
  const template = await ensureTemplate(server);
  const name = newName();
  await admin(server, (client) => client.query(`create database "${name}" template "${template}" strategy file_copy`));
  return opened(server, name, teardown);
};
