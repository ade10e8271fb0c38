import http from 'node:http';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { hubPath } from '../../contract/hub.ts';
import { systemStatus } from '../../contract/system-status.ts';
import { readTrustedProxies } from '../../server/web/trusted-proxies.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';

const publicUrl = 'https://clinic.example';
const elsewhere = 'https://images.clinic.example';

let database: TestDatabase;
let running: RunningServer;
let token: { authorization: string };
let log = '';

const stream = new Writable({
  write: (chunk, _, done) => {
    log += String(chunk);
    done();
  },
});
const start = async (trust: string | null, url = publicUrl) => {
  running = await runServer(database.database, {
    publicUrl: url,
    trustProxy: trust === null ? null : readTrustedProxies(trust),
    log: pino({ level: 'warn' }, stream),
  });
  token = bearer(await signIn(running.url, 'super@prov.example'));
};

beforeAll(async () => {
  database = await testDatabase();
  await addTwoClinics(database.db);
});
beforeEach(() => {
  log = '';
});
afterEach(() => running?.close());
afterAll(() => database?.close());

/** `fetch` sets Host and Sec-Fetch-Site itself. */
const call = (method: string, path: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    const request = http.request(`${running.url}${path}`, { method, headers }, (reply) => {
      reply.resume().on('end', () => resolve(reply.statusCode ?? 0));
    });
    request.on('error', reject).end();
  });
const openHub = (headers: Record<string, string>) =>
  call('POST', `${hubPath}/negotiate?negotiateVersion=1`, { ...token, ...headers });
const warnings = async () => {
  const reply = await fetch(`${running.url}${systemStatus.path}`, { headers: token });
  return systemStatus.reply.parse(await reply.json()).warnings;
};
const ofBrowser = (origin: string, host = new URL(origin).host) => ({ origin, host, 'sec-fetch-site': 'same-origin' });

it('shows administrators the configured and the used address, and since when', async () => {
  await start('1');
  expect(await openHub({ ...ofBrowser(publicUrl), 'x-forwarded-for': '192.0.2.1' })).toBe(200);
  expect(await warnings()).toEqual([]);
  const before = Date.now();
  expect(await openHub({ ...ofBrowser(elsewhere), 'x-forwarded-for': '192.0.2.1' })).toBe(200);
  expect(await openHub({ origin: 'http://10.0.0.5:8080', host: '10.0.0.5:8080' })).toBe(200);
  const [found, ...others] = await warnings();
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    kind: 'other-origin',
    configured: publicUrl,
    seen: [elsewhere, 'http://10.0.0.5:8080'],
  });
  expect(new Date(found?.since ?? 0).getTime()).toBeGreaterThanOrEqual(before - 1_000);
  expect(log).toContain(`"origin":"${elsewhere}","publicUrl":"${publicUrl}"`);
});

it('detects a proxy when the public URL was never set', async () => {
  await start(null, 'http://localhost:8080');
  expect(await openHub({ ...ofBrowser(publicUrl), 'x-forwarded-for': '192.0.2.1' })).toBe(200);
  expect((await warnings()).map(({ kind }) => kind)).toEqual(['other-origin', 'untrusted-proxy']);
});

it('detects a proxy that is not listed', async () => {
  await start('10.0.0.1');
  expect(await openHub({ ...ofBrowser(publicUrl), 'x-forwarded-for': '192.0.2.1' })).toBe(200);
  expect((await warnings()).map(({ kind }) => kind)).toEqual(['untrusted-proxy']);
});

it('ignores monitors, this machine, other sites and invalid origins', async () => {
  await start('1');
  const calls: Record<string, string>[] = [
    {},
    { host: '10.0.0.5:8080' },
    { host: elsewhere.slice(8), 'x-forwarded-host': 'evil.example' },
    ofBrowser('http://localhost:8080'),
    ofBrowser('http://127.0.0.1:8080'),
    { ...ofBrowser('https://evil.example'), 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example', host: 'clinic.example' },
    { origin: 'null', host: 'clinic.example', 'sec-fetch-site': 'same-origin' },
    { origin: '<b>https://evil.example</b>', 'sec-fetch-site': 'same-origin' },
    { origin: 'https://evil.example/path', 'sec-fetch-site': 'same-origin' },
    { origin: `https://${'a.'.repeat(150)}example`, 'sec-fetch-site': 'same-origin' },
    { origin: 'file://x', 'sec-fetch-site': 'same-origin' },
  ];
  for (const headers of calls) expect(await openHub(headers)).toBe(200);
  expect(await warnings()).toEqual([]);
  expect(log).toBe('');
});

it('shows nothing forged by unauthenticated callers, and logs only the first few', async () => {
  await start(null);
  for (let count = 0; count < 40; count += 1) {
    const headers = { ...ofBrowser(`https://evil${count}.example`), 'x-forwarded-for': '192.0.2.1' };
    expect(await call('POST', `${hubPath}/negotiate`, { ...headers, authorization: 'Bearer x' })).toBe(401);
  }
  expect(await warnings()).toEqual([]);
  expect(log.split('\n').filter(Boolean)).toHaveLength(10);
});

it('stores at most ten addresses', async () => {
  await start('1');
  for (let count = 0; count < 15; count += 1) await openHub(ofBrowser(`https://name${count}.example`));
  const [found] = await warnings();
  expect(found?.kind === 'other-origin' && found.seen).toHaveLength(10);
});
