import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteSetting, saveSetting } from '../../server/db/stores/setting-store.ts';
import { comeHome, leave, locationOf, maja, signInThere, tokensOf } from './upstream-flow.ts';
import { type UpstreamUnderTest, upstreamUnderTest } from './upstream-under-test.ts';

let test: UpstreamUnderTest;

beforeAll(async () => {
  test = await upstreamUnderTest();
});
beforeEach(() => test.giveMaja());
afterAll(() => test?.close());

describe('a way back', () => {
  const callbackOf = async (method: 'aad' | 'siths' | 'openid') => {
    const { begun, there } = await leave(test.url(), method);
    return { begun, callback: await signInThere(begun.jar, there, { person: maja.id, strong: true }) };
  };
  const problemAt = async (begun: { jar: Parameters<typeof comeHome>[0] }, address: string) =>
    new URL((await comeHome(begun.jar, address)).at(-1) ?? '').searchParams.get('problem');

  it('leads home once', async () => {
    const { begun, callback } = await callbackOf('aad');
    const [done = ''] = [locationOf(await begun.jar.fetch(callback))];
    expect(await problemAt(begun, callback)).toBe('sign-in-expired');
    const end = await comeHome(begun.jar, done);
    expect(new URL(end.at(-1) ?? '').searchParams.get('code')).toBeTruthy();
    expect(await problemAt(begun, done)).toBe('sign-in-expired');
  });

  it('is that of the provider who was asked', async () => {
    const { begun, callback } = await callbackOf('aad');
    expect(await problemAt(begun, callback.replace('/upstream/aad', '/upstream/siths'))).toBe('sign-in-not-verified');
    // The state is used up with it.
    expect(await problemAt(begun, callback)).toBe('sign-in-expired');
  });

  it('is not taken from the answer of another provider', async () => {
    const own = await callbackOf('aad');
    const other = await callbackOf('siths');
    const mixed = new URL(own.callback);
    for (const name of ['code', 'iss'])
      mixed.searchParams.set(name, new URL(other.callback).searchParams.get(name) ?? '');
    expect(await problemAt(own.begun, mixed.href)).toBe('sign-in-not-verified');
  });

  it('needs the browser that left', async () => {
    const mine = await callbackOf('aad');
    const stranger = await callbackOf('aad');
    const done = locationOf(await stranger.begun.jar.fetch(mine.callback));
    expect(await problemAt(stranger.begun, done)).toBe('sign-in-expired');
    // Nor does the key open another's own interaction.
    expect(await problemAt(stranger.begun, done.replace(mine.begun.uid, stranger.begun.uid))).toBe('sign-in-expired');
  });

  it('is not even begun by a method that there is not, nor without the cookie of the interaction', async () => {
    const { begun } = await leave(test.url(), 'aad');
    const at = (jar: { fetch(address: string): Promise<Response> }, path: string) =>
      jar.fetch(`${test.url()}/interaction/${begun.uid}/upstream/${path}`).then(locationOf);
    expect(new URL(await at(begun.jar, 'bankid')).searchParams.get('problem')).toBe('method-not-offered');
    const stranger = { fetch: (address: string) => fetch(address, { redirect: 'manual' }) };
    for (const path of ['aad', 'aad/done?key=x', 'aad/done'])
      expect(new URL(await at(stranger, path)).searchParams.get('problem')).toBe('sign-in-expired');
    await deleteSetting(test.db, 'azure-ad');
    expect(new URL(await at(begun.jar, 'aad')).searchParams.get('problem')).toBe('method-not-offered');
    await saveSetting(test.db, 'azure-ad', test.elsewhere.azure, test.clinic.superId);
  });

  it('leads nowhere with a state that nobody was given, or none, or two', async () => {
    const { begun, callback } = await callbackOf('openid');
    const state = new URL(callback).searchParams.get('state') ?? '';
    const bare = `${test.url()}/connect/upstream/openid`;
    for (const query of ['', '?code=x', '?code=x&state=made-up', `?code=x&state=${state}&state=${state}`])
      expect(await problemAt(begun, `${bare}${query}`)).toBe('sign-in-expired');
    expect(new URL((await comeHome(begun.jar, callback)).at(-1) ?? '').searchParams.get('code')).toBeTruthy();
  });

  it('ends after its time', async () => {
    const { begun, callback } = await callbackOf('aad');
    await test.db
      .updateTable('pending_sign_in')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
    expect(await problemAt(begun, callback)).toBe('sign-in-expired');
  });

  it('is found by a server that was started again meanwhile', async () => {
    const { begun, callback } = await callbackOf('aad');
    await test.restart();
    const end = new URL((await comeHome(begun.jar, callback)).at(-1) ?? '').searchParams;
    expect((await tokensOf(test.url(), { begun, end, passed: [] })).sub).toBe(test.clinic.doctorId);
  });

  it('ends when Azure AD was set up otherwise meanwhile', async () => {
    const { begun, callback } = await callbackOf('aad');
    await saveSetting(
      test.db,
      'azure-ad',
      { ...test.elsewhere.azure, clientId: crypto.randomUUID() },
      test.clinic.superId,
    );
    expect(await problemAt(begun, callback)).toBe('sign-in-expired');
    await saveSetting(test.db, 'azure-ad', test.elsewhere.azure, test.clinic.superId);
  });

  it('keeps neither state, nor key, nor the person in the open', async () => {
    const { begun, callback } = await callbackOf('siths');
    const rows = async () => JSON.stringify(await test.db.selectFrom('pending_sign_in').selectAll().execute());
    expect(await rows()).not.toContain(new URL(callback).searchParams.get('state'));
    const done = locationOf(await begun.jar.fetch(callback));
    expect(await rows()).not.toContain(new URL(done).searchParams.get('key'));
    expect(await rows()).not.toMatch(new RegExp(`${maja.personalNumber}|${maja.lastName}`));
  });
});
