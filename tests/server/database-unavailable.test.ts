import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { hubPath } from '../../contract/hub.ts';
import { openid } from '../../contract/sign-in.ts';
import { templates } from '../../contract/viewsets.ts';
import { password } from './clinic.ts';
import { bearer, requestTokens, signIn } from './running-server.ts';
import { unavailableDatabase } from './unavailable-database.ts';

const under = unavailableDatabase();
const { statusOf, isReady } = under;
const email = 'doctor@prov.example';

test.each(['SIGINT', 'SIGKILL'] as const)(
  'every concurrent read succeeds or gets 503 while PostgreSQL restarts by %s',
  async (signal) => {
    await isReady();
    const tokens = await signIn(under.server().url, email);
    const paths = [templates.path, '/api/Account/info', '/health', '/health/ready', '/api/Configuration/welcome'];
    const seen = new Map<string, number>();
    let over = false;
    const read = async (path: string) => {
      while (!over) {
        const reply = await fetch(`${under.server().url}${path}`, { headers: bearer(tokens) });
        const body = await reply.json();
        const outcome =
          reply.status === 200 ? '200' : JSON.stringify([reply.status, body.code, reply.headers.get('retry-after')]);
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      }
    };
    const readers = [...paths, ...paths].map(read);
    await under.postgres().stop(signal);
    const away = JSON.stringify([503, 'database-unavailable', '2']);
    await vi.waitFor(() => expect(seen.get(away) ?? 0).toBeGreaterThan(20), 20_000);
    expect([await statusOf('/health/live'), await statusOf('/health/ready')]).toEqual([200, 503]);
    await under.postgres().start();
    await isReady();
    over = true;
    await Promise.all(readers);
    expect([...seen.keys()].sort()).toEqual(['200', away].sort());
    for (const path of paths)
      expect((await fetch(`${under.server().url}${path}`, { headers: bearer(tokens) })).status).toBe(200);
  },
);

test('answers sign-in and renewal with 503 while the database is unavailable, and the session continues afterwards', async () => {
  await isReady();
  const tokens = await signIn(under.server().url, email);
  const renewal = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
  const fields = { ...renewal, [openid.attemptParameter]: 'a-secret-of-twenty-characters' };
  await under.postgres().stop('SIGKILL');
  const signInFields = { grant_type: 'password', username: email, password, scope: openid.scope };
  for (const form of [fields, signInFields]) {
    const reply = await requestTokens(under.server().url, form);
    expect([reply.status, reply.headers.get('retry-after'), await reply.json()]).toEqual([
      503,
      '2',
      { error: 'temporarily_unavailable', error_description: 'database-unavailable' },
    ]);
  }
  const query = new URLSearchParams({
    client_id: openid.clientId,
    redirect_uri: `http://localhost${openid.callbackPath}`,
    response_type: 'code',
    scope: openid.scope,
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    state: 'state',
  });
  const page = await fetch(`${under.server().url}${openid.authorizePath}?${query}`, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
  });
  expect(page.headers.get('location')).toBe('/authorization?problem=database-unavailable');
  const own = await fetch(`${under.server().url}${openid.userInfoPath}`, { headers: bearer(tokens) });
  expect([own.status, await own.json()]).toMatchObject([503, { code: 'database-unavailable' }]);
  await under.postgres().start();
  await isReady();
  expect((await requestTokens(under.server().url, fields)).status).toBe(200);
});

test('does not answer 401 for a token with an unknown key while the database is unavailable', async () => {
  await isReady();
  const { access_token: token } = await signIn(under.server().url, email);
  const [, ...rest] = token.split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: 'of-another-node' }));
  await under.postgres().stop('SIGINT');
  const reply = await fetch(`${under.server().url}${templates.path}`, {
    headers: { authorization: `Bearer ${[header.toString('base64url'), ...rest].join('.')}` },
  });
  expect(reply.status).toBe(503);
  await under.postgres().start();
});

const listen = async (token: string) => {
  const connection = new HubConnectionBuilder()
    .withUrl(`${under.server().url}${hubPath}`, {
      transport: HttpTransportType.WebSockets,
      accessTokenFactory: () => token,
    })
    .configureLogging(LogLevel.None)
    .build();
  const received: unknown[] = [];
  const closed = new Promise<void>((resolve) => connection.onclose(() => resolve()));
  connection.on('imported', (body) => received.push(body));
  await connection.start();
  return { connection, received, closed };
};
const taskId = '3f0a3c1e-6d0b-4d8e-9d55-0a6f6f6f6f6f';
const done = { name: 'imported' as const, body: { succeeded: true, result: { taskId } } };

test('keeps the hub open while the database is unavailable, and reconnects its clients afterwards', async () => {
  await isReady();
  const { access_token: token } = await signIn(under.server().url, email);
  const publish = () => under.server().hub.publish([`user:${under.clinics().doctorId}`], done);
  // A hub that itself reconnects after the database was unavailable closes its clients.
  const receives = () =>
    vi.waitFor(
      async () => {
        const client = await listen(token);
        await publish();
        await vi.waitFor(() => expect(client.received.length).toBeGreaterThan(0));
        return client;
      },
      { timeout: 20_000 },
    );
  const first = await receives();
  await under.postgres().stop('SIGKILL');
  await expect(publish()).rejects.toThrow('not available');
  // The session rechecks fail meanwhile, which must not end the session.
  await vi.waitFor(async () => expect(await statusOf('/health/ready')).toBe(503), 20_000);
  expect(first.connection.state).toBe('Connected');
  await under.postgres().start();
  await first.closed;
  await isReady();
  const second = await receives();
  await second.connection.stop();
});

test('makes every client refetch after an event could not be published', async () => {
  await isReady();
  const { access_token: token } = await signIn(under.server().url, email);
  const client = await listen(token);
  const query = vi.spyOn(under.database().pool, 'query');
  query.mockRejectedValueOnce(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
  await expect(under.server().hub.publish([`user:${under.clinics().doctorId}`], done)).rejects.toThrow('not available');
  await client.closed;
  query.mockRestore();
});

test('treats a database without free connections as unavailable', async () => {
  await isReady();
  const others: pg.Client[] = [];
  const takeAll = async (): Promise<void> => {
    for (;;) {
      const client = new pg.Client({ ...under.postgres().address, database: 'postgres' });
      client.on('error', () => undefined);
      try {
        await client.connect();
      } catch {
        return;
      }
      others.push(client);
    }
  };
  await takeAll();
  await vi.waitFor(async () => {
    await others[0]?.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'dentarium'");
    await takeAll();
    expect(await statusOf('/health/ready')).toBe(503);
  }, 20_000);
  for (const client of others) await client.end();
  await isReady();
});
