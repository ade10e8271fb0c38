import { afterAll, beforeAll, expect, it } from 'vitest';
import { problem } from '../../contract/problem.ts';
import { routes } from '../../contract/routes.ts';
import { openid } from '../../contract/sign-in.ts';
import { limitOf } from '../../server/web/rate-limits.ts';
import { readTrustedProxies } from '../../server/web/trusted-proxies.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';

let database: TestDatabase;
let running: RunningServer;

beforeAll(async () => {
  database = await testDatabase();
  await addTwoClinics(database.db);
  running = await runServer(database.database, { trustProxy: readTrustedProxies('1') });
});
afterAll(async () => {
  await running?.close();
  await database?.close();
});

const statuses = async (count: number, path: string, init: RequestInit, address: string): Promise<number[]> => {
  const found: number[] = [];
  const one = async () => {
    const reply = await fetch(`${running.url}${path}`, {
      ...init,
      headers: { ...init.headers, 'x-forwarded-for': address },
    });
    found.push(reply.status);
    if (reply.status === 429) {
      expect(problem.parse(await reply.json()).code).toBe('too-many-requests');
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    } else await reply.arrayBuffer();
  };
  for (let done = 0; done < count; done += 20)
    await Promise.all(Array.from({ length: Math.min(20, count - done) }, one));
  return found;
};

const open = Object.values(routes).filter(({ access, path }) => access === 'anyone' && limitOf(path) <= 300);

it('recognizes expensive requests', () => {
  expect(open.length).toBeGreaterThan(8);
});

it.each([...new Set(open.map(({ path, method }) => `${method} ${path}`))])(
  '%s is limited per address',
  async (text) => {
    const [method = '', template = ''] = text.split(' ');
    const path = template.replace(':uid', 'V1StGXR8_Z5jdHi6B-myT');
    const address = `10.1.0.${open.findIndex((route) => route.path === template) + 1}`;
    const init = method === 'GET' ? {} : { method, headers: { 'content-type': 'application/json' }, body: '{}' };
    const found = await statuses(limitOf(path) + 5, path, init, address);
    expect(found.filter((status) => status === 429)).toHaveLength(5);
    expect((await statuses(1, path, init, '10.2.0.1'))[0], 'another address').not.toBe(429);
  },
);

it.each([openid.tokenPath, openid.revocationPath, openid.userInfoPath])('%s is limited per address', async (path) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'token=x' };
  const found = await statuses(limitOf(path) + 5, path, init, `10.3.0.${path.length}`);
  expect(found.filter((status) => status === 429)).toHaveLength(5);
});

it('does not limit authenticated requests', async () => {
  const headers = bearer(await signIn(running.url, 'doctor@prov.example'));
  const found = await statuses(320, '/api/Roles/role_claims', { headers }, '10.4.0.1');
  expect(new Set(found)).toEqual(new Set([200]));
});

it('is divided by the number of nodes', async () => {
  const limitAt = async ({ url }: RunningServer) => {
    const reply = await fetch(`${url}/health/live`);
    await reply.arrayBuffer();
    return Number(reply.headers.get('x-ratelimit-limit'));
  };
  expect(await limitAt(running)).toBe(60_000);
  const other = await runServer(database.database, { trustProxy: readTrustedProxies('1') });
  await expect.poll(() => limitAt(other)).toBe(30_000);
  await other.close();
});
