import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openid } from '../../contract/sign-in.ts';
import { insertAccesses } from '../../server/db/stores/access-log.ts';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { addTwoClinics, password } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';

const email = 'doctor@prov.example';

let database: TestDatabase;
let server: RunningServer;
let clinics: Awaited<ReturnType<typeof addTwoClinics>>;

beforeEach(async () => {
  database = await testDatabase();
  clinics = await addTwoClinics(database.db);
  server = await runServer(database.database, { trustProxy: () => true });
});
afterEach(async () => {
  await server.close();
  await database.close();
});

/** A call from an address. */
const call = async (path: string, headers: Record<string, string>, body?: object) =>
  fetch(`${server.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-forwarded-for': '192.0.2.7', ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
const signInFrom = (address: string, given: string, username = email) =>
  fetch(`${server.url}/connect/token`, {
    method: 'POST',
    headers: { origin: server.url, 'x-forwarded-for': address },
    body: new URLSearchParams({
      client_id: openid.clientId,
      grant_type: 'password',
      username,
      password: given,
      scope: openid.scope,
    }),
  });
const entriesOf = async (action: string) =>
  database.db
    .selectFrom('access_log')
    .select(['account_id', 'customer_id', 'patient_id', 'object_id', 'detail', 'address', 'request'])
    .where('action', '=', action)
    .orderBy('id')
    .execute();
const otherPatient = async (): Promise<string> => {
  const patient = { id: randomUUID(), customerId: clinics.otherCustomerId, firstName: 'Eva', lastName: 'Annan' };
  const more = { personalNumber: '19800101-1234', birthDate: '1980-01-01', sex: 'F' as const, comments: null };
  await insertPatient(database.db, { ...patient, ...more });
  return patient.id;
};

describe('a refused call is in the access log with account, address, what was asked for and why', () => {
  it('for a patient of another clinic, whose log does not show it', async () => {
    const id = await otherPatient();
    const tokens = await signIn(server.url, email);
    expect((await call(`/resource/patient/${id}`, bearer(tokens))).status).toBe(404);
    const entry = {
      account_id: clinics.doctorId,
      customer_id: clinics.customerId,
      patient_id: null,
      object_id: id,
      detail: 'not-found',
      address: '192.0.2.7',
      request: 'GET /resource/patient/:id',
    };
    expect(await entriesOf('access.refused')).toEqual([entry]);
  });

  it('for a call without the right', async () => {
    const tokens = await signIn(server.url, email);
    expect((await call('/api/Account/users/all', bearer(tokens))).status).toBe(403);
    expect(await entriesOf('access.refused')).toMatchObject([
      { account_id: clinics.doctorId, detail: 'no-right', request: 'GET /api/Account/users/all' },
    ]);
  });

  it('and is shown to administrators', async () => {
    const id = await otherPatient();
    const tokens = await signIn(server.url, email);
    await call(`/resource/patient/${id}`, bearer(tokens));
    const own = await signIn(server.url, 'super@prov.example');
    const { data } = await (await call('/api/AccessLog?action=access.refused', bearer(own))).json();
    expect(data).toMatchObject([
      {
        account: { email },
        clinic: { id: clinics.customerId },
        patient: null,
        detail: 'not-found',
        address: '192.0.2.7',
        refused: { request: 'GET /resource/patient/:id', id },
      },
    ]);
  });

  it('but not one that is invalid or not signed in', async () => {
    const tokens = await signIn(server.url, email);
    expect((await call('/resource/patient/none', bearer(tokens))).status).toBe(400);
    expect((await call('/api/Account/info', {})).status).toBe(401);
    expect(await entriesOf('access.refused')).toEqual([]);
  });
});

describe('a sign-in is in the access log with its address', () => {
  it('whether it succeeds or fails', async () => {
    expect((await signInFrom('192.0.2.8', 'wrong')).status).toBe(400);
    expect((await signInFrom('2001:db8::1', 'wrong', 'nobody@prov.example')).status).toBe(400);
    expect((await signInFrom('192.0.2.9', password)).status).toBe(200);
    const refused = await entriesOf('sign-in.refused');
    expect(refused.map(({ account_id, address }) => [account_id, address])).toEqual([
      [clinics.doctorId, '192.0.2.8'],
      [null, '2001:db8::1'],
    ]);
    expect(await entriesOf('sign-in')).toMatchObject([{ account_id: clinics.doctorId, address: '192.0.2.9' }]);
  });

  it('and once a minute when it comes too often', async () => {
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 14; attempt += 1) statuses.push((await signInFrom('192.0.2.8', 'wrong')).status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(1);
    await expect
      .poll(() => entriesOf('access.refused'))
      .toMatchObject([
        { account_id: null, detail: 'too-many-requests', address: '192.0.2.8', request: 'POST /connect/token' },
      ]);
  });
});

describe('administrators are warned', () => {
  const refuse = (times: number, minutesAgo = 0) =>
    insertAccesses(
      database.db,
      Array.from({ length: times }, () => ({
        at: new Date(Date.now() - minutesAgo * 60_000),
        accountId: clinics.doctorId,
        customerId: clinics.customerId,
        patientId: null,
        objectId: null,
        action: 'access.refused' as const,
      })),
    );
  const warnings = async () => {
    const own = await signIn(server.url, 'super@prov.example');
    const { warnings: all } = await (await call('/api/system/status', bearer(own))).json();
    return all.filter(({ kind }: { kind: string }) => kind === 'refused-access');
  };

  it('about an account that is refused often within an hour', async () => {
    await refuse(29);
    await refuse(10, 61);
    expect(await warnings()).toEqual([]);
    await refuse(1);
    expect(await warnings()).toMatchObject([{ sources: 1, refused: 30 }]);
  });
});
