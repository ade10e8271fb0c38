import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import { connect, type Database } from '../../server/db/client.ts';
import { migrate } from '../../server/db/migrate.ts';
import { addTwoClinics } from './clinic.ts';
import { type MortalPostgres, mortalPostgres } from './killable-postgres.ts';
import { type RunningServer, runServer } from './running-server.ts';

/** Starts a server on a PostgreSQL that tests stop, and starts the database again before each test. */
export const unavailableDatabase = () => {
  let postgres: MortalPostgres;
  let database: Database;
  let server: RunningServer;
  let clinics: Awaited<ReturnType<typeof addTwoClinics>>;

  beforeEach(async () => {
    if (!postgres.isRunning()) await postgres.start();
  });
  beforeAll(async () => {
    postgres = await mortalPostgres();
    database = connect(postgres.address);
    await migrate(database.db);
    clinics = await addTwoClinics(database.db);
    server = await runServer(database, { hubPingMilliseconds: 100 });
  });
  afterAll(async () => {
    if (!postgres.isRunning()) await postgres.start();
    await server.close();
    await database.close();
    await postgres.close();
  });

  const statusOf = async (path: string) => (await fetch(`${server.url}${path}`)).status;
  const isReady = () => vi.waitFor(async () => expect(await statusOf('/health/ready')).toBe(200), 20_000);
  return {
    postgres: () => postgres,
    database: () => database,
    server: () => server,
    clinics: () => clinics,
    statusOf,
    isReady,
  };
};
