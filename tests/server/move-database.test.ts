import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { moveDatabase } from '../../server/db/move-database.ts';
import { archiveCommand } from './archive-command.ts';
import { startChild } from './child-server.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase, urlOf } from './database.ts';
import { contentsOf, fillTables } from './fill-tables.ts';
import { bearer, signIn } from './running-server.ts';
import { becomeAdministrator, startedServers } from './started-servers.ts';

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.close();
});
const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const createDatabase = async (): Promise<TestDatabase> => {
  const database = await testDatabase();
  databases.push(database);
  return database;
};
const emptyDatabase = async (): Promise<TestDatabase> => {
  const database = await createDatabase();
  for (const statement of ['drop schema public cascade', 'create schema public'])
    await sql.raw(statement).execute(database.db);
  return database;
};
const onProgress = () => undefined;

/** Each database has its own migration times. */
const withoutMigrations = ({ kysely_migration: _times, ...tables }: Awaited<ReturnType<typeof contentsOf>>) => tables;

describe('moveDatabase', () => {
  it('copies every row of every table, and leaves the source as it is', async () => {
    const [source, target] = [await createDatabase(), await emptyDatabase()];
    await fillTables(source.db);
    const before = await contentsOf(source.db);
    const moved = await moveDatabase({ source: source.database, target: target.database, onProgress });
    const after = withoutMigrations(await contentsOf(target.db));
    expect(after).toEqual(withoutMigrations(before));
    expect(await contentsOf(source.db)).toEqual(before);
    const { kysely_migration_lock: _lock, ...copied } = after;
    expect(moved).toEqual({ tables: Object.keys(copied).length, rows: Object.values(copied).flat().length });
  });

  it('fills a target whose tables exist but are empty, as after an interrupted move', async () => {
    const [source, target] = [await createDatabase(), await createDatabase()];
    await addTwoClinics(source.db);
    await moveDatabase({ source: source.database, target: target.database, onProgress });
    expect((await contentsOf(target.db)).account).toHaveLength(4);
  });

  it('rejects a target with an archive or with tables of another program, and changes nothing in it', async () => {
    const [source, archive, foreign] = [await createDatabase(), await createDatabase(), await emptyDatabase()];
    await addTwoClinics(archive.db);
    await sql`create table invoice (id integer)`.execute(foreign.db);
    for (const target of [archive, foreign]) {
      const before = await contentsOf(target.db);
      await expect(moveDatabase({ source: source.database, target: target.database, onProgress })).rejects.toThrow(
        'The target database is not empty: nothing was changed',
      );
      expect(await contentsOf(target.db)).toEqual(before);
    }
  });
});

describe('the command move-database', () => {
  const { inFolder, start, stop } = startedServers();

  it('moves the embedded database of a stopped server; users stay signed in on the new one', async () => {
    const target = await emptyDatabase();
    const embedded = await start();
    await becomeAdministrator(embedded);
    const tokens = await signIn(embedded.url, 'first@prov.example');
    const move = (to: string) =>
      archiveCommand(['move-database', '--to', to, '--json'], { DENTARIUM_DATA: inFolder() });
    const whileRunning = await move(urlOf(target.address));
    expect([whileRunning.code, whileRunning.stderr]).toEqual([1, expect.stringContaining('is in use by process')]);
    const url = embedded.url;
    await stop(embedded, 'SIGTERM');
    const moved = await move(urlOf(target.address));
    expect([moved.code, JSON.parse(moved.stdout || '{}')]).toMatchObject([
      0,
      { setting: expect.stringMatching(/^DATABASE_URL=postgres/) },
    ]);
    const environment = { DATABASE_URL: urlOf(target.address) };
    const port = ['--port', new URL(url).port];
    const external = await startChild(inFolder(), port, { ...environment, DENTARIUM_PUBLIC_URL: url });
    try {
      expect((await fetch(`${url}/api/Account/info`, { headers: bearer(tokens) })).status).toBe(200);
      expect((await signIn(url, 'first@prov.example')).access_token).toBeTruthy();
      const folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-move-'));
      folders.push(folder);
      const whileServed = await archiveCommand(['move-database', '--to', urlOf((await emptyDatabase()).address)], {
        ...environment,
        DENTARIUM_DATA: folder,
      });
      expect([whileServed.code, whileServed.stderr]).toEqual([
        1,
        'A server uses the database of this installation: stop all servers first\n',
      ]);
    } finally {
      await external.stop('SIGTERM');
    }
    expect((await move(urlOf(target.address))).stderr).toContain('The target database is not empty');
  });

  it('rejects wrong usage', async () => {
    for (const args of [[], ['--to', 'mysql://host/name'], ['--to', 'nonsense']])
      expect((await archiveCommand(['move-database', ...args], { DENTARIUM_DATA: inFolder() })).code).toBe(2);
  });
});
