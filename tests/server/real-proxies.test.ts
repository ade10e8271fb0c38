import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hubPath } from '../../contract/hub.ts';
import { resetPasswordRequest } from '../../contract/passwords.ts';
import { patientCreate, patientUpdate } from '../../contract/patients.ts';
import { openid, type TokenReply } from '../../contract/sign-in.ts';
import { twoFactorSetup, twoFactorVerify } from '../../contract/two-factor.ts';
import { limitOf } from '../../server/web/rate-limits.ts';
import { codeOf } from './authenticator.ts';
import { type BehindRealProxy, behindRealProxy } from './behind-real-proxy.ts';
import { password } from './clinic.ts';
import { fetchFrom } from './fetch-from.ts';
import { begin, comeBack, exchange, type StartedSignIn, signInByCode } from './flow.ts';
import { findProxy } from './proxy-program.ts';
import { bearer, signIn } from './running-server.ts';
import { until } from './sign-in-under-test.ts';
import { give, maja, signInExternally, tokensOf } from './upstream-flow.ts';

/* Debian's Caddy and nginx with the documented configuration, in front of the program in a process of its own. */

const personalNumber = '199001019802';
const [attacker, colleague] = ['127.0.0.7', '127.0.0.8'];
const json = { 'content-type': 'application/json' };
const doctor = { username: 'doctor@prov.example', password };

describe.each(
  await Promise.all((['caddy', 'nginx'] as const).map(async (name) => ({ name, found: await findProxy(name) }))),
)('behind $name', ({ name, found }) => {
  if (typeof found === 'string') return it.skip(found);
  let test: BehindRealProxy;
  beforeAll(async () => {
    test = await behindRealProxy(name, found);
  });
  beforeEach(async () => {
    await test.db.deleteFrom('sign_in_attempt').execute();
    await give(test.db, test.clinic.doctorId, { email: doctor.username });
  });
  afterAll(() => test?.close());

  const post = async (url: string, body: object) =>
    (await fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) })).json();
  const amrOf = async (started: StartedSignIn, redirectTo: string) => {
    const code = (await comeBack(test.url, started.jar, redirectTo)).get('code') ?? '';
    const { sub, amr } = decodeJwt((await (await exchange(test.url, code, started)).json()).id_token);
    expect(sub).toBe(test.clinic.doctorId);
    return amr;
  };

  describe('users sign in by', () => {
    it('password, with cookies that are sent over HTTPS only', async () => {
      const { id_token = '', started } = await signInByCode(test.url, test.redirectUri, doctor);
      expect(decodeJwt(id_token)).toMatchObject({ iss: test.url, sub: test.clinic.doctorId });
      expect(started.jar.attributes().length).toBeGreaterThan(0);
      for (const attributes of started.jar.attributes()) expect(attributes).toMatch(/; ?secure/i);
    });

    it('password and authenticator', async () => {
      const tokens = await signIn(test.url, 'admin@prov.example');
      const call = ({ method, path }: { method: string; path: string }, body?: object) =>
        fetch(`${test.url}${path}`, {
          method,
          headers: { ...bearer(tokens), ...json },
          ...(body && { body: JSON.stringify(body) }),
        });
      const { sharedKey } = (await (await call(twoFactorSetup)).json()).data;
      const used = codeOf(sharedKey);
      expect((await call(twoFactorVerify, { verificationCode: used })).status).toBe(200);
      const started = await begin(test.url, test.redirectUri);
      const first = await (await started.post('password', { username: 'admin@prov.example', password })).json();
      expect(first).toMatchObject({ outcome: 'code-needed' });
      // The next code, which the tolerance for clocks accepts: the current one is used.
      const code = codeOf(sharedKey, Date.now() + 30_000);
      const { redirectTo } = await (await started.post('code', { code })).json();
      const back = await comeBack(test.url, started.jar, redirectTo);
      const reply = await exchange(test.url, back.get('code') ?? '', started);
      expect(decodeJwt((await reply.json()).id_token).amr).toEqual(['pwd', 'otp']);
    });

    it('BankID, which is given the address of the user’s browser', async () => {
      await give(test.db, test.clinic.doctorId, { personal_number: personalNumber });
      const started = await begin(test.url, test.redirectUri, { method: 'bankid' });
      const call = `/interaction/${started.uid}/bankid`;
      const headers = { ...json, cookie: started.jar.sent(call), 'x-forwarded-for': '203.0.113.1' };
      const { qr } = await (
        await fetchFrom(attacker)(`${test.url}${call}`, { method: 'POST', headers, body: '{}' })
      ).json();
      const scanned = await post(`${test.bankId.url}/scan`, { text: qr, personalNumber });
      expect(scanned.endUserIp).toBe(attacker);
      await post(`${test.bankId.url}/answer`, { id: scanned.id, answer: 'yes' });
      const collect = async () => (await started.post('bankid/collect', {})).json();
      const { next } = await until(collect, ({ status }) => status !== 'pending');
      expect(await amrOf(started, next.redirectTo)).toEqual(['mfa', 'pop']);
    });

    it('a code by text message', async () => {
      await test.db
        .updateTable('account')
        .set({ telephone: '070-174 06 11' })
        .where('id', '=', test.clinic.doctorId)
        .execute();
      const started = await begin(test.url, test.redirectUri, { method: 'sms' });
      await started.post('sms', { email: doctor.username, language: 'sv' });
      const messages = async (): Promise<{ message: string }[]> => (await fetch(`${test.sms.url}/messages`)).json();
      const [sent] = await until(messages, (all) => all.length > 0);
      expect(sent?.message).toContain('@images.clinic.example #');
      const code = /#(\d{6})$/.exec(sent?.message ?? '')?.[1];
      const { redirectTo } = await (await started.post('sms/verify', { code })).json();
      expect(await amrOf(started, redirectTo)).toEqual(['sms']);
    });

    it.each(['siths', 'aad', 'openid'] as const)('%s', async (method) => {
      const { personalNumber, azureUsername, email } = maja;
      await give(test.db, test.clinic.doctorId, {
        personal_number: personalNumber,
        azure_username: azureUsername,
        email,
      });
      const ended = await signInExternally(test.url, method, { user: maja.id, strong: true }, test.redirectUri);
      expect((await tokensOf(test.url, ended)).sub).toBe(test.clinic.doctorId);
    });
  });

  describe('an address', () => {
    const guess = async (from: string, username: string, forged: string) => {
      const reply = await fetchFrom(from)(`${test.url}${openid.tokenPath}`, {
        method: 'POST',
        headers: { origin: test.url, 'x-forwarded-for': forged, 'x-real-ip': forged, forwarded: `for=${forged}` },
        body: new URLSearchParams({
          client_id: openid.clientId,
          grant_type: 'password',
          username,
          password: username === doctor.username ? password : 'wrong',
          scope: openid.scope,
        }),
      });
      return { status: reply.status, problem: (await reply.json()).error_description };
    };

    it('that guesses passwords is locked out, whatever it forges; another one is not', async () => {
      for (let count = 0; count < 32; count += 1)
        await guess(attacker, `${crypto.randomUUID()}@prov.example`, `203.0.113.${count}`);
      expect((await guess(attacker, doctor.username, colleague)).problem).toBe('too-many-requests');
      expect((await guess(colleague, doctor.username, attacker)).status).toBe(200);
    });

    it('that floods is limited, whatever it forges; another one is not', async () => {
      const { path } = resetPasswordRequest;
      const one = async (forged: string) =>
        (await fetchFrom('127.0.0.9')(`${test.url}${path}`, { method: 'POST', headers: { 'x-forwarded-for': forged } }))
          .status;
      const statuses: number[] = [];
      while (statuses.length < limitOf(path) + 20)
        statuses.push(
          ...(await Promise.all(
            Array.from({ length: 20 }, (_, index) => one(`203.0.${statuses.length % 250}.${index}`)),
          )),
        );
      expect(statuses.filter((status) => status === 429)).toHaveLength(20);
      expect((await fetchFrom(colleague)(`${test.url}${path}`, { method: 'POST' })).status).toBe(400);
    });
  });

  it('serves HTTPS only, with HSTS, and reports the public URL whatever a client claims', async () => {
    const plain = await fetch(`${test.plainUrl}/patient/1`, { redirect: 'manual' });
    expect([301, 308]).toContain(plain.status);
    expect(plain.headers.get('location')).toMatch(/^https:\/\/images\.clinic\.example\S*\/patient\/1$/);
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http', forwarded: 'host=evil.example' };
    const discovery = await fetch(`${test.url}/.well-known/openid-configuration`, { headers: forged });
    expect(await discovery.json()).toMatchObject({
      issuer: test.url,
      token_endpoint: `${test.url}${openid.tokenPath}`,
    });
    expect(discovery.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  });

  it('answers health checks, and gives no metrics', async () => {
    for (const probe of ['/health', '/health/live', '/health/ready'])
      expect((await fetch(`${test.url}${probe}`)).status, probe).toBe(200);
    expect((await fetch(`${test.url}/metrics`)).status).toBe(404);
    const asPage = await fetch(`${test.url}/metrics`, { headers: { accept: 'text/html' } });
    expect(await asPage.text()).not.toMatch(/^# (HELP|TYPE)/m);
  });

  describe('the hub', () => {
    const connect = async (tokens: TokenReply) => {
      const connection = new HubConnectionBuilder()
        .withUrl(`${test.url}${hubPath}`, {
          transport: HttpTransportType.WebSockets,
          accessTokenFactory: () => tokens.access_token,
          // As browsers send it.
          headers: { origin: new URL(test.redirectUri).origin },
        })
        .configureLogging(LogLevel.None)
        .build();
      await connection.start();
      return connection;
    };

    it('sends events over a WebSocket', async () => {
      const tokens = await signIn(test.url, doctor.username);
      const call = async (route: { method: string; path: string }, body: object) =>
        (
          await fetch(`${test.url}${route.path}`, {
            method: route.method,
            headers: { ...bearer(tokens), ...json },
            body: JSON.stringify(body),
          })
        ).json();
      const fields = { firstName: 'Vera', lastName: 'Ek', personalNumber, birthDate: null, sex: null, comments: null };
      const { id, version } = await call(patientCreate, { customerId: test.clinic.customerId, ...fields });
      const connection = await connect(tokens);
      const received: unknown[] = [];
      connection.on('PatientChanged', (body) => received.push(body));
      await call(patientUpdate, { id, version, ...fields, lastName: 'Al' });
      await vi.waitFor(() => expect(received).toEqual([{ patientId: id }]), 20_000);
      await connection.stop();
    });

    it('leaves no access token in a log', async () => {
      const tokens = await signIn(test.url, doctor.username);
      const query = new URLSearchParams({ access_token: tokens.access_token });
      const reply = await fetch(`${test.url}${hubPath}?id=none&${query}`);
      await reply.arrayBuffer();
      const logs = () => {
        const names = readdirSync(test.proxyFolder).filter((file) => file.endsWith('.log'));
        return [...names.map((file) => path.join(test.proxyFolder, file)), path.join(test.dataFolder, 'server.log')]
          .map((file) => readFileSync(file, 'utf8'))
          .join('\n');
      };
      if (name === 'nginx') await vi.waitFor(() => expect(logs()).toContain(`GET ${hubPath} ${reply.status}`), 20_000);
      expect(logs()).not.toContain('access_token');
      expect(logs()).not.toContain(tokens.access_token.slice(-40));
    });
  });
});
