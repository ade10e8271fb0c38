import { afterEach, beforeEach, expect, it } from 'vitest';
import { openid, type SessionEndReason, tokenError } from '../../contract/sign-in.ts';
import { changeUserStatus, setPassword, userSessionsEnd } from '../../contract/users.ts';
import { operatorChanges } from '../../server/identity/operator-changes.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, requestTokens, runServer, signIn } from './running-server.ts';

const email = 'doctor@prov.example';

let database: TestDatabase;
let server: RunningServer;
let clinics: Awaited<ReturnType<typeof addTwoClinics>>;

beforeEach(async () => {
  database = await testDatabase();
  clinics = await addTwoClinics(database.db);
  server = await runServer(database.database);
});
afterEach(async () => {
  await server.close();
  await database.close();
});

const asAdministrator = async (path: string, body: object) => {
  const own = await signIn(server.url, 'super@prov.example');
  const reply = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { ...bearer(own), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(reply.status).toBe(200);
};

const changes: readonly [SessionEndReason, string, () => Promise<unknown>][] = [
  [
    'password-changed',
    'an administrator set another password',
    () => asAdministrator(setPassword.path, { id: clinics.doctorId, password: 'Another-2026!' }),
  ],
  [
    'password-changed',
    'the command line set another password',
    () => operatorChanges(database.db).setPassword(email, 'Another-2026!'),
  ],
  [
    'account-inactive',
    'an administrator deactivated the account',
    () => asAdministrator(changeUserStatus.path, { id: clinics.doctorId, status: false }),
  ],
  [
    'ended-by-administrator',
    'an administrator signed the user out',
    () => asAdministrator(userSessionsEnd.path, { id: clinics.doctorId }),
  ],
  [
    'two-factor-changed',
    'the command line turned two-factor authentication off',
    () => operatorChanges(database.db).resetTwoFactor(email),
  ],
  [
    'rights-changed',
    'the command line gave another role',
    () => operatorChanges(database.db).makeSuperAdministrator(email),
  ],
];

it.each(changes)('%s is the answer to a renewal after %s', async (reason, _, change) => {
  const tokens = await signIn(server.url, email);
  await change();
  const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const reply = await requestTokens(server.url, fields);
    expect([reply.status, tokenError.parse(await reply.json())]).toEqual([
      400,
      { error: 'invalid_grant', error_description: reason },
    ]);
  }
  expect((await fetch(`${server.url}/api/Account/info`, { headers: bearer(tokens) })).status).toBe(401);
});

it('no reason is the answer after signing out, and to an unknown token', async () => {
  const tokens = await signIn(server.url, email);
  await fetch(`${server.url}${openid.revocationPath}`, {
    method: 'POST',
    headers: { origin: server.url },
    body: new URLSearchParams({ client_id: openid.clientId, token: tokens.refresh_token ?? '' }),
  });
  for (const token of [tokens.refresh_token ?? '', 'x'.repeat(43)]) {
    const reply = await requestTokens(server.url, { grant_type: 'refresh_token', refresh_token: token });
    const { error, error_description: description } = tokenError.parse(await reply.json());
    expect([reply.status, error]).toEqual([400, 'invalid_grant']);
    expect(description).not.toMatch(/changed|inactive/);
  }
});

it('is not ended of oneself by the route of administrators, who stay signed in', async () => {
  const own = await signIn(server.url, 'super@prov.example');
  const reply = await fetch(`${server.url}${userSessionsEnd.path}`, {
    method: 'POST',
    headers: { ...bearer(own), 'content-type': 'application/json' },
    body: JSON.stringify({ id: clinics.superId }),
  });
  expect(await reply.json()).toMatchObject({ code: 'own-account' });
  const renewed = await requestTokens(server.url, {
    grant_type: 'refresh_token',
    refresh_token: own.refresh_token ?? '',
  });
  expect(renewed.status).toBe(200);
});
