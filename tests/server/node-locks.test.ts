import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withPreparationLock } from '../../server/db/node-locks.ts';
import { runChild } from './child-server.ts';
import { type TestDatabase, testDatabase, urlOf } from './database.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-nodes-'));
  database = await testDatabase();
});
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

it('two servers started at once on an empty database both run, and each prints a link of its own', async () => {
  const DATABASE_URL = urlOf(database.address);
  // One public URL, as nodes behind a proxy have it.
  const environment = { DATABASE_URL, DENTARIUM_PUBLIC_URL: 'http://localhost:9' };
  const start = () => runChild(['--port', '0', '--data', folder, '--empty'], environment);
  const nodes = [start(), start()];
  await Promise.all(nodes.map((node) => node.isStarted()));
  const links = nodes.map((node) => /setup#(\S+)/.exec(node.output())?.[1]);
  expect(new Set(links).size).toBe(2);
  expect(links).not.toContain(undefined);
  for (const node of nodes) expect(await node.stop('SIGTERM')).toBe(0);
});

it('work that prepares a database runs on one node at a time; the other one waits and finds it done', async () => {
  const running: string[] = [];
  const waited: string[] = [];
  const first = Promise.withResolvers<void>();
  const work = (name: string, wait?: Promise<void>) =>
    withPreparationLock(
      database.address,
      async () => {
        running.push(`${name} begins`);
        await wait;
        running.push(`${name} ends`);
      },
      () => {
        waited.push(name);
        first.resolve();
      },
    );
  const one = work('one', first.promise);
  await expect.poll(() => running).toEqual(['one begins']);
  await Promise.all([one, work('two')]);
  expect(running).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  expect(waited).toEqual(['two']);
});

it('releases the database when the work fails', async () => {
  const failed = withPreparationLock(
    database.address,
    () => Promise.reject(new Error('no')),
    () => expect.unreachable(),
  );
  await expect(failed).rejects.toThrow('no');
  await expect
    .poll(async () =>
      withPreparationLock(
        database.address,
        async () => 'done',
        () => {},
      ),
    )
    .toBe('done');
});
