import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { templates as templatesRoute } from '../../contract/viewsets.ts';
import { openArchiveForCommand } from '../../server/archive-command/open-archive.ts';
import { openDataFolder } from '../../server/data-folder.ts';
import { connect } from '../../server/db/client.ts';
import { openEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import { standardTemplates } from '../../server/domain/standard-templates.ts';
import { runChild, runToEnd } from './child-server.ts';
import { mortalPostgres } from './killable-postgres.ts';
import { bearer, signIn } from './running-server.ts';
import { becomeAdministrator, startedServers } from './started-servers.ts';

const { inFolder, postmaster, start, stop } = startedServers();

it('keeps its data and keys over a restart, and leaves no files or processes behind', async () => {
  const first = await start();
  await becomeAdministrator(first);
  const tokens = await signIn(first.url, 'first@prov.example');
  expect(await stop(first, 'SIGTERM')).toBe(0);
  expect(existsSync(inFolder('server.lock'))).toBe(false);
  expect(postmaster()).toBeNull();

  const second = await start();
  expect(second.output()).not.toMatch(/administrator/);
  const again = await signIn(second.url, 'first@prov.example');
  const issued = await fetch(`${second.url}/.well-known/openid-configuration/jwks`).then((reply) => reply.json());
  const templates = await fetch(`${second.url}${templatesRoute.path}`, { headers: bearer(again) });
  expect((await templates.json()).length).toBe(standardTemplates.length);
  const [header = ''] = tokens.access_token.split('.');
  expect(JSON.parse(Buffer.from(header, 'base64url').toString()).kid).toBe(issued.keys[0].kid);
});

it('waits for the database of DATABASE_URL', async () => {
  const postgres = await mortalPostgres();
  await postgres.stop('SIGINT');
  const DATABASE_URL = `postgres://postgres@localhost/dentarium?host=${encodeURIComponent(postgres.folder)}`;
  const child = runChild(['--port', '0', '--data', inFolder(), '--empty'], { DATABASE_URL });
  await child.waitForOutput('Waiting for the database');
  await postgres.start();
  await child.isStarted();
  expect(await child.stop('SIGTERM')).toBe(0);
  await postgres.close();
});

it('rejects a data folder in use with one line, and does not disturb the running server', async () => {
  const first = await start();
  const { code, lines } = await runToEnd(['--data', inFolder(), '--port', '0']);
  expect(code).toBe(1);
  expect(lines).toEqual([
    `The data folder ${inFolder()} is in use by process ${first.pid}: another server, or a command of the archive`,
  ]);
  expect((await fetch(`${first.url}/health`)).status).toBe(200);
});

it('a command waits for a server that has locked the data folder and not yet started its database', async () => {
  await stop(await start(), 'SIGTERM');
  const { release } = openDataFolder(inFolder(), { exclusive: true, by: 'server' });
  const waitedFor: string[] = [];
  const archive = await openArchiveForCommand(
    { dataFolder: inFolder(), databaseUrl: undefined, databaseOwnerUrl: undefined },
    openDatabase,
    (pid) => {
      waitedFor.push(pid);
      release();
    },
  );
  expect(await archive.db.selectFrom('patient').selectAll().execute()).toEqual([]);
  await archive.close();
  expect(waitedFor).toEqual([String(process.pid)]);
});

it('waits for a command that uses the data folder, and starts when it ends', async () => {
  const { release } = openDataFolder(inFolder(), { exclusive: true, by: 'command' });
  const child = runChild(['--port', '0', '--data', inFolder(), '--empty']);
  await child.waitForOutput(`Waiting for the command of process ${process.pid}, which uses the data folder`);
  release();
  await child.isStarted();
  expect(await child.stop('SIGTERM')).toBe(0);
});

it('stops while it waits for a command', async () => {
  const { release } = openDataFolder(inFolder(), { exclusive: true, by: 'command' });
  const child = runChild(['--port', '0', '--data', inFolder(), '--empty']);
  await child.waitForOutput('Waiting for the command');
  await child.stop('SIGTERM');
  release();
  expect(readdirSync(inFolder())).toEqual([]);
});

it('begins no new archive in an empty data folder when its backups exist', async () => {
  const backups = inFolder('backups');
  mkdirSync(path.join(backups, '2026-11-24T02-00-00Z'), { recursive: true });
  const { code, lines } = await runToEnd(['--data', inFolder('data'), '--port', '0'], {
    DENTARIUM_BACKUP_DIR: backups,
  });
  expect(code).toBe(1);
  expect(lines).toEqual([
    `${inFolder('data')} has no archive, but ${backups} has backups of one: mount the disk of the data, or run ` +
      `"npm run archive -- restore --from ${backups}". For a new archive, choose another DENTARIUM_BACKUP_DIR`,
  ]);
  expect(existsSync(inFolder('data'))).toBe(false);
});

it('begins no archive while it cannot read whether there are backups', async () => {
  writeFileSync(inFolder('backups'), 'a file');
  const { code, lines } = await runToEnd(['--data', inFolder('data'), '--port', '0'], {
    DENTARIUM_BACKUP_DIR: inFolder('backups'),
  });
  expect([code, lines]).toEqual([
    1,
    [expect.stringContaining(`whether ${inFolder('backups')} has backups of one cannot be read`)],
  ]);
});

it('rejects a port in use with one line, and stops its database', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const { code, lines } = await runToEnd(['--data', inFolder(), '--port', String(port), '--empty']);
  other.close();
  expect(code).toBe(1);
  expect(lines).toEqual([`Port ${port} is in use by another program: choose one with --port`]);
});

it('rejects the data folder of a newer version with one line, and changes nothing in it', async () => {
  await stop(await start(), 'SIGTERM');
  const inside = async (statement: string) => {
    const postgres = await openEmbeddedPostgres({ folder: inFolder('database') });
    const database = connect({ host: postgres.host, user: postgres.user, database: 'dentarium' });
    const { rows } = await database.pool.query(statement);
    await database.close();
    await postgres.close();
    return rows;
  };
  await inside("insert into kysely_migration (name, timestamp) values ('999-from-the-future', now()::text)");
  const { code, lines } = await runToEnd(['--data', inFolder(), '--port', '0', '--empty']);
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
  [
    [],
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/x', DENTARIUM_DATABASE_WAIT_SECONDS: '1' },
    /^The database of DATABASE_URL does not answer: .*ECONNREFUSED/,
  ],
  [[], { DENTARIUM_DATABASE_WAIT_SECONDS: '-1' }, /^Setting "databaseWaitSeconds" \(DENTARIUM_DATABASE_WAIT_SECONDS\)/],
])('rejects %j %j with one line', async (args, environment, expected) => {
  const { code, lines } = await runToEnd(['--data', inFolder(), ...args], environment);
  expect(code).toBe(1);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(expected);
});

it('logs no query, name or key, and keeps its logs private', async () => {
  const child = await start();
  await becomeAdministrator(child);
  await fetch(`${child.url}/resource/patient/search?customerId=x&q=Lindgren`);
  await fetch(`${child.url}/patient/19121212-1212`);
  await stop(child, 'SIGTERM');
  for (const name of ['server.log', 'database.log']) {
    const file = inFolder(name);
    expect(readFileSync(file, 'utf8')).not.toMatch(/Lindgren|19121212|first@prov|customerId|Först/);
    expect(statSync(file).mode & 0o077).toBe(0);
  }
  expect(readFileSync(inFolder('server.log'), 'utf8')).toContain('"route":"/resource/patient/search"');
});
