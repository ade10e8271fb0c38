import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { claimPublicUrl, type PublicUrlClaim } from '../../server/db/public-url-claim.ts';
import { StartupError } from '../../server/startup-error.ts';
import { freePort } from '../free-port.ts';
import { runChild, runToEnd } from './child-server.ts';
import { type TestDatabase, testDatabase } from './database.ts';

const [one, other] = ['https://one.example', 'https://other.example'];

let database: TestDatabase;
const open: PublicUrlClaim[] = [];
const lost: StartupError[] = [];

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  for (const claim of open.splice(0)) await claim.close();
  lost.splice(0);
});
afterAll(() => database?.close());

const claim = async (url: string, waitMs = 0) => {
  const made = await claimPublicUrl(database.address, url, { onLost: (reason) => lost.push(reason), waitMs });
  open.push(made);
  return made;
};
const close = async (made: PublicUrlClaim) => {
  open.splice(open.indexOf(made), 1);
  await made.close();
};
const ofNodes = sql`locktype = 'advisory' and classid = 1145392724 and objid = 2 and granted
  and database = (select oid from pg_database where datname = current_database())`;
/** Ends the connections of running nodes, like a restart of the database, and waits until their locks are gone. */
const cutConnections = () =>
  sql`select pg_terminate_backend(pid, 10000) from pg_locks where ${ofNodes}`.execute(database.db);
const servingNodes = async () =>
  (await sql<{ count: number }>`select count(*)::int as count from pg_locks where ${ofNodes}`.execute(database.db))
    .rows[0]?.count;

it('lets nodes with one URL run together, and rejects one with another URL, naming both', async () => {
  await claim(one);
  await claim(one);
  const rejected = claim(other);
  await expect(rejected).rejects.toThrow(StartupError);
  await expect(rejected).rejects.toThrow(/https:\/\/one\.example and this one has https:\/\/other\.example/);
});

it('accepts a new URL when all nodes have stopped, and then rejects the old one', async () => {
  const [first, second] = [await claim(one), await claim(one)];
  await close(first);
  await expect(claim(other)).rejects.toThrow(one);
  await close(second);
  await claim(other);
  await claim(other);
  await expect(claim(one)).rejects.toThrow(other);
});

it('waits briefly for a node that is stopping', async () => {
  const first = await claim(one);
  const second = claim(other, 20_000);
  await close(first);
  await second;
});

it('accepts one of two nodes that start at once with different URLs', async () => {
  const results = await Promise.allSettled([claim(one), claim(other)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('claims again after the database was unavailable', async () => {
  await claim(one);
  await cutConnections();
  await expect.poll(servingNodes, { timeout: 10_000 }).toBe(1);
  await expect(claim(other)).rejects.toThrow(one);
  expect(lost).toEqual([]);
});

it('stops a node whose connection was lost while nodes with another URL took over', async () => {
  await claim(one);
  const rival = new pg.Client({ ...database.address });
  await rival.connect();
  await rival.query('select pg_advisory_lock(1145392724, 1)');
  await cutConnections();
  await rival.query("update seed_state set value = $1 where name = 'public-url'", [JSON.stringify(other)]);
  await rival.query('select pg_advisory_lock_shared(1145392724, 2)');
  await rival.query('select pg_advisory_unlock(1145392724, 1)');
  await expect.poll(() => lost.length, { timeout: 10_000 }).toBe(1);
  expect(lost[0]?.message).toContain(other);
  await rival.end();
});

it('the program exits with one line beside a node with another URL', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-node-'));
  const { connectionString, host = '', database: name } = database.address;
  const DATABASE_URL = connectionString ?? `postgres://postgres@localhost/${name}?${new URLSearchParams({ host })}`;
  const start = async (url: string) =>
    [
      ['--port', String(await freePort()), '--data', folder, '--empty'],
      { DATABASE_URL, DENTARIUM_PUBLIC_URL: url },
    ] as const;
  const first = runChild(...(await start(one)));
  await first.isStarted();
  const { code, lines } = await runToEnd(...(await start(other)));
  await first.stop('SIGKILL');
  expect(code).toBe(1);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`${one} and this one has ${other}`);
  // A killed node does not block others.
  const third = runChild(...(await start(other)));
  await third.isStarted();
  expect(await third.stop('SIGTERM')).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});
