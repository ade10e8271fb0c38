import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HubEvent, hubPath } from '../../contract/hub.ts';
import { resetPasswordRequest } from '../../contract/passwords.ts';
import { openid } from '../../contract/sign-in.ts';
import { readIdentitySettings } from '../../server/identity/identity-settings.ts';
import { limitOf } from '../../server/web/rate-limits.ts';
import { readTrustedProxies } from '../../server/web/trusted-proxies.ts';
import type { StandIn } from '../../stand-ins/stand-in.ts';
import { addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { begin, comeBack } from './flow.ts';
import { callerHeader, startProxy, type TestProxy } from './proxy.ts';
import { dataFolderOf, type RunningServer, runServer } from './running-server.ts';
import { startStandIn } from './stand-in-process.ts';

/* The archive behind one proxy and behind two, by a number of hops and by address, as browsers at an HTTPS address reach it. */

const publicUrl = 'https://clinic.example';
const redirectUri = `${publicUrl}${openid.callbackPath}`;
const [attacker, colleague] = ['198.51.100.7', '198.51.100.8'];

let database: TestDatabase;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let bankId: StandIn;
let folder: string;

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  folder = await mkdtemp(path.join(os.tmpdir(), 'dentarium-proxy-'));
  bankId = await startStandIn('bank-id', { folder });
});
afterAll(async () => {
  await bankId?.close();
  await rm(folder, { recursive: true, force: true });
  await database?.close();
});

describe.each([
  { hops: 1, trust: '1' },
  { hops: 1, trust: '127.0.0.1' },
  { hops: 2, trust: '2' },
  { hops: 2, trust: 'loopback, 10.0.0.0/8' },
])('behind $hops proxies, with DENTARIUM_TRUST_PROXY=$trust', ({ hops, trust }) => {
  const proxies: TestProxy[] = [];
  let running: RunningServer;
  let url: string;

  beforeAll(async () => {
    running = await runServer(database.database, {
      publicUrl,
      trustProxy: readTrustedProxies(trust),
      identity: readIdentitySettings(bankId.environment),
      // Messages are written to the outbox folder.
      demoAccounts: async () => [{ email: 'doctor@prov.example', password, role: 'Doctor', clinic: 'Provkliniken' }],
    });
    url = running.url;
    for (let hop = hops; hop > 0; hop -= 1) {
      // The proxy that browsers reach terminates TLS; those behind it pass on its headers.
      const proxy = await startProxy({ target: url, ...(hop === 1 && { publicUrl }) });
      proxies.push(proxy);
      url = proxy.url;
    }
  });
  beforeEach(async () => {
    await database.db.deleteFrom('sign_in_attempt').execute();
    await database.db.deleteFrom('letter').execute();
  });
  afterAll(async () => {
    await running.close();
    for (const proxy of proxies) await proxy.close();
  });

  const guess = async (
    caller: string,
    headers: Record<string, string> = {},
    username: string = crypto.randomUUID(),
  ) => {
    const reply = await fetch(`${url}${openid.tokenPath}`, {
      method: 'POST',
      headers: { origin: publicUrl, [callerHeader]: caller, ...headers },
      body: new URLSearchParams({
        client_id: openid.clientId,
        grant_type: 'password',
        username: `${username}@prov.example`,
        password: username === 'doctor' ? password : 'wrong',
        scope: openid.scope,
      }),
    });
    const { error_description: problem, access_token } = await reply.json();
    return { status: reply.status, problem, token: access_token };
  };

  it('sends a reset link with the public URL', async () => {
    const body = { email: 'doctor@prov.example', redirectUrl: `${publicUrl}/authorization/newpassword` };
    const headers = { 'content-type': 'application/json', origin: publicUrl };
    const reply = await fetch(`${url}${resetPasswordRequest.path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    expect(reply.status).toBe(200);
    const outbox = path.join(dataFolderOf(database.database), 'outbox');
    const names = await vi.waitUntil(
      async () => {
        const found = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith('.eml'));
        return found.length > 0 && found;
      },
      { timeout: 20_000 },
    );
    const email = await readFile(path.join(outbox, names[0] ?? ''), 'utf8');
    expect(email.replaceAll('=\r\n', '')).toContain(`${publicUrl}/authorization/newpassword#id`);
  });

  it('passes the client’s address to BankID, whatever X-Forwarded-For the client sends', async () => {
    const started = await begin(url, redirectUri, { method: 'bankid' });
    const reply = await started.jar.fetch(`${url}/interaction/${started.uid}/bankid`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [callerHeader]: attacker, 'x-forwarded-for': '203.0.113.1' },
      body: '{}',
    });
    expect(reply.status).toBe(200);
    const { qr } = await reply.json();
    const scanned = await fetch(`${bankId.url}/scan`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: qr, personalNumber: '199001019802' }),
    });
    expect((await scanned.json()).endUserIp).toBe(attacker);
  });

  it('completes the code flow with secure cookies and public URLs', async () => {
    const lie = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', forwarded: 'host=evil.example' };
    const discovery = await fetch(`${url}/.well-known/openid-configuration`, { headers: lie });
    expect(await discovery.json()).toMatchObject({
      issuer: publicUrl,
      token_endpoint: `${publicUrl}${openid.tokenPath}`,
      authorization_endpoint: `${publicUrl}${openid.authorizePath}`,
    });
    const started = await begin(url, redirectUri);
    expect(started.jar.attributes().every((attributes) => /; ?secure/i.test(attributes))).toBe(true);
    const names = started.jar.names();
    expect(names.filter((name) => name?.startsWith('__Secure-_interaction'))).not.toEqual([]);
    expect(names.filter((name) => !name?.startsWith('__Secure-') || name.includes('_session'))).toEqual([]);
    const { redirectTo } = await (await started.post('password', { username: 'doctor@prov.example', password })).json();
    const back = await comeBack(url, started.jar, redirectTo);
    expect(back.get('iss')).toBe(publicUrl);
    const exchange = (origin: string, headers: Record<string, string> = {}) =>
      fetch(`${url}${openid.tokenPath}`, {
        method: 'POST',
        headers: { origin, ...headers },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: openid.clientId,
          code: back.get('code') ?? '',
          redirect_uri: redirectUri,
          code_verifier: started.verifier,
        }),
      });
    expect((await exchange('https://evil.example', lie)).status, 'a page of another origin').toBe(400);
    const tokens = await (await exchange(publicUrl)).json();
    expect(tokens.access_token).toBeTruthy();
  });

  it('locks out the guessing address, not the others behind the proxy', async () => {
    const answers = [];
    for (let count = 0; count < 33; count += 1)
      answers.push(
        await guess(attacker, { 'x-forwarded-for': `203.0.113.${count}`, 'x-real-ip': `203.0.113.${count}` }),
      );
    expect(answers.at(-1)?.problem, 'a new address in front each time changes nothing').toBe('too-many-requests');
    expect((await guess(attacker, {}, 'doctor')).problem).toBe('too-many-requests');
    expect((await guess(colleague, {}, 'doctor')).status).toBe(200);
  });

  it('limits an address that forges others', async () => {
    const path = resetPasswordRequest.path;
    const caller = '198.51.100.9';
    const statuses: number[] = [];
    const one = async (_: unknown, count: number) => {
      const headers = { [callerHeader]: caller, 'x-forwarded-for': `203.0.${count % 250}.${statuses.length % 250}` };
      const reply = await fetch(`${url}${path}`, { method: 'POST', headers });
      statuses.push(reply.status);
      await reply.arrayBuffer();
    };
    while (statuses.length < limitOf(path) + 20) await Promise.all(Array.from({ length: 20 }, one));
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    const other = await fetch(`${url}${path}`, { method: 'POST', headers: { [callerHeader]: colleague } });
    expect(other.status).toBe(400);
  });

  it('supports the hub over a WebSocket', async () => {
    const { token } = await guess(colleague, {}, 'doctor');
    const connection = new HubConnectionBuilder()
      .withUrl(`${url}${hubPath}`, { transport: HttpTransportType.WebSockets, accessTokenFactory: () => token })
      .configureLogging(LogLevel.None)
      .build();
    const received: unknown[] = [];
    connection.on('imported', (body) => received.push(body));
    await connection.start();
    const event: HubEvent = { name: 'imported', body: { succeeded: true, result: { taskId: crypto.randomUUID() } } };
    await running.hub.publish([`user:${clinic.doctorId}`], event);
    await vi.waitFor(() => expect(received).toEqual([event.body]), 20_000);
    await connection.stop();
  });
});
