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

const open: TestDatabase[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
const temporary: string[] = [];
afterAll(async () => {
  for (const one of temporary) await rm(one, { recursive: true, force: true });
});

const opened = async (): Promise<TestDatabase> => {
  const made = await testDatabase();
  open.push(made);
  return made;
};
const emptyDatabase = async (): Promise<TestDatabase> => {
  const made = await opened();
  for (const statement of ['drop schema public cascade', 'create schema public'])
    await sql.raw(statement).execute(made.db);
  return made;
};
const onProgress = () => undefined;

/** The migrator writes the time of each migration. */
const withoutMigrations = ({ kysely_migration: _times, ...tables }: Awaited<ReturnType<typeof contentsOf>>) => tables;

describe('the move of a database', () => {
  it('copies every row of every table, and leaves the source as it is', async () => {
    const [source, target] = [await opened(), await emptyDatabase()];
    await fillTables(source.db);
    const before = await contentsOf(source.db);
    const moved = await moveDatabase({ source: source.database, target: target.database, onProgress });
    const after = withoutMigrations(await contentsOf(target.db));
    expect(after).toEqual(withoutMigrations(before));
    expect(await contentsOf(source.db)).toEqual(before);
    const { kysely_migration_lock: _lock, ...copied } = after;
    expect(moved).toEqual({ tables: Object.keys(copied).length, rows: Object.values(copied).flat().length });
  });

  it('is repeated after an interruption, which has left tables without rows', async () => {
    const [source, target] = [await opened(), await opened()];
    await addTwoClinics(source.db);
    await moveDatabase({ source: source.database, target: target.database, onProgress });
    expect((await contentsOf(target.db)).account).toHaveLength(4);
  });

  it('refuses a target with an archive or with tables of another program, and changes nothing in it', async () => {
    const [source, archive, foreign] = [await opened(), await opened(), await emptyDatabase()];
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

describe('the command', () => {
  const { inFolder, start, stop } = startedServers();

  it('moves the embedded database of a stopped server, which starts on the new one with users signed in', async () => {
    const target = await emptyDatabase();
    const embedded = await start();
    await becomeAdministrator(embedded);
    const tokens = await signIn(embedded.url, 'first@prov.example');
    const move = (to: string) =>
      archiveCommand(['move-database', '--to', to, '--json'], { DENTARIUM_DATA: inFolder() });
    const running = await move(urlOf(target.address));
    expect([running.code, running.stderr]).toEqual([1, expect.stringContaining('is in use by process')]);
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
      temporary.push(folder);
      const served = await archiveCommand(['move-database', '--to', urlOf((await emptyDatabase()).address)], {
        ...environment,
        DENTARIUM_DATA: folder,
      });
      expect([served.code, served.stderr]).toEqual([
        1,
        'A server uses the database of this installation: stop all servers first\n',
      ]);
    } finally {
      await external.stop('SIGTERM');
    }
    expect((await move(urlOf(target.address))).stderr).toContain('The target database is not empty');
  });

  it('refuses wrong usage', async () => {
    for (const args of [[], ['--to', 'mysql://host/name'], ['--to', 'nonsense']])
      expect((await archiveCommand(['move-database', ...args], { DENTARIUM_DATA: inFolder() })).code).toBe(2);
  });
});
