import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { welcome } from '../../contract/about.ts';
import { azureGet } from '../../contract/configuration.ts';
import { problem } from '../../contract/problem.ts';
import { deleteSetting, saveSetting } from '../../server/db/stores/setting-store.ts';
import { azureTenants } from '../../stand-ins/openid/kinds.ts';
import { bearer, signIn } from './running-server.ts';
import { maja, signInExternally, startExternalSignIn, tokensOf } from './upstream-flow.ts';
import { type UpstreamUnderTest, upstreamUnderTest } from './upstream-under-test.ts';

let test: UpstreamUnderTest;
let headers: Record<string, string>;

beforeAll(async () => {
  test = await upstreamUnderTest();
  headers = bearer(await signIn(test.url(), 'super@prov.example'));
});
afterEach(async () => {
  await test.elsewhere.behave();
  await deleteSetting(test.db, 'azure-ad');
});
afterAll(() => test?.close());

const call = (method: string, body?: object, as = headers) =>
  fetch(`${test.url()}${azureGet.path}`, {
    method,
    headers: { ...as, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
const read = async () => (await call('GET')).json();
const offered = async (): Promise<string[]> => {
  const { methods } = welcome.reply.parse(await (await fetch(`${test.url()}${welcome.path}`)).json());
  return methods.map(({ method }) => method);
};

describe('settings of Azure AD', () => {
  it('are empty at first, saved and removed; each change applies at once and is logged', async () => {
    await deleteSetting(test.db, 'azure-ad');
    expect(await read()).toBeNull();
    expect(await offered()).not.toContain('aad');
    const { azure } = test.elsewhere;
    const saved = await call('POST', { ...azure, tenantId: azure.tenantId.toUpperCase() });
    expect([saved.status, await saved.json()]).toEqual([200, azure]);
    expect(await read()).toEqual(azure);
    expect(await offered()).toContain('aad');
    await test.giveMaja();
    const ended = await signInExternally(test.url(), 'aad', { user: maja.id, strong: true });
    expect((await tokensOf(test.url(), ended)).sub).toBe(test.clinic.doctorId);
    expect((await call('DELETE')).status).toBe(200);
    expect(await read()).toBeNull();
    expect(await offered()).not.toContain('aad');
    const entries = await test.db
      .selectFrom('access_log')
      .select(['account_id', 'detail'])
      .where('action', '=', 'settings.changed')
      .execute();
    expect(entries).toEqual(Array(2).fill({ account_id: test.clinic.superId, detail: 'azure-ad' }));
  });

  it('for another directory apply to the next sign-in', async () => {
    const { azure } = test.elsewhere;
    await call('POST', azure);
    expect((await startExternalSignIn(test.url(), 'aad')).there).toContain(azureTenants.own);
    await call('POST', { ...azure, tenantId: azureTenants.other });
    expect((await startExternalSignIn(test.url(), 'aad')).there).toContain(azureTenants.other);
  });

  it('with an unknown directory are rejected at that field, and nothing changes', async () => {
    await call('POST', test.elsewhere.azure);
    const reply = await call('POST', { ...test.elsewhere.azure, tenantId: randomUUID() });
    expect(reply.status).toBe(400);
    expect(problem.parse(await reply.json())).toMatchObject({
      code: 'invalid-request',
      errors: [{ fieldKey: 'tenantId' }],
    });
    expect(await read()).toEqual(test.elsewhere.azure);
  });

  it('with a directory of another name are rejected', async () => {
    await test.elsewhere.misbehave('aad', { issuer: 'https://login.example/other/v2.0' });
    expect((await call('POST', test.elsewhere.azure)).status).toBe(400);
    expect(await read()).toBeNull();
  });

  it('are not saved unverified while Azure AD is unreachable', async () => {
    await test.elsewhere.misbehave('aad', { down: true });
    const reply = await call('POST', test.elsewhere.azure);
    expect([reply.status, await reply.json()]).toMatchObject([503, { code: 'method-away' }]);
    expect(await read()).toBeNull();
  });

  it('are two ids of 36 characters', async () => {
    const { azure } = test.elsewhere;
    for (const [field, value] of [
      ['clientId', 'short'],
      ['tenantId', `${azure.tenantId}0`],
      ['clientId', 'x'.repeat(36)],
    ] as const) {
      const reply = await call('POST', { ...azure, [field]: value });
      expect(reply.status).toBe(400);
      expect(problem.parse(await reply.json()).errors?.map(({ fieldKey }) => fieldKey)).toEqual([field]);
    }
    expect((await call('POST', { ...azure, clientSecret: 'x' })).status).toBe(400);
  });

  it('that are invalid (an older version, a manual edit) offer nothing', async () => {
    await saveSetting(test.db, 'azure-ad', { tenantId: '../../evil' }, test.clinic.superId);
    expect(await read()).toBeNull();
    expect(await offered()).not.toContain('aad');
  });

  it('can be changed by administrators of the installation only', async () => {
    for (const email of ['admin@prov.example', 'other@prov.example']) {
      const as = bearer(await signIn(test.url(), email));
      for (const method of ['GET', 'DELETE']) expect((await call(method, undefined, as)).status).toBe(403);
      expect((await call('POST', test.elsewhere.azure, as)).status).toBe(403);
    }
    expect((await call('GET', undefined, {})).status).toBe(401);
  });
});
