import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteSetting, saveSetting } from '../../server/db/stores/setting-store.ts';
import { followCallback, locationOf, maja, signInAtProvider, startExternalSignIn, tokensOf } from './upstream-flow.ts';
import { type UpstreamUnderTest, upstreamUnderTest } from './upstream-under-test.ts';

let test: UpstreamUnderTest;

beforeAll(async () => {
  test = await upstreamUnderTest();
});
beforeEach(() => test.giveMaja());
afterAll(() => test?.close());

describe('a callback', () => {
  const callbackOf = async (method: 'aad' | 'siths' | 'openid') => {
    const { started, there } = await startExternalSignIn(test.url(), method);
    return { started, callback: await signInAtProvider(started.jar, there, { user: maja.id, strong: true }) };
  };
  const problemAt = async (started: { jar: Parameters<typeof followCallback>[0] }, address: string) =>
    new URL((await followCallback(started.jar, address)).at(-1) ?? '').searchParams.get('problem');

  it('signs in once', async () => {
    const { started, callback } = await callbackOf('aad');
    const [done = ''] = [locationOf(await started.jar.fetch(callback))];
    expect(await problemAt(started, callback)).toBe('sign-in-expired');
    const end = await followCallback(started.jar, done);
    expect(new URL(end.at(-1) ?? '').searchParams.get('code')).toBeTruthy();
    expect(await problemAt(started, done)).toBe('sign-in-expired');
  });

  it('must be that of the requested provider', async () => {
    const { started, callback } = await callbackOf('aad');
    expect(await problemAt(started, callback.replace('/upstream/aad', '/upstream/siths'))).toBe('sign-in-not-verified');
    // The state is used up as well.
    expect(await problemAt(started, callback)).toBe('sign-in-expired');
  });

  it('is rejected with the response of another provider', async () => {
    const own = await callbackOf('aad');
    const other = await callbackOf('siths');
    const mixed = new URL(own.callback);
    for (const name of ['code', 'iss'])
      mixed.searchParams.set(name, new URL(other.callback).searchParams.get(name) ?? '');
    expect(await problemAt(own.started, mixed.href)).toBe('sign-in-not-verified');
  });

  it('requires the browser that started the sign-in', async () => {
    const own = await callbackOf('aad');
    const other = await callbackOf('aad');
    const done = locationOf(await other.started.jar.fetch(own.callback));
    expect(await problemAt(other.started, done)).toBe('sign-in-expired');
    // The key does not open another interaction either.
    expect(await problemAt(other.started, done.replace(own.started.uid, other.started.uid))).toBe('sign-in-expired');
  });

  it('is not started for an unknown method or without the cookie of the interaction', async () => {
    const { started } = await startExternalSignIn(test.url(), 'aad');
    const at = (jar: { fetch(address: string): Promise<Response> }, path: string) =>
      jar.fetch(`${test.url()}/interaction/${started.uid}/upstream/${path}`).then(locationOf);
    expect(new URL(await at(started.jar, 'bankid')).searchParams.get('problem')).toBe('method-not-offered');
    const otherBrowser = { fetch: (address: string) => fetch(address, { redirect: 'manual' }) };
    for (const path of ['aad', 'aad/done?key=x', 'aad/done'])
      expect(new URL(await at(otherBrowser, path)).searchParams.get('problem')).toBe('sign-in-expired');
    await deleteSetting(test.db, 'azure-ad');
    expect(new URL(await at(started.jar, 'aad')).searchParams.get('problem')).toBe('method-not-offered');
    await saveSetting(test.db, 'azure-ad', test.elsewhere.azure, test.clinic.superId);
  });

  it('is rejected with an unknown, missing or repeated state', async () => {
    const { started, callback } = await callbackOf('openid');
    const state = new URL(callback).searchParams.get('state') ?? '';
    const bare = `${test.url()}/connect/upstream/openid`;
    for (const query of ['', '?code=x', '?code=x&state=made-up', `?code=x&state=${state}&state=${state}`])
      expect(await problemAt(started, `${bare}${query}`)).toBe('sign-in-expired');
    expect(new URL((await followCallback(started.jar, callback)).at(-1) ?? '').searchParams.get('code')).toBeTruthy();
  });

  it('expires', async () => {
    const { started, callback } = await callbackOf('aad');
    await test.db
      .updateTable('pending_sign_in')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
    expect(await problemAt(started, callback)).toBe('sign-in-expired');
  });

  it('is accepted after a restart of the server', async () => {
    const { started, callback } = await callbackOf('aad');
    await test.restart();
    const end = new URL((await followCallback(started.jar, callback)).at(-1) ?? '').searchParams;
    expect((await tokensOf(test.url(), { started, end, passed: [] })).sub).toBe(test.clinic.doctorId);
  });

  it('is rejected after Azure AD was reconfigured', async () => {
    const { started, callback } = await callbackOf('aad');
    await saveSetting(
      test.db,
      'azure-ad',
      { ...test.elsewhere.azure, clientId: crypto.randomUUID() },
      test.clinic.superId,
    );
    expect(await problemAt(started, callback)).toBe('sign-in-expired');
    await saveSetting(test.db, 'azure-ad', test.elsewhere.azure, test.clinic.superId);
  });

  it('stores neither state, key nor personal data in plain text', async () => {
    const { started, callback } = await callbackOf('siths');
    const rows = async () => JSON.stringify(await test.db.selectFrom('pending_sign_in').selectAll().execute());
    expect(await rows()).not.toContain(new URL(callback).searchParams.get('state'));
    const done = locationOf(await started.jar.fetch(callback));
    expect(await rows()).not.toContain(new URL(done).searchParams.get('key'));
    expect(await rows()).not.toMatch(new RegExp(`${maja.personalNumber}|${maja.lastName}`));
  });
});
