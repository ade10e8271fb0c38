import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';
import { completeLibraries } from '../../server/db/postgres-binaries.ts';

let base: string;
const quick = ['fsync=off'];

beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'dentarium-pg-'));
  chmodSync(base, 0o755);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const ask = async (host: string, question: string): Promise<unknown> => {
  const client = new pg.Client({ host, user: 'postgres', database: 'postgres' });
  await client.connect();
  const { rows } = await client.query(question);
  await client.end();
  return Object.values(rows[0])[0];
};

it('listens on a private socket only, in UTF-8, and gives up no statement to its log', async () => {
  const postgres = await openEmbeddedPostgres({ folder: path.join(base, 'database'), settings: quick });
  try {
    expect(await ask(postgres.host, 'show listen_addresses')).toBe('');
    expect(await ask(postgres.host, 'show server_encoding')).toBe('UTF8');
    expect(await ask(postgres.host, "select datlocale from pg_database where datname = 'postgres'")).toBe('C.UTF-8');
    expect(await ask(postgres.host, "select lower('ÅÄÖ')")).toBe('åäö');
    expect(await ask(postgres.host, 'show log_min_error_statement')).toBe('panic');
    expect(statSync(path.join(base, 'database')).mode & 0o077).toBe(0);
    expect(statSync(path.join(postgres.host, '.s.PGSQL.5432')).mode & 0o077).toBe(0);
  } finally {
    await postgres.close();
  }
});

it('takes a short folder for its socket where the path is too long, and removes it again', async () => {
  const folder = path.join(base, 'x'.repeat(100), 'database');
  mkdirSync(path.dirname(folder));
  const postgres = await openEmbeddedPostgres({ folder, settings: quick });
  expect(postgres.host).not.toBe(folder);
  expect(statSync(postgres.host).mode & 0o077).toBe(0);
  expect(await ask(postgres.host, 'show data_directory')).toBe(folder);
  await postgres.close();
  expect(existsSync(postgres.host)).toBe(false);
});

it.runIf(process.getuid?.() === 0)('runs for root in a folder that only root may enter', async () => {
  const closedFolder = path.join(base, 'closed');
  mkdirSync(closedFolder, { mode: 0o700 });
  const postgres = await openEmbeddedPostgres({ folder: path.join(closedFolder, 'database'), settings: quick });
  try {
    expect(await ask(postgres.host, 'select 1')).toBe(1);
    expect(statSync(path.join(closedFolder, 'database')).uid).not.toBe(0);
  } finally {
    await postgres.close();
  }
});

it('starts over a lock file that a power cut left, whoever has its number now', async () => {
  const folder = path.join(base, 'database');
  await (await openEmbeddedPostgres({ folder, settings: quick })).close();
  writeFileSync(path.join(folder, 'postmaster.pid'), `${process.pid}\n${folder}\n1\n5432\n${folder}\n\n`);
  const postgres = await openEmbeddedPostgres({ folder, settings: quick });
  expect(postgres.adopted).toBe(false);
  await postgres.close();
});

it('makes a whole cluster where an earlier attempt was cut off', async () => {
  const folder = path.join(base, 'database');
  mkdirSync(`${folder}.new/base`, { recursive: true });
  const postgres = await openEmbeddedPostgres({ folder, settings: quick });
  await postgres.close();
  expect(existsSync(`${folder}.new`)).toBe(false);
});

it.each([
  ['17\n', /was written by PostgreSQL 17; this version carries 18/],
  [null, /holds no PostgreSQL database/],
])('refuses a folder that is not its own (%j)', async (version, expected) => {
  const folder = path.join(base, 'database');
  mkdirSync(folder);
  if (version) writeFileSync(path.join(folder, 'PG_VERSION'), version);
  await expect(openEmbeddedPostgres({ folder })).rejects.toThrow(expected);
});

it('makes the libraries’ links itself where the package’s script was not run', () => {
  const folder = path.join(base, 'package');
  mkdirSync(path.join(folder, 'native/lib'), { recursive: true });
  writeFileSync(path.join(folder, 'native/lib/libx.so.6.18'), 'library');
  const links = [{ source: 'native/lib/libx.so.6.18', target: 'native/lib/libx.so.6' }];
  writeFileSync(path.join(folder, 'native/pg-symlinks.json'), JSON.stringify(links));
  completeLibraries(folder);
  completeLibraries(folder);
  expect(readlinkSync(path.join(folder, 'native/lib/libx.so.6'))).toBe('libx.so.6.18');
  cpSync(folder, `${folder}-moved`, { recursive: true, verbatimSymlinks: true });
  expect(existsSync(path.join(`${folder}-moved`, 'native/lib/libx.so.6'))).toBe(true);
});
