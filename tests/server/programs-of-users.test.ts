import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openid } from '../../contract/sign-in.ts';
import { renewStamp } from '../../server/db/stores/sessions.ts';
import { readIdentitySettings } from '../../server/identity/identity-settings.ts';
import { addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { authorizeUrl, begin, comeBack, newVerifier } from './flow.ts';
import { type RunningServer, runServer, signIn } from './running-server.ts';

const viewer = 'https://viewer.example';
const redirectUri = `${viewer}/callback`;
const reading = { id: 'ohif', name: 'OHIF', redirectUris: [redirectUri], scopes: ['dicomweb.read'] };
const plain = { id: 'intranet', name: 'Intranätet', redirectUris: [redirectUri] };

let database: TestDatabase;
let running: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  running = await runServer(database.database, {
    identity: readIdentitySettings({ DENTARIUM_OPENID_CLIENTS: JSON.stringify([reading, plain]) }),
    dicomWebOrigins: [viewer],
  });
});
beforeEach(() => database.db.deleteFrom('sign_in_attempt').execute());
afterAll(async () => {
  await running?.close();
  await database?.close();
});

/** Calls the token endpoint from the page of a program. */
const token = async (clientId: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${running.url}${openid.tokenPath}`, {
    method: 'POST',
    headers: { origin: viewer },
    body: new URLSearchParams({ client_id: clientId, ...fields }),
  });

/** Signs the doctor in to a program by the code flow, and returns the token response. */
const tokensOf = async (clientId: string, scope: string) => {
  const { url } = running;
  const started = await begin(url, redirectUri, { client_id: clientId, scope, prompt: '' });
  const { redirectTo } = await (await started.post('password', { username: 'doctor@prov.example', password })).json();
  const code = (await comeBack(url, started.jar, redirectTo)).get('code') ?? '';
  const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: started.verifier };
  const reply = await token(clientId, fields);
  if (!reply.ok) throw new Error(`tokens: ${reply.status} ${await reply.text()}`);
  return reply.json();
};
const call = (path: string, tokens: { access_token: string }) =>
  fetch(`${running.url}${path}`, { headers: { authorization: `Bearer ${tokens.access_token}`, origin: viewer } });
const studiesOf = (clinicId: string) => `/dicomweb/${clinicId}/studies`;

describe('a program with dicomweb.read, to which a user signs in', () => {
  it('calls DICOMweb from its page as the user, who is in the access log', async () => {
    const tokens = await tokensOf(reading.id, 'openid profile dicomweb.read');
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      sub: clinic.doctorId,
      scope: 'openid profile dicomweb.read',
    });
    const reply = await call(studiesOf(clinic.customerId), tokens);
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, viewer]);
    expect(await reply.json()).toEqual([]);
    expect((await call(`/dicomweb/${clinic.customerId}/studies/1.2.3`, tokens)).status).toBe(404);
    const refused = database.db.selectFrom('access_log').select(['account_id', 'request']);
    expect(await refused.where('action', '=', 'access.refused').execute()).toEqual([
      { account_id: clinic.doctorId, request: 'GET /dicomweb/:clinic/studies/:study' },
    ]);
  });

  it('has the rights of the user and no more', async () => {
    const tokens = await tokensOf(reading.id, 'openid dicomweb.read');
    expect((await call(studiesOf(clinic.otherCustomerId), tokens)).status).toBe(404);
    const role = (claims: readonly string[]) =>
      database.db
        .updateTable('role')
        .set({ claims: [...claims] })
        .where('name', '=', 'Doctor')
        .execute();
    const { claims } = await database.db
      .selectFrom('role')
      .select('claims')
      .where('name', '=', 'Doctor')
      .executeTakeFirstOrThrow();
    await role([...claims, 'disable.open']);
    expect((await call(studiesOf(clinic.customerId), tokens)).status).toBe(403);
    await role(claims);
    expect((await call(studiesOf(clinic.customerId), tokens)).status).toBe(200);
  });

  it('calls nothing else, and gets no scope that it is not configured with', async () => {
    const tokens = await tokensOf(reading.id, 'openid dicomweb.read');
    for (const path of ['/api/Account/info', `/api/ServiceAccounts/${clinic.customerId}`])
      expect((await call(path, tokens)).status, path).toBe(401);
    for (const scope of ['openid dicomweb.write', 'openid api.read']) {
      const address = authorizeUrl(running.url, redirectUri, newVerifier(), { client_id: reading.id, scope });
      const location = new URL((await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '');
      expect(location.searchParams.get('error'), scope).toBe('invalid_scope');
    }
  });

  it('stays signed in by refresh tokens, until the session of the user ends', async () => {
    const first = await tokensOf(reading.id, 'openid offline_access dicomweb.read');
    const renew = (refreshToken: string) =>
      token(reading.id, { grant_type: 'refresh_token', refresh_token: refreshToken });
    const second = await (await renew(first.refresh_token)).json();
    expect((await call(studiesOf(clinic.customerId), second)).status).toBe(200);
    await renewStamp(database.db, clinic.doctorId, { reason: 'password-changed' });
    expect((await call(studiesOf(clinic.customerId), second)).status).toBe(401);
    expect((await renew(second.refresh_token)).status).toBe(400);
  });
});

describe('a program without a scope', () => {
  it('may not call DICOMweb, and gets no refresh token', async () => {
    const tokens = await tokensOf(plain.id, 'openid profile');
    expect(tokens).not.toHaveProperty('refresh_token');
    expect((await call(studiesOf(clinic.customerId), tokens)).status).toBe(401);
  });
});

it('tokens of Dentarium itself call DICOMweb without a scope of it', async () => {
  const tokens = await signIn(running.url, 'doctor@prov.example');
  expect(decodeJwt(tokens.access_token).scope).not.toContain('dicomweb');
  expect((await call(studiesOf(clinic.customerId), tokens)).status).toBe(200);
});
