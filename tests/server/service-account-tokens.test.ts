import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signIn } from './running-server.ts';
import {
  type MadeAccount,
  type ServiceAccountsUnderTest,
  serviceAccountsUnderTest,
} from './service-accounts-under-test.ts';

let test: ServiceAccountsUnderTest;
let reader: MadeAccount;

beforeAll(async () => {
  test = await serviceAccountsUnderTest();
  reader = await test.made();
});
beforeEach(() => test.db.deleteFrom('sign_in_attempt').execute());
afterAll(() => test?.close());

const both = 'dicomweb.read dicomweb.write';
const wrongSecret = (account: MadeAccount): MadeAccount => ({ ...account, secret: `${account.secret}x` });
const expire = (id: string) =>
  test.db
    .updateTable('service_account')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .where('id', '=', id)
    .execute();
const refusals = (accountId: string | null) =>
  test.db
    .selectFrom('access_log')
    .select(['account_id', 'customer_id', 'detail', 'address'])
    .where('action', '=', 'sign-in.refused')
    .where('account_id', accountId === null ? 'is' : '=', accountId)
    .orderBy('id')
    .execute();

describe('a service account gets a token', () => {
  it.each(['header', 'body'] as const)('with the secret in the %s', async (by) => {
    const { status, body, headers } = await test.requestToken(reader, { by });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      expires_in: 300,
      token_type: 'Bearer',
      scope: 'dicomweb.read',
    });
    expect(headers.get('cache-control')).toBe('no-store');
    const { iat = 0, exp = 0, ...claims } = decodeJwt(body.access_token);
    expect(exp - iat).toBe(300);
    expect(claims).toEqual({
      jti: expect.any(String),
      sub: reader.account.id,
      client_id: reader.account.id,
      scope: 'dicomweb.read',
      iss: 'http://localhost',
      aud: 'urn:dentarium:archive',
    });
  });

  it('of all its scopes or of those that it requests, never of more', async () => {
    const writer = await test.made({ scopes: ['dicomweb.write', 'dicomweb.read'] });
    expect((await test.requestToken(writer)).body.scope.split(' ').sort().join(' ')).toBe(both);
    expect((await test.requestToken(writer, { scope: 'dicomweb.write' })).body.scope).toBe('dicomweb.write');
    for (const scope of [both, 'api.read', 'openid', 'offline_access'])
      expect(await test.requestToken(reader, { scope }), scope).toMatchObject({
        status: 400,
        body: { error: 'invalid_scope' },
      });
  });

  it('which is named as last use, to the minute', async () => {
    const account = await test.made({ name: 'Senast' });
    const usedAt = async () => (await test.listedAccounts()).find(({ id }) => id === account.account.id)?.usedAt;
    expect(await usedAt()).toBeNull();
    await test.requestToken(account);
    const used = new Date((await usedAt()) ?? 0);
    expect(used.getTime() % 60_000).toBe(0);
    expect(Date.now() - used.getTime()).toBeLessThan(120_000);
  });

  it('by a grant that the discovery document names, with its scopes and both places of the secret', async () => {
    const document = await (await fetch(`${test.url}/.well-known/openid-configuration`)).json();
    expect(document.grant_types_supported).toContain('client_credentials');
    expect(document.scopes_supported).toEqual(expect.arrayContaining(both.split(' ')));
    expect(document.token_endpoint_auth_methods_supported).toEqual(
      expect.arrayContaining(['client_secret_basic', 'client_secret_post']),
    );
  });
});

describe('no token is given', () => {
  it('for a wrong secret, nor for the stored hash, and the access log of each clinic has it', async () => {
    const account = await test.made(
      { name: 'Fel', customerIds: [test.clinics.customerId, test.clinics.otherCustomerId] },
      'super',
    );
    const { id } = account.account;
    const { secret_hash } = await test.db
      .selectFrom('service_account')
      .select('secret_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    for (const secret of ['', 'x', `${account.secret}x`, secret_hash, id]) {
      const { status } = await test.requestToken({ ...account, secret }, { by: 'body' });
      expect([400, 401], secret).toContain(status);
    }
    expect(await test.requestToken(wrongSecret(account))).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    const entries = (await refusals(id)).slice(-2);
    expect(new Set(entries.map(({ customer_id }) => customer_id))).toEqual(
      new Set([test.clinics.customerId, test.clinics.otherCustomerId]),
    );
    for (const entry of entries) expect(entry).toMatchObject({ detail: 'incorrect-secret', address: '127.0.0.1' });
  });

  it('for an account that does not exist', async () => {
    for (const id of [randomUUID(), 'unknown', "' or 1=1 --"]) {
      const before = (await refusals(null)).length;
      expect(await test.requestToken({ account: { id }, secret: 'x' })).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
      expect((await refusals(null)).slice(before)).toEqual([
        { account_id: null, customer_id: null, detail: 'incorrect-secret', address: '127.0.0.1' },
      ]);
    }
  });

  it('for an account that does not exist, whatever reply is accepted, and the log has it', async () => {
    const before = (await refusals(null)).length;
    await fetch(`${test.url}/connect/token`, {
      method: 'POST',
      headers: { accept: 'text/html' },
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: randomUUID(), client_secret: 'x' }),
      redirect: 'manual',
    });
    expect(await refusals(null)).toHaveLength(before + 1);
  });

  it.each([
    ['expired', async ({ account: { id } }: MadeAccount) => void (await expire(id))],
    ['revoked', async ({ account: { id } }: MadeAccount) => void (await test.revoke(id))],
  ])('for an account that has %s, whose log says why', async (_, end) => {
    const account = await test.made({ name: 'Slut' });
    await end(account);
    expect(await test.requestToken(account)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect((await refusals(account.account.id)).map(({ detail }) => detail)).toEqual(['service-ended']);
  });

  it('by another grant, and by this grant to another client', async () => {
    const { id } = reader.account;
    const post = (fields: Readonly<Record<string, string>>) =>
      fetch(`${test.url}/connect/token`, { method: 'POST', body: new URLSearchParams(fields) });
    const own = { client_id: id, client_secret: reader.secret };
    const grants: readonly Readonly<Record<string, string>>[] = [
      { grant_type: 'password', username: 'admin@prov.example', password: 'x' },
      { grant_type: 'refresh_token', refresh_token: 'x'.repeat(43) },
      { grant_type: 'authorization_code', code: 'x', code_verifier: 'y'.repeat(43) },
    ];
    for (const grant of grants) expect((await post({ ...own, ...grant })).status, grant.grant_type).toBe(400);
    expect((await post({ client_id: 'dentarium-web', grant_type: 'client_credentials' })).status).toBe(400);
  });

  it('while an account has failed too often from this address, and others are not blocked by it', async () => {
    const failing = await test.made({ name: 'Gammal hemlighet' });
    const statuses: number[] = [];
    for (let count = 0; count < 32; count += 1) statuses.push((await test.requestToken(wrongSecret(failing))).status);
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 401));
    expect(statuses).toContain(429);
    expect(await test.requestToken(failing)).toMatchObject({
      status: 429,
      body: { error: 'invalid_client', error_description: 'too-many-requests' },
    });
    expect((await test.requestToken(reader)).status).toBe(200);
    await signIn(test.url, 'doctor@prov.example');
  });

  it('while unknown accounts were named too often from this address', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 32; count += 1)
      statuses.push((await test.requestToken({ account: { id: randomUUID() }, secret: 'x' })).status);
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 401));
    expect(statuses).toContain(429);
    expect((await test.requestToken(reader)).status).toBe(200);
  });
});

describe('the token of a service account', () => {
  it('names the account, its clinics and its scopes', async () => {
    const { customerId } = test.clinics;
    const caller = await test.callerOf(await test.tokenOf(reader));
    expect(caller).toEqual({
      serviceAccountId: reader.account.id,
      clinics: [customerId],
      scopes: ['dicomweb.read'],
    });
  });

  it('has the requested scopes only', async () => {
    const writer = await test.made({ scopes: ['dicomweb.read', 'dicomweb.write'] });
    expect(await test.callerOf(await test.tokenOf(writer, 'dicomweb.write'))).toMatchObject({
      scopes: ['dicomweb.write'],
    });
  });

  it('is of no use elsewhere', async () => {
    const authorization = await test.tokenOf(reader);
    for (const path of ['/api/Roles', '/connect/userinfo', '/resource/patient/search', '/api/Account/info'])
      expect((await fetch(`${test.url}${path}`, { headers: { authorization } })).status, path).toBe(401);
  });

  it('is void once the account has been revoked or has expired', async () => {
    for (const end of [expire, (id: string) => test.revoke(id)]) {
      const account = await test.made({ name: 'Kort' });
      const token = await test.tokenOf(account);
      await test.callerOf(token);
      await end(account.account.id);
      expect(await test.callerOf(token)).toBeUndefined();
    }
  });

  it('loses scopes and clinics with the account, and a deleted clinic', async () => {
    const customerId = await test.addClinic('Nedlagd');
    const account = await test.made(
      { customerIds: [customerId, test.clinics.customerId], scopes: ['dicomweb.read', 'dicomweb.write'] },
      'super',
    );
    const token = await test.tokenOf(account);
    await test.db
      .updateTable('service_account')
      .set({ scopes: ['dicomweb.read'] })
      .where('id', '=', account.account.id)
      .execute();
    await test.db.updateTable('customer').set({ deleted_at: new Date() }).where('id', '=', customerId).execute();
    expect(await test.callerOf(token)).toMatchObject({
      clinics: [test.clinics.customerId],
      scopes: ['dicomweb.read'],
    });
    await test.revoke(account.account.id, 'admin');
    expect(await test.callerOf(token)).toBeUndefined();
  });

  it('is that of no user', async () => {
    const { access_token } = await signIn(test.url, 'doctor@prov.example');
    for (const header of [
      '',
      'Bearer x',
      `Bearer ${access_token}`,
      `Basic ${reader.secret}`,
      `Bearer ${reader.secret}`,
    ])
      expect(await test.callerOf(header)).toBeUndefined();
  });
});
