import { once } from 'node:events';
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
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';
import { completeLibraries, findPostgres } from '../../server/db/postgres-binaries.ts';
import { ensureCluster } from '../../server/db/postgres-cluster.ts';
import { postgresUser } from '../../server/db/postgres-user.ts';
import { cleanUpDeadPostmaster, readPid, readPostmaster } from '../../server/db/postmaster.ts';
import { startPostgres } from '../../server/db/start-postgres.ts';

let base: string;
const quick = ['fsync=off'];

beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'dentarium-pg-'));
  chmodSync(base, 0o755);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const queryValue = async (host: string, question: string): Promise<unknown> => {
  const client = new pg.Client({ host, user: 'postgres', database: 'postgres' });
  await client.connect();
  const { rows } = await client.query(question);
  await client.end();
  return Object.values(rows[0])[0];
};

it('listens on a private socket only, in UTF-8, and logs no statements', async () => {
  const postgres = await openEmbeddedPostgres({ folder: path.join(base, 'database'), settings: quick });
  try {
    expect(await queryValue(postgres.host, 'show listen_addresses')).toBe('');
    expect(await queryValue(postgres.host, 'show server_encoding')).toBe('UTF8');
    expect(await queryValue(postgres.host, "select datlocale from pg_database where datname = 'postgres'")).toBe(
      'C.UTF-8',
    );
    expect(await queryValue(postgres.host, "select lower('ÅÄÖ')")).toBe('åäö');
    expect(await queryValue(postgres.host, 'show log_min_error_statement')).toBe('panic');
    expect(statSync(path.join(base, 'database')).mode & 0o077).toBe(0);
    expect(statSync(path.join(postgres.host, '.s.PGSQL.5432')).mode & 0o077).toBe(0);
  } finally {
    await postgres.close();
  }
});

it('uses a short socket folder where the path is too long, and removes it again', async () => {
  const folder = path.join(base, 'x'.repeat(100), 'database');
  mkdirSync(path.dirname(folder));
  const postgres = await openEmbeddedPostgres({ folder, settings: quick });
  expect(postgres.host).not.toBe(folder);
  expect(statSync(postgres.host).mode & 0o077).toBe(0);
  expect(await queryValue(postgres.host, 'show data_directory')).toBe(folder);
  await postgres.close();
  expect(existsSync(postgres.host)).toBe(false);
});

it.runIf(process.getuid?.() === 0)('runs for root in a folder that only root may enter', async () => {
  const closedFolder = path.join(base, 'closed');
  mkdirSync(closedFolder, { mode: 0o700 });
  const postgres = await openEmbeddedPostgres({ folder: path.join(closedFolder, 'database'), settings: quick });
  try {
    expect(await queryValue(postgres.host, 'select 1')).toBe(1);
    expect(statSync(path.join(closedFolder, 'database')).uid).not.toBe(0);
  } finally {
    await postgres.close();
  }
});

it('starts over a lock file left by a power cut, whatever process has its id now', async () => {
  const folder = path.join(base, 'database');
  await (await openEmbeddedPostgres({ folder, settings: quick })).close();
  writeFileSync(path.join(folder, 'postmaster.pid'), `${process.pid}\n${folder}\n1\n5432\n${folder}\n\n`);
  const postgres = await openEmbeddedPostgres({ folder, settings: quick });
  expect(postgres.adopted).toBe(false);
  await postgres.close();
});

/** A connection whose loss ends nothing; `statement` is not awaited. */
const busy = async (host: string, statement: string): Promise<pg.Client> => {
  const client = new pg.Client({ host, user: 'postgres', database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  client.query(statement).catch(() => undefined);
  return client;
};
/** The second backend detects when its postmaster dies; the third never does. */
const statements = ['select 1', 'select pg_sleep(600)', 'do $$ begin loop end loop; end $$'];

it('starts within milliseconds after the death of a postmaster whose backends still run, repeatedly', async () => {
  const folder = path.join(base, 'database');
  const binaries = findPostgres();
  const user = postgresUser(binaries, folder);
  ensureCluster(binaries, user, folder);
  for (let run = 0; run < 8; run += 1) {
    await cleanUpDeadPostmaster(folder);
    const child = await startPostgres(binaries, user, {
      folder,
      socketFolder: folder,
      settings: quick,
      appendLog: true,
    });
    const clients = await Promise.all(statements.map((statement) => busy(folder, statement)));
    const count = "select count(*)::int from pg_stat_activity where backend_type = 'client backend'";
    expect(await queryValue(folder, count)).toBe(statements.length + 1);
    child.kill('SIGKILL');
    if (run % 2 === 1) await once(child, 'exit');
    const postgres = await openEmbeddedPostgres({ folder, settings: quick });
    expect(await queryValue(postgres.host, 'select 1')).toBe(1);
    await postgres.close();
    for (const client of clients) await client.end().catch(() => undefined);
  }
});

it('restarts a postmaster that exits, at the same address, and leaves nothing behind', async () => {
  const folder = path.join(base, 'database');
  const events: string[] = [];
  let back = Promise.withResolvers<void>();
  const options = {
    folder,
    settings: quick,
    onLost: () => events.push('lost'),
    onBack: () => {
      events.push('back');
      back.resolve();
    },
  };
  const killed = async (postgres: EmbeddedPostgres) => {
    back = Promise.withResolvers();
    const { pid } = postgres;
    process.kill(pid, 'SIGKILL');
    await back.promise;
    expect(postgres.pid).not.toBe(pid);
    expect(await queryValue(postgres.host, 'select 1')).toBe(1);
  };
  const postgres = await openEmbeddedPostgres(options);
  await busy(postgres.host, 'do $$ begin loop end loop; end $$');
  await killed(postgres);
  await killed(postgres);
  expect(events).toEqual(['lost', 'back', 'lost', 'back']);
  await postgres.close();
  expect(readPostmaster(folder)).toBeNull();
});

it('restarts an adopted postmaster', async () => {
  const folder = path.join(base, 'database');
  await (await openEmbeddedPostgres({ folder, settings: quick })).close();
  const binaries = findPostgres();
  const start = { folder, socketFolder: folder, settings: quick, appendLog: true };
  const { pid = 0 } = await startPostgres(binaries, postgresUser(binaries, folder), start);
  const back = Promise.withResolvers<void>();
  const postgres = await openEmbeddedPostgres({ folder, settings: quick, onBack: () => back.resolve() });
  expect([postgres.adopted, postgres.pid]).toEqual([true, pid]);
  process.kill(pid, 'SIGKILL');
  await back.promise;
  expect(postgres.pid).not.toBe(pid);
  expect(await queryValue(postgres.host, 'select 1')).toBe(1);
  await postgres.close();
});

it('does not restart a postmaster that is being closed', async () => {
  const folder = path.join(base, 'database');
  let lost = 0;
  const postgres = await openEmbeddedPostgres({ folder, settings: quick, onLost: () => (lost += 1) });
  await postgres.close();
  expect([lost, readPostmaster(folder)]).toEqual([0, null]);
});

it('waits for a postmaster that is still starting', async () => {
  const folder = path.join(base, 'database');
  await (await openEmbeddedPostgres({ folder, settings: quick })).close();
  const binaries = findPostgres();
  const starting = startPostgres(binaries, postgresUser(binaries, folder), {
    folder,
    socketFolder: folder,
    settings: quick,
    appendLog: true,
  });
  await vi.waitFor(() => expect(readPid(folder)).not.toBeNull(), { timeout: 20_000, interval: 1 });
  const postgres = await openEmbeddedPostgres({ folder, settings: quick });
  expect([postgres.adopted, postgres.pid]).toEqual([true, (await starting).pid]);
  await postgres.close();
});

it('creates a complete cluster where an earlier attempt was interrupted', async () => {
  const folder = path.join(base, 'database');
  mkdirSync(`${folder}.new/base`, { recursive: true });
  const postgres = await openEmbeddedPostgres({ folder, settings: quick });
  await postgres.close();
  expect(existsSync(`${folder}.new`)).toBe(false);
});

it.each([
  ['17\n', /was written by PostgreSQL 17; this version carries 18/],
  [null, /holds no PostgreSQL database/],
])('rejects a folder that is not its own (%j)', async (version, expected) => {
  const folder = path.join(base, 'database');
  mkdirSync(folder);
  if (version) writeFileSync(path.join(folder, 'PG_VERSION'), version);
  await expect(openEmbeddedPostgres({ folder })).rejects.toThrow(expected);
});

it('creates the library links itself when the package script did not run', () => {
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
