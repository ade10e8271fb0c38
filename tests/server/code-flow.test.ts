import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessTokenClaims, openid } from '../../contract/sign-in.ts';
import { renewStamp } from '../../server/db/stores/sessions.ts';
import { readIdentitySettings } from '../../server/identity/identity-settings.ts';
import { addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { authorizeUrl, begin, comeBack, cookieJar, exchange, newVerifier, signInByCode } from './flow.ts';
import { bearer, type RunningServer, requestTokens, runServer } from './running-server.ts';

let database: TestDatabase;
let running: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let url: string;
const redirectUri = `http://localhost${openid.callbackPath}`;
const partner = {
  id: 'intranet',
  name: 'Intranätet',
  secret: 'a-long-enough-secret',
  uri: 'https://intranet.example/cb',
};

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  running = await runServer(database.database, {
    identity: readIdentitySettings({
      DENTARIUM_OPENID_CLIENTS: JSON.stringify([
        { id: partner.id, name: partner.name, secret: partner.secret, redirectUris: [partner.uri] },
      ]),
    }),
  });
  url = running.url;
});
beforeEach(() => database.db.deleteFrom('sign_in_attempt').execute());
afterAll(async () => {
  await running?.close();
  await database?.close();
});

const doctor = { username: 'doctor@prov.example', password };
const statusAndBody = async (reply: Response) => ({ status: reply.status, ...(await reply.json()) });
const info = async (tokens: { access_token: string }) =>
  (await fetch(`${url}/api/Account/info`, { headers: { authorization: `Bearer ${tokens.access_token}` } })).status;
const renew = (token: string | undefined) =>
  requestTokens(url, { grant_type: 'refresh_token', refresh_token: token ?? '' });
/** Returns an unused code for the doctor. */
const newCode = async () => {
  const started = await begin(url, redirectUri);
  const { redirectTo } = await (await started.post('password', doctor)).json();
  return { started, code: (await comeBack(url, started.jar, redirectTo)).get('code') ?? '' };
};

describe('the code flow', () => {
  it('leads through an interaction to tokens of the signed-in user', async () => {
    const tokens = await signInByCode(url, redirectUri, doctor);
    const claims = accessTokenClaims.parse(decodeJwt(tokens.access_token));
    expect(claims).toMatchObject({ sub: clinic.doctorId, role: ['Doctor'], customer_id: clinic.customerId });
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ sub: clinic.doctorId, nonce: 'a-nonce', amr: ['pwd'] });
    expect(await info(tokens)).toBe(200);
    expect((await renew(tokens.refresh_token)).status).toBe(200);
    const noted = database.db.selectFrom('access_log').select(['action', 'detail']);
    expect(await noted.where('account_id', '=', clinic.doctorId).execute()).toContainEqual({
      action: 'sign-in',
      detail: 'password',
    });
  });

  it('returns the client’s state and names its issuer', async () => {
    const started = await begin(url, redirectUri);
    const { redirectTo } = await (await started.post('password', doctor)).json();
    expect(redirectTo).toMatch(/^\/connect\/authorize\//);
    const back = await comeBack(url, started.jar, redirectTo);
    expect(back.get('state')).toBe('a-state');
    expect(back.get('iss')).toBe('http://localhost');
  });

  it.each([
    ['a wrong verifier', { code_verifier: newVerifier() }],
    ['no verifier', { code_verifier: '' }],
    ['another redirect_uri', { redirect_uri: 'http://localhost/elsewhere' }],
    ['another client', { client_id: partner.id }],
  ])('rejects a code with %s', async (_, extra) => {
    const { started, code } = await newCode();
    const reply = await exchange(url, code, started, extra);
    expect([400, 401]).toContain(reply.status);
    expect(await reply.text()).not.toMatch(/_token"/);
  });

  it('gives nothing to a page of another origin', async () => {
    const { started, code } = await newCode();
    const reply = await fetch(`${url}${openid.tokenPath}`, {
      method: 'POST',
      headers: { origin: 'https://elsewhere.example' },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: openid.clientId,
        code,
        redirect_uri: redirectUri,
        code_verifier: started.verifier,
      }),
    });
    expect(reply.status).toBe(400);
    expect(await reply.text()).not.toMatch(/_token"/);
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('revokes the tokens of a code that is used again', async () => {
    const tokens = await signInByCode(url, redirectUri, doctor);
    expect(await info(tokens)).toBe(200);
    expect((await exchange(url, tokens.code, tokens.started)).status).toBe(400);
    expect(await info(tokens)).toBe(401);
    expect((await renew(tokens.refresh_token)).status).toBe(400);
  });

  it('accepts at most one of two simultaneous exchanges', async () => {
    const { started, code } = await newCode();
    const statuses = (await Promise.all([1, 2].map(() => exchange(url, code, started)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['prompt=none', { prompt: 'none' }, 'login_required'],
    ['the implicit flow', { response_type: 'id_token token' }, 'unsupported_response_type'],
    ['a strange scope', { scope: 'openid patients.all' }, null],
    ['another resource', { resource: 'urn:elsewhere' }, 'invalid_target'],
  ])('returns an error to the client for a request with %s', async (_, extra, error) => {
    const reply = await fetch(authorizeUrl(url, redirectUri, newVerifier(), extra), { redirect: 'manual' });
    const location = new URL(reply.headers.get('location') ?? '', url);
    if (error === null) return expect(location.pathname).toMatch(/^\/interaction\//);
    expect(location.pathname).toBe(openid.callbackPath);
    const parameters = new URLSearchParams(location.search || location.hash.slice(1));
    expect(parameters.get('error')).toBe(error);
    expect(parameters.get('code')).toBeNull();
  });

  it('never redirects to an address that is not registered for the client', async () => {
    for (const bad of ['https://elsewhere.example/auth/callback', `${redirectUri}/x`, `${redirectUri}?a=b`]) {
      const address = authorizeUrl(url, bad, newVerifier());
      const reply = await fetch(address, { redirect: 'manual' });
      expect(reply.status).toBe(400);
      expect(reply.headers.get('location')).toBeNull();
      // The user gets an error page of the archive.
      const page = await fetch(address, { redirect: 'manual', headers: { accept: 'text/html' } });
      expect(page.headers.get('location')).toBe('/authorization?problem=invalid-request');
    }
  });

  it('treats the loopback addresses of this machine as equal', async () => {
    for (const host of ['127.0.0.1', '[::1]'])
      expect((await begin(url, `http://${host}${openid.callbackPath}`)).uid).toBeTruthy();
  });
});

describe('a user who signed in before', () => {
  it('must sign in again, because the browser stores no session', async () => {
    const { started } = await signInByCode(url, redirectUri, doctor);
    expect(started.jar.names().filter((name) => name?.startsWith('_session'))).toEqual([]);
    const again = await begin(url, redirectUri, { prompt: '' }, started.jar);
    expect(again.uid).not.toBe(started.uid);
  });

  it('can be followed by another user at the same workstation', async () => {
    const jar = cookieJar();
    for (const [email, id] of [
      ['doctor@prov.example', clinic.doctorId],
      ['admin@prov.example', clinic.adminId],
    ] as const) {
      const started = await begin(url, redirectUri, {}, jar);
      const { redirectTo } = await (await started.post('password', { username: email, password })).json();
      const code = (await comeBack(url, jar, redirectTo)).get('code') ?? '';
      const tokens = await (await exchange(url, code, started)).json();
      expect(decodeJwt(tokens.access_token).sub).toBe(id);
    }
  });
});

describe('a change of the security stamp', () => {
  const after = (accountId: string) =>
    database.db.transaction().execute((tx) => renewStamp(tx, accountId, { reason: 'password-changed' }));

  it('ends all sessions at once', async () => {
    const [one, other] = await Promise.all([1, 2].map(() => signInByCode(url, redirectUri, doctor)));
    await after(clinic.doctorId);
    for (const tokens of [one, other]) {
      expect(await info(tokens ?? { access_token: '' })).toBe(401);
      expect((await renew(tokens?.refresh_token)).status).toBe(400);
    }
    expect(await info(await signInByCode(url, redirectUri, doctor))).toBe(200);
  });

  it('keeps the session that made the change', async () => {
    const [own, other] = await Promise.all([1, 2].map(() => signInByCode(url, redirectUri, doctor)));
    const exceptGrant = String(decodeJwt(own?.access_token ?? '').grant);
    await database.db
      .transaction()
      .execute((tx) => renewStamp(tx, clinic.doctorId, { reason: 'password-changed', exceptGrant }));
    expect(await info(own ?? { access_token: '' })).toBe(200);
    const renewed = await renew(own?.refresh_token);
    expect(await info(await renewed.json())).toBe(200);
    expect(await info(other ?? { access_token: '' })).toBe(401);
    expect((await renew(other?.refresh_token)).status).toBe(400);
  });

  it('also ends a sign-in in progress: after the proof, and after the code', async () => {
    const started = await begin(url, redirectUri);
    const { redirectTo } = await (await started.post('password', doctor)).json();
    await after(clinic.doctorId);
    const code = (await comeBack(url, started.jar, redirectTo)).get('code') ?? '';
    expect((await exchange(url, code, started)).status).toBe(400);

    const second = await newCode();
    await after(clinic.doctorId);
    expect((await exchange(url, second.code, second.started)).status).toBe(400);
  });

  it('is noticed, whatever caused it', async () => {
    const tokens = await signInByCode(url, redirectUri, doctor);
    const change = { security_stamp: crypto.randomUUID() };
    await database.db.updateTable('account').set(change).where('id', '=', clinic.doctorId).execute();
    expect(await info(tokens)).toBe(401);
    expect((await renew(tokens.refresh_token)).status).toBe(400);
  });
});

it('ends a session at once when its token is revoked', async () => {
  const tokens = await signInByCode(url, redirectUri, doctor);
  const body = new URLSearchParams({ client_id: openid.clientId, token: tokens.refresh_token ?? '' });
  const ended = await fetch(`${url}${openid.revocationPath}`, { method: 'POST', body });
  expect([ended.status, ended.headers.get('clear-site-data'), ended.headers.get('cache-control')]).toEqual([
    200,
    '"cache"',
    'no-store',
  ]);
  expect(await info(tokens)).toBe(401);
  const signOuts = () =>
    database.db.selectFrom('access_log').select('account_id').where('action', '=', 'sign-out').execute();
  expect(await signOuts()).toEqual([{ account_id: clinic.doctorId }]);
  // Repeated and with an invalid token: the reply is the same (RFC 7009 section 2.2), without effect.
  for (const token of [tokens.refresh_token ?? '', 'nonsense'])
    expect(
      (
        await fetch(`${url}${openid.revocationPath}`, {
          method: 'POST',
          body: new URLSearchParams({ client_id: openid.clientId, token }),
        })
      ).status,
    ).toBe(200);
  expect(await signOuts()).toHaveLength(1);
});

describe('another program of the clinic', () => {
  it('learns who the user is, and may not call the API', async () => {
    const started = await begin(url, partner.uri, { client_id: partner.id, scope: 'openid profile', prompt: '' });
    expect((await started.get('')).headers.get('location')).toBe(`/authorization?interaction=${started.uid}`);
    expect(await (await started.get('details')).json()).toMatchObject({ clientName: partner.name, method: null });
    const { redirectTo } = await (await started.post('password', doctor)).json();
    const code = (await comeBack(url, started.jar, redirectTo)).get('code') ?? '';
    const reply = await fetch(`${url}${openid.tokenPath}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${partner.id}:${partner.secret}`)}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: partner.uri,
        code_verifier: started.verifier,
      }),
    });
    const tokens = await reply.json();
    expect(tokens).not.toHaveProperty('refresh_token');
    expect(decodeJwt(tokens.access_token)).not.toHaveProperty('permission');
    expect(decodeJwt(tokens.id_token)).toMatchObject({ sub: clinic.doctorId, aud: partner.id });
    expect((await fetch(`${url}${openid.userInfoPath}`, { headers: bearer(tokens) })).status).toBe(200);
    expect(await info(tokens)).toBe(401);
  });

  it('gets no user who must set up two-factor authentication first; Dentarium itself does', async () => {
    const policy = (twoFactorFrom: string | null) =>
      database.db
        .updateTable('customer')
        .set({ account_policy: JSON.stringify({ twoFactorFrom }) })
        .where('id', '=', clinic.customerId)
        .execute();
    await policy('2026-01-01');
    const started = await begin(url, partner.uri, { client_id: partner.id, scope: 'openid profile', prompt: '' });
    expect(await statusAndBody(await started.post('password', doctor))).toMatchObject({
      status: 403,
      code: 'two-factor-needed',
    });
    expect((await signInByCode(url, redirectUri, doctor)).access_token).toBeTruthy();
    await policy(null);
    expect((await started.post('password', doctor)).status).toBe(200);
  });

  it('is rejected for the password grant, without its secret, and for the API scope', async () => {
    const fields = { grant_type: 'password', client_id: partner.id, client_secret: partner.secret, ...doctor };
    expect((await requestTokens(url, fields)).status).toBeGreaterThanOrEqual(400);
    const started = await begin(url, partner.uri, { client_id: partner.id, scope: 'openid' });
    const { redirectTo } = await (await started.post('password', doctor)).json();
    const code = (await comeBack(url, started.jar, redirectTo)).get('code') ?? '';
    expect(await statusAndBody(await exchange(url, code, started, { client_id: partner.id }))).toMatchObject({
      status: 400,
      error: 'invalid_request',
    });
    const authorizationUrl = authorizeUrl(url, partner.uri, newVerifier(), { client_id: partner.id });
    const location = new URL((await fetch(authorizationUrl, { redirect: 'manual' })).headers.get('location') ?? '');
    expect(location.searchParams.get('error')).toBe('invalid_scope');
  });
});
