import { fastify } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Route, route, signedIn, unless } from '../../contract/route.ts';
import { logRefusedCalls } from '../../server/access-log/refused-calls.ts';
import { canUseClinic } from '../../server/domain/policy/can-use-clinic.ts';
import { seesProtected } from '../../server/domain/policy/sees-protected.ts';
import { problemReplies } from '../../server/problem-replies.ts';
import { bind } from '../../server/route-binding.ts';
import { bearer, signIn } from './running-server.ts';
import { type ServiceAccountsUnderTest, serviceAccountsUnderTest } from './service-accounts-under-test.ts';

let test: ServiceAccountsUnderTest;
let url: string;
const server = fastify({ forceCloseConnections: true });

const common = { method: 'GET', access: unless('disable.open'), reply: z.unknown() } as const;
const params = z.object({ clinic: z.string() });
const routes = {
  read: route({ ...common, path: '/read/:clinic', params, service: 'dicomweb.read' }),
  write: route({ ...common, path: '/write/:clinic', params, service: 'dicomweb.write' }),
  withoutClinic: route({ ...common, path: '/read', service: 'dicomweb.read' }),
  ofUsers: route({ ...common, access: signedIn, path: '/users/:clinic', params }),
} as const satisfies Record<string, Route>;

/** A server with routes that name their caller. */
beforeAll(async () => {
  test = await serviceAccountsUnderTest();
  const { authenticate, serviceOf } = test.callers;
  problemReplies(server, logRefusedCalls(server, test.db));
  for (const one of Object.values(routes))
    bind(server, { authenticate, serviceOf, checkReplies: true }, one as Route, async ({ principal }) => ({
      ...principal,
      seesProtected: seesProtected(principal),
      usesOther: canUseClinic(principal, test.clinics.otherCustomerId),
    }));
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});
beforeEach(() => test.db.deleteFrom('sign_in_attempt').execute());
afterAll(async () => {
  await server.close();
  await test?.close();
});

const call = async (path: string, authorization: string) => {
  const reply = await fetch(`${url}${path}`, { headers: { authorization } });
  return { status: reply.status, challenge: reply.headers.get('www-authenticate'), body: await reply.json() };
};
const refusals = (accountId: string) =>
  test.db
    .selectFrom('access_log')
    .select(['customer_id', 'detail', 'request'])
    .where('action', '=', 'access.refused')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();

describe('a route with a scope of service accounts', () => {
  it('answers an account of the clinic with the scope, which has no claims and no limits', async () => {
    const { customerId } = test.clinics;
    const made = await test.made();
    const token = await test.tokenOf(made);
    const expected = {
      accountId: made.account.id,
      customerId,
      permissions: [],
      seesProtected: false,
      usesOther: false,
    };
    for (const clinic of [customerId, customerId.toUpperCase()])
      expect(await call(`/read/${clinic}`, token)).toMatchObject({ status: 200, body: expected });
  });

  it('answers an account of several clinics for the clinic that is named, as one of this clinic alone', async () => {
    const { customerId, otherCustomerId } = test.clinics;
    const token = await test.tokenOf(await test.made({ customerIds: [customerId, otherCustomerId] }, 'super'));
    expect((await call(`/read/${customerId}`, token)).body).toMatchObject({ customerId, usesOther: false });
    expect((await call(`/read/${otherCustomerId}`, token)).body).toMatchObject({ customerId: otherCustomerId });
  });

  it('refuses without the scope, for another clinic and without one, and logs it as of the account', async () => {
    const { customerId, otherCustomerId } = test.clinics;
    const made = await test.made();
    const token = await test.tokenOf(made);
    expect(await call(`/write/${customerId}`, token)).toMatchObject({
      status: 403,
      challenge: 'Bearer error="insufficient_scope", scope="dicomweb.write"',
      body: { code: 'no-right' },
    });
    for (const path of [`/read/${otherCustomerId}`, `/write/${otherCustomerId}`, '/read/x', '/read'])
      expect(await call(path, token), path).toMatchObject({ status: 404, body: { code: 'not-found' } });
    const entries = await refusals(made.account.id);
    expect(entries.map(({ detail }) => detail)).toEqual(['no-right', ...Array(4).fill('not-found')]);
    for (const entry of entries) expect(entry.customer_id).toBe(customerId);
    expect(entries[0]?.request).toBe('GET /write/:clinic');
  });

  it('refuses an account that was revoked, and one of users refuses every account', async () => {
    const { customerId } = test.clinics;
    const made = await test.made({ scopes: ['dicomweb.read', 'dicomweb.write'] });
    const token = await test.tokenOf(made);
    expect(await call(`/users/${customerId}`, token)).toMatchObject({ status: 401, body: { code: 'not-signed-in' } });
    await test.revoke(made.account.id);
    expect(await call(`/read/${customerId}`, token)).toMatchObject({
      status: 401,
      challenge: 'Bearer error="invalid_token"',
      body: { code: 'not-signed-in' },
    });
    expect((await fetch(`${url}/read/${customerId}`)).headers.get('www-authenticate')).toBe('Bearer');
  });

  it('answers users by their claims', async () => {
    const { customerId, doctorId } = test.clinics;
    const { authorization } = bearer(await signIn(test.url, 'doctor@prov.example'));
    expect(await call(`/read/${customerId}`, authorization)).toMatchObject({
      status: 200,
      body: { accountId: doctorId },
    });
    await test.addRole('Utan bilder', 2, ['customer.get_itself', 'disable.open']);
    await test.addUser('blind', 'Utan bilder', customerId);
    const blind = bearer(await signIn(test.url, 'blind@prov.example')).authorization;
    expect(await call(`/read/${customerId}`, blind)).toMatchObject({
      status: 403,
      body: { code: 'no-right', claims: ['disable.open'] },
    });
  });
});
