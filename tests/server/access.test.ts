import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountInfo, firstAdministrator } from '../../contract/account.ts';
import { allClaims, type Claim } from '../../contract/claims.ts';
import { customerGet, customerGetAll } from '../../contract/customers.ts';
import { problem } from '../../contract/problem.ts';
import { roles } from '../../contract/roles.ts';
import { pathOf, type Route } from '../../contract/route.ts';
import { addTwoClinics } from './clinic.ts';
import { contractRoutes } from './contract-routes.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';

let database: TestDatabase;
let running: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
const headers = new Map<string, Record<string, string>>();
const routes = await contractRoutes();

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  running = await runServer(database.database);
  for (const name of ['super', 'admin', 'doctor', 'other'])
    headers.set(name, bearer(await signIn(running.url, `${name}@prov.example`)));
});
// Locking the session is one of the calls.
afterEach(() =>
  database.db
    .updateTable('oidc')
    .set({ payload: sql`payload #- '{session,lockedAt}'` })
    .where('type', '=', 'Grant')
    .execute(),
);
afterAll(async () => {
  await running?.close();
  await database?.close();
});

/** A request with made-up ids: enough to check authorization. */
const anywhere = () => ({
  id: randomUUID(),
  customerId: randomUUID(),
  uid: 'V1StGXR8_Z5jdHi6B-myT',
  subject: 'image',
  clinic: randomUUID(),
  study: '2.25.1',
  series: '2.25.2',
  instance: '2.25.3',
  frames: '1',
  element: '7FE00010',
});
const call = (route: Route, who: string | null, params: Record<string, string> = anywhere(), query = '') =>
  fetch(`${running.url}${pathOf(route.path, params)}${query}`, {
    method: route.method,
    headers: {
      ...(who === null ? {} : headers.get(who)),
      ...(route.method === 'GET' || route.multipart ? {} : { 'content-type': 'application/json' }),
    },
    ...(route.method === 'GET' || route.multipart ? {} : { body: '{}' }),
  });

const withClaims = async <T>(role: string, claims: Claim[], work: () => Promise<T>): Promise<T> => {
  const row = database.db.updateTable('role').where('name', '=', role);
  const before = await database.db
    .selectFrom('role')
    .select('claims')
    .where('name', '=', role)
    .executeTakeFirstOrThrow();
  await row.set({ claims }).execute();
  try {
    return await work();
  } finally {
    await row.set({ claims: before.claims }).execute();
  }
};

it('covers all files of the contract that declare routes', () => {
  const folder = path.join(import.meta.dirname, '../../contract');
  const stating = readdirSync(folder).filter(
    (file) =>
      file !== 'route.ts' && file.endsWith('.ts') && /= route\(/.test(readFileSync(path.join(folder, file), 'utf8')),
  );
  const known = readFileSync(path.join(import.meta.dirname, 'contract-routes.ts'), 'utf8');
  expect(stating.filter((file) => !known.includes(`'${file.replace('.ts', '')}'`))).toEqual([]);
  expect(routes.length).toBeGreaterThan(15);
});

describe.each(routes)('$name', ({ route }) => {
  it('exists and admits only the callers that the contract names', async () => {
    const anonymous = await call(route, null);
    if (route.access === 'anyone') {
      // Made-up interactions and links are rejected for their content, not for the caller.
      const code = anonymous.status === 200 ? null : problem.parse(await anonymous.json()).code;
      expect([null, 'invalid-request', 'sign-in-expired', 'method-not-offered', 'shared-link-invalid']).toContain(code);
      return;
    }
    expect(anonymous.status).toBe(401);
    expect(problem.parse(await anonymous.json()).code).toBe('not-signed-in');
    const { anyOf, unless } = route.access;
    const right = anyOf ? [...anyOf] : [];
    const status = (claims: Claim[]) => withClaims('Doctor', claims, async () => (await call(route, 'doctor')).status);
    // Admitted means not rejected for a missing right; the made-up ids and empty body are rejected as such.
    expect(await status(right)).not.toBe(403);
    if (anyOf) expect(await status(allClaims.filter((claim) => !anyOf.includes(claim)))).toBe(403);
    if (unless) expect(await status([unless])).toBe(403);
  });

  it('rejects invalid parameters', async () => {
    if (!route.path.includes(':id')) return;
    const reply = await call(route, 'super', { ...anywhere(), id: 'not-a-uuid' });
    expect(reply.status).toBe(400);
    expect(problem.parse(await reply.json())).toMatchObject({ code: 'invalid-request', errors: [{ fieldKey: 'id' }] });
  });
});

describe('clinics', () => {
  it.each([
    ['doctor', 'customerId', 200],
    ['doctor', 'otherCustomerId', 404],
    ['other', 'customerId', 404],
    ['admin', 'customerId', 200],
    ['admin', 'otherCustomerId', 404],
    ['super', 'customerId', 200],
    ['super', 'otherCustomerId', 200],
  ] as const)('are shown to %s: %s gives %i', async (who, which, status) => {
    expect((await call(customerGet, who, { id: clinic[which] })).status).toBe(status);
  });

  it('are hidden from users without the right to see their own', async () => {
    const status = () => call(customerGet, 'doctor', { id: clinic.customerId }).then((reply) => reply.status);
    expect(await withClaims('Doctor', [], status)).toBe(403);
  });

  it('are listed by page and search, with wildcards as plain characters', async () => {
    const list = async (query: string) => (await call(customerGetAll, 'super', {}, query)).json();
    expect(await list('?ppage=1&page=2')).toMatchObject({ totalCount: 2, data: [{ name: 'Provkliniken' }] });
    expect(await list('?q=ANDRA')).toMatchObject({ totalCount: 1, data: [{ id: clinic.otherCustomerId }] });
    expect(await list('?q=%25')).toMatchObject({ totalCount: 0, data: [] });
  });
});

it('shows roles of one’s own rank and below', async () => {
  const names = async (who: string) =>
    (await (await call(roles, who)).json()).map((role: { name: string }) => role.name);
  expect(await names('super')).toEqual(['SuperAdmin', 'CustomerAdmin', 'Doctor']);
  expect(await names('admin')).toEqual(['CustomerAdmin', 'Doctor']);
});

it('names each invalid field of a body, but not its content', async () => {
  const body = {
    key: 'x',
    email: 'Lena Secret',
    firstName: 'L',
    lastName: 'Secret',
    password: 'secret',
    organisationName: 'AB',
  };
  const reply = await fetch(`${running.url}${firstAdministrator.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  expect(reply.status).toBe(400);
  const found = problem.parse(JSON.parse(text));
  expect(found.errors?.map(({ fieldKey }) => fieldKey)).toEqual(
    expect.arrayContaining(['key', 'email', 'firstName', 'password']),
  );
  expect(found.errors).toContainEqual({ fieldKey: 'firstName', vars: { min: 2 } });
  expect(text).not.toMatch(/Secret/);
});

it('answers invalid JSON, a too large body and an unknown path with a problem', async () => {
  const post = (body: string, target = firstAdministrator.path) =>
    fetch(`${running.url}${target}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const statusAndBody = async (reply: Response) => [reply.status, problem.parse(await reply.json()).code];
  expect(await statusAndBody(await post('{'))).toEqual([400, 'invalid-request']);
  expect(await statusAndBody(await post(JSON.stringify('x'.repeat(2_000_000))))).toEqual([413, 'too-large']);
  expect(await statusAndBody(await post('{}', '/api/nowhere'))).toEqual([404, 'not-found']);
});

it('hides accounts of other clinics from a doctor', async () => {
  expect((await call(accountInfo, 'doctor', {}, `?id=${clinic.otherDoctorId}`)).status).toBe(404);
});
