import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { templates as templatesRoute } from '../../contract/viewsets.ts';
import { isAlive } from '../../server/process-identity.ts';
import { runChild } from './child-server.ts';
import { bearer, signIn } from './running-server.ts';
import { becomeAdministrator, startedServers } from './started-servers.ts';

const { inFolder, postmaster, start, stop } = startedServers();

it('adopts the database that outlived a killed server, and loses nothing acknowledged', async () => {
  const first = await start();
  await becomeAdministrator(first);
  expect(await stop(first, 'SIGKILL')).toBe('SIGKILL');
  const orphan = postmaster();
  expect(orphan && isAlive(orphan.pid)).toBe(true);

  const second = await start();
  expect(postmaster()?.pid).toBe(orphan?.pid);
  await signIn(second.url, 'first@prov.example');
  expect(await stop(second, 'SIGINT')).toBe(0);
  expect(postmaster()).toBeNull();
});

it('continues after its database was killed, fails with 503 alone meanwhile, and ends no session', async () => {
  const server = await start();
  await becomeAdministrator(server);
  const tokens = await signIn(server.url, 'first@prov.example');
  const pid = () => postmaster()?.pid;
  const before = pid();
  process.kill(before ?? 0, 'SIGKILL');
  // None, when the database is back before a slow request reaches it.
  const failures = new Set<string>();
  for (let status = 0; status !== 200 || pid() === before; ) {
    const reply = await fetch(`${server.url}${templatesRoute.path}`, { headers: bearer(tokens) });
    status = reply.status;
    const { code } = await reply.json();
    if (status !== 200) failures.add(`${status} ${reply.headers.get('retry-after')} ${code}`);
  }
  failures.delete('503 2 database-unavailable');
  expect([...failures]).toEqual([]);
  expect(await stop(server, 'SIGTERM')).toBe(0);
  expect(readFileSync(inFolder('server.log'), 'utf8')).toContain('the embedded database is back');
});

it('starts at once after server and database were killed together', async () => {
  const first = await start();
  await becomeAdministrator(first);
  const database = postmaster();
  await stop(first, 'SIGKILL');
  if (database) process.kill(database.pid, 'SIGKILL');
  const second = await start();
  await signIn(second.url, 'first@prov.example');
});

it('shuts down in order while it creates the demo clinic, and resumes there the next time', async () => {
  const first = runChild(['--data', inFolder(), '--port', '0']);
  await first.waitForOutput('images: 1 of');
  expect(await first.stop('SIGTERM')).not.toBe('SIGTERM');
  expect(postmaster()).toBeNull();
  expect(existsSync(inFolder('server.lock'))).toBe(false);
  const second = runChild(['--data', inFolder(), '--port', '0']);
  await second.waitForOutput('Drawing');
  await second.stop('SIGTERM');
  const totals = [first, second].map((child) => Number(/of (\d+)/.exec(child.output())?.[1]));
  expect(totals[1]).toBeLessThan(totals[0] ?? 0);
});

it('takes over the lock of a dead process, even when its process id is reused', async () => {
  writeFileSync(inFolder('server.lock'), `${process.pid} another-boot 1`);
  await start();
});
