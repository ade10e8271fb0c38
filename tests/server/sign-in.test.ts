import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { currentUser, userInfo } from '../../contract/account.ts';
import { defaultClaims } from '../../contract/claims.ts';
import { accessTokenClaims, openid, tokenReply } from '../../contract/sign-in.ts';
import { addAccount, addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, requestTokens, runServer, signIn } from './running-server.ts';

let database: TestDatabase;
let running: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  await addAccount(database.db, {
    email: 'gone@prov.example',
    role: 'Doctor',
    customerId: clinic.customerId,
    isActive: false,
  });
  running = await runServer(database.database);
});
beforeEach(() => database.db.deleteFrom('sign_in_attempt').execute());
afterAll(async () => {
  await running?.close();
  await database?.close();
});

const byPassword = (username: string, secret = password) =>
  requestTokens(running.url, { grant_type: 'password', username, password: secret, scope: openid.scope });
const renew = (refreshToken: string) =>
  requestTokens(running.url, { grant_type: 'refresh_token', refresh_token: refreshToken });
const fetchPath = (path: string, init?: RequestInit) => fetch(`${running.url}${path}`, init);

describe('signing in', () => {
  it('issues tokens with the rights of the role', async () => {
    const tokens = tokenReply.parse(await (await byPassword('Doctor@Prov.example')).json());
    const claims = accessTokenClaims.parse(decodeJwt(tokens.access_token));
    expect(claims).toMatchObject({ sub: clinic.doctorId, role: ['Doctor'], customer_id: clinic.customerId });
    expect(claims.permission).toEqual(defaultClaims.Doctor);
    expect(tokens.expires_in).toBe(300);
    expect(tokens.refresh_token).toBeTruthy();
    expect(decodeJwt(tokens.id_token ?? '').sub).toBe(clinic.doctorId);
  });

  it('gives nothing to a page of another origin', async () => {
    const fields = { grant_type: 'password', username: 'doctor@prov.example', password, client_id: openid.clientId };
    const headers = { origin: 'https://elsewhere.example' };
    const reply = await fetchPath(openid.tokenPath, { method: 'POST', headers, body: new URLSearchParams(fields) });
    expect(reply.status).toBe(400);
    expect(await reply.text()).not.toMatch(/_token/);
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('gives a super administrator no clinic', async () => {
    const tokens = await signIn(running.url, 'super@prov.example');
    expect(accessTokenClaims.parse(decodeJwt(tokens.access_token)).customer_id).toBeNull();
  });

  it.each([
    ['a wrong password', 'doctor@prov.example', 'Wrong-2026!', 'incorrect-login'],
    ['an unknown name', 'nobody@prov.example', password, 'incorrect-login'],
    ['an inactive account', 'gone@prov.example', password, 'account-inactive'],
    ['an inactive account with a wrong password', 'gone@prov.example', 'Wrong-2026!', 'incorrect-login'],
  ])('rejects %s', async (_, name, secret, description) => {
    const reply = await byPassword(name, secret);
    expect(reply.status).toBe(400);
    expect(await reply.json()).toEqual({ error: 'invalid_grant', error_description: description });
  });

  it.each(['doctor@prov.example', 'nobody@prov.example'])(
    'limits guessing for %s, even with the right password',
    async (name) => {
      const guesses = await Promise.all(Array.from({ length: 12 }, (_, index) => byPassword(name, `Guess-${index}!`)));
      const statuses = guesses.map((reply) => reply.status).sort();
      expect(statuses.filter((status) => status === 400)).toHaveLength(5);
      expect(statuses.filter((status) => status === 429)).toHaveLength(7);
      const blocked = { blocked_until: new Date(Date.now() + 60_000) };
      await database.db.updateTable('sign_in_attempt').set(blocked).where('failures', '>=', 5).execute();
      expect((await byPassword(name)).status).toBe(429);
    },
  );
});

describe('renewal', () => {
  it('rotates the refresh token, and ends the session when a used one comes again', async () => {
    const first = await signIn(running.url, 'doctor@prov.example');
    const second = tokenReply.parse(await (await renew(first.refresh_token ?? '')).json());
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(accessTokenClaims.parse(decodeJwt(second.access_token)).sub).toBe(clinic.doctorId);
    expect((await renew(first.refresh_token ?? '')).status).toBe(400);
    expect((await renew(second.refresh_token ?? '')).status).toBe(400);
  });

  it('accepts one of two simultaneous renewals', async () => {
    const { refresh_token: token = '' } = await signIn(running.url, 'doctor@prov.example');
    const statuses = (await Promise.all([renew(token), renew(token)])).map((reply) => reply.status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('rejects a deactivated user, as does every request at once', async () => {
    const email = 'leaving@prov.example';
    const id = await addAccount(database.db, { email, role: 'Doctor', customerId: clinic.customerId });
    const tokens = await signIn(running.url, email);
    expect((await fetchPath('/api/Account/info', { headers: bearer(tokens) })).status).toBe(200);
    await database.db.updateTable('account').set({ is_active: false }).where('id', '=', id).execute();
    expect((await fetchPath('/api/Account/info', { headers: bearer(tokens) })).status).toBe(401);
    expect((await renew(tokens.refresh_token ?? '')).status).toBe(400);
  });

  it('ends by revocation', async () => {
    const { refresh_token: token = '' } = await signIn(running.url, 'doctor@prov.example');
    const body = new URLSearchParams({ client_id: openid.clientId, token });
    expect((await fetchPath(openid.revocationPath, { method: 'POST', body })).status).toBe(200);
    expect((await renew(token)).status).toBe(400);
  });

  it('stores no token in plain text', async () => {
    const { refresh_token: token = '' } = await signIn(running.url, 'doctor@prov.example');
    const rows = await database.db.selectFrom('oidc').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('the signed-in user', () => {
  it.each(['GET', 'POST'])('is returned by userinfo (%s)', async (method) => {
    const tokens = await signIn(running.url, 'admin@prov.example');
    const reply = await fetchPath(openid.userInfoPath, { method, headers: bearer(tokens) });
    expect(userInfo.parse(await reply.json())).toEqual({
      sub: clinic.adminId,
      name: 'Anna Prov',
      permission: defaultClaims.CustomerAdmin,
    });
  });

  it('is returned by userinfo with the token in the form', async () => {
    const tokens = await signIn(running.url, 'admin@prov.example');
    const body = new URLSearchParams({ access_token: tokens.access_token });
    expect((await fetchPath(openid.userInfoPath, { method: 'POST', body })).status).toBe(200);
  });

  it('is rejected without a token, with a broken one and with the id token', async () => {
    const tokens = await signIn(running.url, 'admin@prov.example');
    for (const token of ['', 'x', `${tokens.access_token}x`, tokens.id_token ?? ''])
      expect((await fetchPath(openid.userInfoPath, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
        401,
      );
  });

  it('is returned by Account/info, and the change of a right shows at once', async () => {
    const tokens = await signIn(running.url, 'doctor@prov.example');
    const read = async () =>
      currentUser.parse(await (await fetchPath('/api/Account/info', { headers: bearer(tokens) })).json());
    expect(await read()).toMatchObject({
      id: clinic.doctorId,
      customer: { id: clinic.customerId, name: 'Provkliniken' },
      customerRights: { super_admin: false, customer_admin: false, customer_id: clinic.customerId },
    });
    const role = database.db.updateTable('role').where('name', '=', 'Doctor');
    await role.set({ claims: ['customer.get_itself'] }).execute();
    expect((await read()).permission).toEqual(['customer.get_itself']);
    await role.set({ claims: [...defaultClaims.Doctor] }).execute();
  });

  it('sees other accounts of the own clinic only', async () => {
    const tokens = await signIn(running.url, 'doctor@prov.example');
    const status = async (id: string) =>
      (await fetchPath(`/api/Account/info?id=${id}`, { headers: bearer(tokens) })).status;
    expect(await status(clinic.adminId)).toBe(200);
    expect(await status(clinic.otherDoctorId)).toBe(404);
    expect(await status(clinic.superId)).toBe(404);
  });
});

it('the discovery document omits unsupported endpoints', async () => {
  const found = await (await fetchPath('/.well-known/openid-configuration')).json();
  expect(found).toMatchObject({ issuer: 'http://localhost', token_endpoint: `${running.url}${openid.tokenPath}` });
  expect(found).toMatchObject({
    authorization_endpoint: `${running.url}${openid.authorizePath}`,
    code_challenge_methods_supported: ['S256'],
    response_types_supported: ['code'],
  });
  for (const absent of ['end_session_endpoint', 'dpop_signing_alg_values_supported'])
    expect(found).not.toHaveProperty(absent);
  expect(found).not.toHaveProperty('pushed_authorization_request_endpoint');
  const keys = await (await fetch(found.jwks_uri)).json();
  expect(keys.keys).toHaveLength(1);
  expect(keys.keys[0]).not.toHaveProperty('d');
});
