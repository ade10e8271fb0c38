import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { welcome } from '../../contract/about.ts';
import { addAccount } from './clinic.ts';
import {
  followCallback,
  give,
  goran,
  henrik,
  locationOf,
  maja,
  signInAtProvider,
  signInExternally,
  startExternalSignIn,
  tokensOf,
  unknownUser,
} from './upstream-flow.ts';
import { type UpstreamUnderTest, upstreamUnderTest } from './upstream-under-test.ts';

let test: UpstreamUnderTest;

beforeAll(async () => {
  test = await upstreamUnderTest();
});
beforeEach(() => test.giveMaja());
afterEach(() => test.elsewhere.behave());
afterAll(() => test?.close());

const problemAfter = async (
  method: 'siths' | 'aad' | 'openid',
  who: { user: string; strong?: boolean; deny?: boolean },
) => (await signInExternally(test.url(), method, who)).end.get('problem');

describe('an external provider', () => {
  it('is offered when configured, and labelled as a test on this machine', async () => {
    const reply = await (await fetch(`${test.url()}${welcome.path}`)).json();
    expect(reply.methods.filter(({ method }: { method: string }) => method !== 'password')).toEqual([
      { method: 'siths', label: null, test: true },
      { method: 'aad', label: null, test: true },
      { method: 'openid', label: 'Klinikens inloggning', test: true },
    ]);
  });

  it.each([
    ['siths', ['urn:inera:siths:tls']],
    ['aad', ['pwd', 'mfa']],
    ['openid', ['pwd', 'otp']],
  ] as const)('signs in the user that it names (%s)', async (method, amr) => {
    const ended = await signInExternally(test.url(), method, { user: maja.id, strong: true });
    expect(await tokensOf(test.url(), ended)).toEqual({ sub: test.clinic.doctorId, amr });
    expect(ended.passed.join(' ')).not.toMatch(new RegExp(`${maja.personalNumber}|${maja.lastName}|%40|@`, 'i'));
  });

  it('is requested in the user’s language, with a new sign-in and fresh secrets', async () => {
    const { there } = await startExternalSignIn(test.url(), 'aad', { ui_locales: 'en' });
    const parameters = new URL(there).searchParams;
    expect(Object.fromEntries(parameters)).toMatchObject({
      ui_locales: 'en',
      prompt: 'login',
      scope: 'openid profile',
      code_challenge_method: 'S256',
      redirect_uri: `${test.url()}/connect/upstream/aad`,
    });
    const again = new URL((await startExternalSignIn(test.url(), 'aad')).there).searchParams;
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(parameters.get(name)?.length).toBeGreaterThan(30);
      expect(parameters.get(name)).not.toBe(again.get(name));
    }
  });

  it('requires the archive’s own code when it verified only one factor', async () => {
    await test.db.updateTable('account').set({ two_factor_key: 'x' }).where('id', '=', test.clinic.doctorId).execute();
    try {
      for (const method of ['aad', 'openid', 'siths'] as const) {
        const weak = await signInExternally(test.url(), method, { user: maja.id });
        expect(Object.fromEntries(weak.end)).toEqual({ interaction: weak.started.uid, step: 'code' });
        expect(await (await weak.started.get('details')).json()).toMatchObject({ pending: { outcome: 'code-needed' } });
        const strong = await signInExternally(test.url(), method, { user: maja.id, strong: true });
        expect((await tokensOf(test.url(), strong)).sub).toBe(test.clinic.doctorId);
      }
    } finally {
      await test.db
        .updateTable('account')
        .set({ two_factor_key: null })
        .where('id', '=', test.clinic.doctorId)
        .execute();
    }
  });

  it('lets a user with two accounts choose', async () => {
    const otherId = await addAccount(test.db, {
      email: 'second@prov.example',
      role: 'Doctor',
      customerId: test.clinic.otherCustomerId,
    });
    await give(test.db, otherId, { personal_number: maja.personalNumber });
    try {
      const ended = await signInExternally(test.url(), 'siths', { user: maja.id, strong: true });
      expect(Object.fromEntries(ended.end)).toEqual({ interaction: ended.started.uid, step: 'account' });
      const { pending } = await (await ended.started.get('details')).json();
      expect(pending.accounts.map(({ clinic: name }: { clinic: string }) => name)).toEqual([
        'Andra kliniken',
        'Provkliniken',
      ]);
      const chosen = await (await ended.started.post('account', { id: otherId })).json();
      const end = new URL(locationOf(await ended.started.jar.fetch(`${test.url()}${chosen.redirectTo}`))).searchParams;
      expect((await tokensOf(test.url(), { ...ended, end })).sub).toBe(otherId);
    } finally {
      await give(test.db, otherId, { personal_number: null });
    }
  });

  it('is rejected for an unknown or inactive user', async () => {
    for (const method of ['siths', 'aad', 'openid'] as const)
      expect(await problemAfter(method, { user: unknownUser.id, strong: true })).toBe('no-account');
    await give(test.db, test.clinic.doctorId, { is_active: false });
    expect(await problemAfter('siths', { user: maja.id, strong: true })).toBe('account-inactive');
    await give(test.db, test.clinic.doctorId, { is_active: true });
  });

  it('logs successful and failed sign-ins', async () => {
    await test.db.selectFrom('access_log').selectAll().execute();
    await signInExternally(test.url(), 'aad', { user: maja.id, strong: true });
    await problemAfter('siths', { user: unknownUser.id, strong: true });
    const entries = await test.db
      .selectFrom('access_log')
      .select(['action', 'account_id', 'detail'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(entries).toEqual([
      { action: 'sign-in.refused', account_id: null, detail: 'no-account' },
      { action: 'sign-in', account_id: test.clinic.doctorId, detail: 'aad' },
    ]);
  });

  it('may be left without signing in', async () => {
    expect(await problemAfter('openid', { user: maja.id, deny: true })).toBe('sign-in-cancelled');
  });

  it('may rotate its keys at any time', async () => {
    await signInExternally(test.url(), 'aad', { user: maja.id, strong: true });
    const { started, there } = await startExternalSignIn(test.url(), 'aad');
    await test.elsewhere.rotateKeys('aad');
    const passed = await followCallback(
      started.jar,
      await signInAtProvider(started.jar, there, { user: maja.id, strong: true }),
    );
    expect(new URL(passed.at(-1) ?? '').searchParams.get('code')).toBeTruthy();
  });
});

describe('the claims of a provider', () => {
  it.each([
    ['another nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: null } }],
    ['another audience', { claims: { aud: 'another' } }],
    ['another issuer', { claims: { iss: 'https://login.example' } }],
    ['an expiry in the past', { claims: { exp: 1_700_000_000 } }],
    ['a foreign key', { foreignKey: true }],
    ['a foreign key and the right claims', { foreignKey: true, claims: { sub: 'x' } }],
  ])('are rejected with %s', async (_, fault) => {
    for (const method of ['aad', 'siths', 'openid'] as const) {
      await test.elsewhere.misbehave(method, fault);
      expect(await problemAfter(method, { user: maja.id, strong: true })).toBe('sign-in-not-verified');
    }
    const [last] = await test.db.selectFrom('access_log').selectAll().orderBy('id', 'desc').limit(1).execute();
    expect(last).toMatchObject({ action: 'sign-in.refused', account_id: null, detail: 'sign-in-not-verified' });
  });

  it('are rejected from another directory of Azure', async () => {
    await test.elsewhere.misbehave('aad', { claims: { tid: '9d4cf7a2-61be-4f0c-8a35-b7e0c2d9e202' } });
    expect(await problemAfter('aad', { user: maja.id, strong: true })).toBe('sign-in-not-verified');
    await test.elsewhere.misbehave('aad', { claims: { tid: null } });
    expect(await problemAfter('aad', { user: maja.id, strong: true })).toBe('sign-in-not-verified');
  });

  it('are rejected for a guest of the directory', async () => {
    await test.elsewhere.misbehave('aad', {
      claims: { idp: 'https://sts.windows.net/9d4cf7a2-61be-4f0c-8a35-b7e0c2d9e202/' },
    });
    expect(await problemAfter('aad', { user: maja.id, strong: true })).toBe('no-account');
  });

  it('match no Azure user by e-mail', async () => {
    await give(test.db, test.clinic.doctorId, { azure_username: null });
    await test.elsewhere.misbehave('aad', { claims: { email: maja.email, email_verified: true } });
    expect(await problemAfter('aad', { user: maja.id, strong: true })).toBe('no-account');
  });

  it('match the directory’s own user name before the displayed one', async () => {
    await give(test.db, test.clinic.adminId, { azure_username: goran.azureUsername });
    await test.elsewhere.misbehave('aad', { claims: { upn: goran.azureUsername?.toUpperCase() } });
    const ended = await signInExternally(test.url(), 'aad', { user: maja.id, strong: true });
    expect((await tokensOf(test.url(), ended)).sub).toBe(test.clinic.adminId);
    await give(test.db, test.clinic.adminId, { azure_username: null });
  });

  it('match an e-mail address only if verified', async () => {
    for (const userInfo of [
      { email_verified: false },
      { email_verified: null },
      { email_verified: 'true' },
      { email: '' },
    ]) {
      await test.elsewhere.misbehave('openid', { userInfo });
      expect(await problemAfter('openid', { user: maja.id, strong: true })).toBe('no-account');
    }
    await test.elsewhere.misbehave('openid', { userInfo: { sub: henrik.id } });
    expect(await problemAfter('openid', { user: maja.id, strong: true })).toBe('sign-in-not-verified');
  });

  it('are not combined from token and userinfo', async () => {
    await give(test.db, test.clinic.otherDoctorId, { email: henrik.email });
    await test.elsewhere.misbehave('openid', { claims: { email: henrik.email } });
    const ended = await signInExternally(test.url(), 'openid', { user: maja.id, strong: true });
    expect((await tokensOf(test.url(), ended)).sub).toBe(test.clinic.doctorId);
  });

  it('with an empty value match no user', async () => {
    await give(test.db, test.clinic.doctorId, { azure_username: '', personal_number: '' });
    await test.elsewhere.misbehave('aad', { claims: { preferred_username: '' } });
    await test.elsewhere.misbehave('siths', {
      claims: { personalIdentityNumber: '', credentialPersonalIdentityNumber: null },
    });
    expect(await problemAfter('aad', { user: maja.id, strong: true })).toBe('no-account');
    expect(await problemAfter('siths', { user: maja.id, strong: true })).toBe('no-account');
  });
});
