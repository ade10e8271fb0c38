import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type JobOwner, openJobOwner } from '../../server/jobs/job-owner.ts';
import { startChild } from './child-server.ts';
import { type TestDatabase, testDatabase, urlOf } from './database.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  folder = mkdtempSync(path.join(os.tmpdir(), 'dentarium-owner-'));
});
afterAll(async () => {
  await database?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('jobs of which one node is enough', () => {
  const owners: JobOwner[] = [];
  const running = new Set<string>();
  let most = 0;

  const openNode = (name: string) => {
    const owner = openJobOwner(database.address, 50);
    owners.push(owner);
    const job = owner.run(() => {
      running.add(name);
      most = Math.max(most, running.size);
      return { close: async () => void running.delete(name) };
    });
    return { owner, job };
  };
  afterEach(async () => {
    await Promise.all(owners.splice(0).map((owner) => owner.close()));
    expect([...running]).toEqual([]);
    most = 0;
  });

  it('run on one node, and on the next one when it closes', async () => {
    const first = openNode('first');
    await expect.poll(() => [...running]).toEqual(['first']);
    openNode('second');
    openNode('third');
    await first.owner.close();
    await expect.poll(() => running.size).toBe(1);
    expect([...running]).not.toContain('first');
    expect(most).toBe(1);
  });

  it('stop when the connection is lost, and continue on some node', async () => {
    const stopped: string[] = [];
    for (const name of ['one', 'two']) {
      const owner = openJobOwner(database.address, 50);
      owners.push(owner);
      owner.run(() => {
        running.add(name);
        return {
          close: async () => {
            running.delete(name);
            stopped.push(name);
          },
        };
      });
    }
    await expect.poll(() => running.size).toBe(1);
    const [owned] = running;
    await database.database.pool.query(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 5 and database = (select oid from pg_database where datname = current_database())",
    );
    await expect.poll(() => stopped).toEqual([owned]);
    await expect.poll(() => running.size).toBe(1);
  });

  it('end alone when they are closed, and those added later start too', async () => {
    const { owner, job } = openNode('early');
    await expect.poll(() => [...running]).toEqual(['early']);
    owner.run(() => {
      running.add('late');
      return { close: async () => void running.delete('late') };
    });
    expect([...running]).toEqual(['early', 'late']);
    await job.close();
    expect([...running]).toEqual(['late']);
  });
});

it('of two servers one sweeps, and the other one does after the first was killed', async () => {
  const environment = { DATABASE_URL: urlOf(database.address), DENTARIUM_PUBLIC_URL: 'http://localhost:9' };
  const data = path.join(folder, 'data');
  const logged = (text: string) =>
    readFileSync(path.join(data, 'server.log'), 'utf8')
      .split('\n')
      .filter((line) => line.includes(text)).length;
  const first = await startChild(data, [], environment);
  await expect.poll(() => logged('files swept'), { timeout: 60_000 }).toBe(1);
  const second = await startChild(data, [], environment);
  expect(logged('files swept')).toBe(1);
  await first.stop('SIGKILL');
  await expect.poll(() => logged('files swept'), { timeout: 60_000 }).toBe(2);
  expect(await second.stop('SIGTERM')).toBe(0);
}, 240_000);
