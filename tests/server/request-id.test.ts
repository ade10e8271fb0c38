import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { about } from '../../contract/about.ts';
import { problem } from '../../contract/problem.ts';
import { openid } from '../../contract/sign-in.ts';
import { templates } from '../../contract/viewsets.ts';
import { openLog } from '../../server/log.ts';
import { readTrustedProxies } from '../../server/web/trusted-proxies.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, requestTokens, runServer, signIn } from './running-server.ts';

const uuid = '0f6d2a64-6d0b-4d8e-9d55-0a6f6f6f6f6f';
let database: TestDatabase;
let folder: string;
let logFile: string;
let direct: RunningServer;
let proxied: RunningServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-request-id-'));
  logFile = path.join(folder, 'server.log');
  database = await testDatabase();
  await addTwoClinics(database.db);
  direct = await runServer(database.database, { log: openLog(logFile, 'info') });
  proxied = await runServer(database.database, { trustProxy: readTrustedProxies('127.0.0.1') });
});
afterAll(async () => {
  await direct?.close();
  await proxied?.close();
  await database?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Line {
  readonly requestId?: string;
  readonly msg: string;
  readonly route?: string;
  readonly level: number;
}

const linesOf = async (id: string | null): Promise<Line[]> => {
  const lines: Line[] = (await readFile(logFile, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return lines.filter(({ requestId }) => requestId === id);
};

const get = (server: RunningServer, target: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${target}`, { headers });

describe('the id of a request', () => {
  it('is in the reply header, the problem and the log', async () => {
    const reply = await get(direct, about.path);
    const id = reply.headers.get('x-request-id');
    expect(problem.parse(await reply.json())).toEqual({ code: 'not-signed-in', requestId: id });
    expect(id).toMatch(/^[0-9a-f]{12}$/);
    await expect.poll(() => linesOf(id)).toMatchObject([{ msg: 'call', route: about.path }]);
  });

  it('is in the reply to a path with a very long part, which it does not repeat', async () => {
    const reply = await get(direct, `/resource/patient/${'x'.repeat(300)}`);
    const text = await reply.text();
    expect(reply.status).toBe(401);
    expect(problem.parse(JSON.parse(text)).requestId).toBe(reply.headers.get('x-request-id'));
    expect(text).not.toContain('xxx');
  });

  it('differs between requests', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await get(direct, '/health/live')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(20);
  });

  it('finds the error behind a reply of status 500', async () => {
    const tokens = await signIn(direct.url, 'doctor@prov.example');
    await database.database.pool.query('alter table template rename to elsewhere');
    const reply = await get(direct, templates.path, bearer(tokens)).finally(() =>
      database.database.pool.query('alter table elsewhere rename to template'),
    );
    const { code, requestId = null } = problem.parse(await reply.json());
    expect([reply.status, code]).toEqual([500, 'internal']);
    const found = await linesOf(requestId);
    expect(found.find(({ level }) => level === 50)).toMatchObject({ msg: 'call failed', err: { code: '42P01' } });
  });

  it('is in the replies and log lines of the OpenID provider', async () => {
    const reply = await requestTokens(direct.url, { grant_type: 'password', username: 'x', password: 'x' });
    expect(reply.status).toBe(400);
    const id = reply.headers.get('x-request-id');
    await expect.poll(() => linesOf(id)).toMatchObject([{ msg: 'call', route: openid.tokenPath }]);
  });

  it('is not taken from a client', async () => {
    const reply = await get(direct, '/health/live', { 'x-request-id': uuid });
    expect(reply.headers.get('x-request-id')).not.toBe(uuid);
  });

  it('is taken from a trusted proxy', async () => {
    const reply = await get(proxied, about.path, { 'x-request-id': uuid });
    expect(reply.headers.get('x-request-id')).toBe(uuid);
    expect((await reply.json()).requestId).toBe(uuid);
  });

  it.each(['short', 'x'.repeat(65), 'Anna Andersson', '"},{"level":60', '19121212-1212'])(
    'is not taken from a proxy that sends %s',
    async (given) => {
      const id = (await get(proxied, '/health/live', { 'x-request-id': given })).headers.get('x-request-id');
      expect(id).toMatch(/^[0-9a-f]{12}$/);
    },
  );
});
