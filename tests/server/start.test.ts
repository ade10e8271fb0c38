import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { firstAdministrator } from '../../contract/account.ts';
import { templates as templatesRoute } from '../../contract/viewsets.ts';
import { connect } from '../../server/db/client.ts';
import { openEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';
import { isAlive, readPostmaster } from '../../server/db/postmaster.ts';
import { standardTemplates } from '../../server/resource/standard-templates.ts';
import { type ChildServer, runChild, runToEnd, startChild } from './child-server.ts';
import { password } from './clinic.ts';
import { bearer, signIn } from './running-server.ts';

let folder: string;
const running: ChildServer[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-start-'));
});
afterEach(async () => {
  for (const child of running.splice(0)) await child.end('SIGTERM');
  const left = readPostmaster(path.join(folder, 'database'));
  if (left && isAlive(left.pid)) throw new Error('a database was left running');
  rmSync(folder, { recursive: true, force: true });
});

const start = async () => {
  const child = await startChild(folder);
  running.push(child);
  return child;
};
/** Without a signal: waits for it to end by itself. */
const stop = (child: ChildServer, signal?: NodeJS.Signals) => {
  running.splice(running.indexOf(child), 1);
  return child.end(signal);
};
const becomeAdministrator = async (child: ChildServer) => {
  const key = /setup#(\S+)/.exec(child.output())?.[1];
  const reply = await fetch(`${child.url}${firstAdministrator.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ key, email: 'first@prov.example', firstName: 'Eva', lastName: 'Först' },
      ...{ password, organisationName: 'Första kliniken' },
    }),
  });
  expect(reply.status).toBe(200);
};

it('keeps its data and its keys over a stop and a start, is quick the second time and leaves nothing behind', async () => {
  const first = await start();
  await becomeAdministrator(first);
  const tokens = await signIn(first.url, 'first@prov.example');
  expect(await stop(first, 'SIGTERM')).toBe(0);
  expect(existsSync(path.join(folder, 'server.lock'))).toBe(false);
  expect(readPostmaster(path.join(folder, 'database'))).toBeNull();

  const before = performance.now();
  const second = await start();
  // Below 5 s on a machine of its own; all the suites may share this one.
  expect(performance.now() - before).toBeLessThan(20_000);
  expect(second.output()).not.toMatch(/administrator/);
  const again = await signIn(second.url, 'first@prov.example');
  const issued = await fetch(`${second.url}/.well-known/openid-configuration/jwks`).then((reply) => reply.json());
  const templates = await fetch(`${second.url}${templatesRoute.path}`, { headers: bearer(again) });
  expect((await templates.json()).length).toBe(standardTemplates.length);
  const [header = ''] = tokens.access_token.split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString()).kid).toBe(issued.keys[0].kid);
});

it('adopts the database that outlived a killed server, and loses nothing that was acknowledged', async () => {
  const first = await start();
  await becomeAdministrator(first);
  expect(await stop(first, 'SIGKILL')).toBe('SIGKILL');
  const orphan = readPostmaster(path.join(folder, 'database'));
  expect(orphan && isAlive(orphan.pid)).toBe(true);

  const second = await start();
  expect(readPostmaster(path.join(folder, 'database'))?.pid).toBe(orphan?.pid);
  await signIn(second.url, 'first@prov.example');
  expect(await stop(second, 'SIGINT')).toBe(0);
  expect(readPostmaster(path.join(folder, 'database'))).toBeNull();
});

it('ends with one line when its database was killed, and is whole at the next start', async () => {
  const first = await start();
  await becomeAdministrator(first);
  const database = readPostmaster(path.join(folder, 'database'));
  if (database) process.kill(database.pid, 'SIGKILL');
  expect(await stop(first)).toBe(1);
  expect(first.output()).toMatch(/The database ended by itself/);
  const second = await start();
  await signIn(second.url, 'first@prov.example');
});

it('closes in order when it is stopped while it draws the demo clinic, and goes on there the next time', async () => {
  const first = runChild(['--data', folder, '--port', '0']);
  await first.until('images: 1 of');
  expect(await first.end('SIGTERM')).not.toBe('SIGTERM');
  expect(readPostmaster(path.join(folder, 'database'))).toBeNull();
  expect(existsSync(path.join(folder, 'server.lock'))).toBe(false);
  const second = runChild(['--data', folder, '--port', '0']);
  await second.until('Drawing');
  await second.end('SIGTERM');
  const totals = [first, second].map((child) => Number(/of (\d+)/.exec(child.output())?.[1]));
  expect(totals[1]).toBeLessThan(totals[0] ?? 0);
});

it('refuses a data folder in use with one line, and leaves the running server alone', async () => {
  const first = await start();
  const { code, lines } = await runToEnd(['--data', folder, '--port', '0']);
  expect(code).toBe(1);
  expect(lines).toEqual([`The data folder ${folder} is in use by another running server (process ${first.pid})`]);
  expect((await fetch(`${first.url}/health`)).status).toBe(200);
});

it('takes over the lock of a process that is gone, even when its number is in use again', async () => {
  writeFileSync(path.join(folder, 'server.lock'), `${process.pid} another-boot 1`);
  await start();
});

it('refuses a port in use with one line, and stops its database', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const { code, lines } = await runToEnd(['--data', folder, '--port', String(port), '--empty']);
  other.close();
  expect(code).toBe(1);
  expect(lines).toEqual([`Port ${port} is in use by another program: choose one with --port`]);
});

it('refuses the data folder of a newer version with one line, and changes nothing in it', async () => {
  await stop(await start(), 'SIGTERM');
  const inside = async (statement: string) => {
    const postgres = await openEmbeddedPostgres({ folder: path.join(folder, 'database') });
    const database = connect({ host: postgres.host, user: postgres.user, database: 'dentarium' });
    const { rows } = await database.pool.query(statement);
    await database.close();
    await postgres.close();
    return rows;
  };
  await inside("insert into kysely_migration (name, timestamp) values ('999-from-the-future', now()::text)");
  const { code, lines } = await runToEnd(['--data', folder, '--port', '0', '--empty']);
  expect(code).toBe(1);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/newer version .*999-from-the-future/);
  expect(await inside("select 1 from kysely_migration where name = '999-from-the-future'")).toHaveLength(1);
});

it.each([
  [['--port', 'abc'], {}, /^Setting "port" \(PORT\)/],
  [['--data', '/dev/null/x'], {}, /^The data folder \/dev\/null\/x cannot be written \(ENOTDIR\)$/],
  [['--colour'], {}, /Unknown option '--colour'/],
  [[], { DATABASE_URL: 'mysql://x/y' }, /^Setting "databaseUrl" \(DATABASE_URL\)/],
  [[], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x' }, /^The database of DATABASE_URL does not answer/],
])('refuses %j %j with one line', async (args, environment, expected) => {
  const { code, lines } = await runToEnd(['--data', folder, ...args], environment);
  expect(code).toBe(1);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(expected);
});

it('writes no query, no name and no key into its logs, and keeps them private', async () => {
  const child = await start();
  await becomeAdministrator(child);
  await fetch(`${child.url}/resource/patient/search?customerId=x&q=Lindgren`);
  await fetch(`${child.url}/patient/19121212-1212`);
  await stop(child, 'SIGTERM');
  for (const name of ['server.log', 'database.log']) {
    const file = path.join(folder, name);
    expect(readFileSync(file, 'utf8')).not.toMatch(/Lindgren|19121212|first@prov|customerId|Först/);
    expect(statSync(file).mode & 0o077).toBe(0);
  }
  expect(readFileSync(path.join(folder, 'server.log'), 'utf8')).toContain('"route":"/resource/patient/search"');
});
