import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { welcome } from '../../contract/about.ts';
import { saveSetting } from '../../server/db/stores/setting-store.ts';
import { readIdentitySettings } from '../../server/identity/identity-settings.ts';
import { addAccount, addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { type OpenIdProcess, startOpenId } from './openid-process.ts';
import { type RunningServer, runServer } from './running-server.ts';
import {
  comeHome,
  give,
  leave,
  locationOf,
  personCalled,
  signInElsewhere,
  signInThere,
  stranger,
  tokensOf,
} from './upstream-flow.ts';

let database: TestDatabase;
let elsewhere: OpenIdProcess;
let running: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
const maja = personCalled('Maja');
const goran = personCalled('Göran');
const henrik = personCalled('Henrik');

const archive = (port = 0) =>
  runServer(database.database, { identity: readIdentitySettings(elsewhere.environment) }, port);

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  elsewhere = await startOpenId();
  await saveSetting(database.db, 'azure-ad', elsewhere.azure, clinic.superId);
  running = await archive();
});
beforeEach(async () => {
  await give(database.db, clinic.doctorId, {
    personal_number: maja.personalNumber,
    azure_username: maja.azureUsername,
    email: maja.email,
  });
});
afterEach(() => elsewhere.behave());
afterAll(async () => {
  await running?.close();
  await elsewhere?.close();
  await database?.close();
});

const problemAfter = async (
  method: 'siths' | 'aad' | 'openid',
  who: { person: string; strong?: boolean; deny?: boolean },
) => (await signInElsewhere(running.url, method, who)).end.get('problem');

describe('a provider elsewhere', () => {
  it('is offered when it is set up, and labelled as a test where it lies on this machine', async () => {
    const reply = await (await fetch(`${running.url}${welcome.path}`)).json();
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
  ] as const)('signs in the one whom it names (%s)', async (method, amr) => {
    const ended = await signInElsewhere(running.url, method, { person: maja.id, strong: true });
    expect(await tokensOf(running.url, ended)).toEqual({ sub: clinic.doctorId, amr });
    expect(ended.passed.join(' ')).not.toMatch(new RegExp(`${maja.personalNumber}|${maja.lastName}|%40|@`, 'i'));
  });

  it('is asked in the person’s language, for this sign-in anew, with proofs of its own', async () => {
    const { there } = await leave(running.url, 'aad', { ui_locales: 'en' });
    const asked = new URL(there).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      ui_locales: 'en',
      prompt: 'login',
      scope: 'openid profile',
      code_challenge_method: 'S256',
      redirect_uri: `${running.url}/connect/upstream/aad`,
    });
    const again = new URL((await leave(running.url, 'aad')).there).searchParams;
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asked.get(name)?.length).toBeGreaterThan(30);
      expect(asked.get(name)).not.toBe(again.get(name));
    }
  });

  it('asks for the archive’s own code when its word alone was one factor', async () => {
    await database.db.updateTable('account').set({ two_factor_key: 'x' }).where('id', '=', clinic.doctorId).execute();
    try {
      for (const method of ['aad', 'openid', 'siths'] as const) {
        const weak = await signInElsewhere(running.url, method, { person: maja.id });
        expect(Object.fromEntries(weak.end)).toEqual({ interaction: weak.begun.uid, step: 'code' });
        expect(await (await weak.begun.get('details')).json()).toMatchObject({ pending: { outcome: 'code-needed' } });
        const strong = await signInElsewhere(running.url, method, { person: maja.id, strong: true });
        expect((await tokensOf(running.url, strong)).sub).toBe(clinic.doctorId);
      }
    } finally {
      await database.db
        .updateTable('account')
        .set({ two_factor_key: null })
        .where('id', '=', clinic.doctorId)
        .execute();
    }
  });

  it('lets somebody with two accounts choose', async () => {
    const otherId = await addAccount(database.db, {
      ...{ email: 'second@prov.example', role: 'Doctor', customerId: clinic.otherCustomerId },
    });
    await give(database.db, otherId, { personal_number: maja.personalNumber });
    try {
      const ended = await signInElsewhere(running.url, 'siths', { person: maja.id, strong: true });
      expect(Object.fromEntries(ended.end)).toEqual({ interaction: ended.begun.uid, step: 'account' });
      const { pending } = await (await ended.begun.get('details')).json();
      expect(pending.accounts.map(({ clinic: name }: { clinic: string }) => name)).toEqual([
        'Andra kliniken',
        'Provkliniken',
      ]);
      const chosen = await (await ended.begun.post('account', { id: otherId })).json();
      const end = new URL(locationOf(await ended.begun.jar.fetch(`${running.url}${chosen.redirectTo}`))).searchParams;
      expect((await tokensOf(running.url, { ...ended, end })).sub).toBe(otherId);
    } finally {
      await give(database.db, otherId, { personal_number: null });
    }
  });

  it('names nobody here, or somebody who is not active any more', async () => {
    for (const method of ['siths', 'aad', 'openid'] as const)
      expect(await problemAfter(method, { person: stranger.id, strong: true })).toBe('no-account');
    await give(database.db, clinic.doctorId, { is_active: false });
    expect(await problemAfter('siths', { person: maja.id, strong: true })).toBe('account-inactive');
    await give(database.db, clinic.doctorId, { is_active: true });
  });

  it('notes who signed in and who did not', async () => {
    await database.db.selectFrom('access_log').selectAll().execute();
    await signInElsewhere(running.url, 'aad', { person: maja.id, strong: true });
    await problemAfter('siths', { person: stranger.id, strong: true });
    const entries = await database.db
      .selectFrom('access_log')
      .select(['action', 'account_id', 'detail'])
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(entries).toEqual([
      { action: 'sign-in.refused', account_id: null, detail: 'no-account' },
      { action: 'sign-in', account_id: clinic.doctorId, detail: 'aad' },
    ]);
  });

  it('may be left without signing in', async () => {
    expect(await problemAfter('openid', { person: maja.id, deny: true })).toBe('sign-in-cancelled');
  });

  it('may rotate its keys at any moment', async () => {
    await signInElsewhere(running.url, 'aad', { person: maja.id, strong: true });
    const { begun, there } = await leave(running.url, 'aad');
    await elsewhere.rotateKeys('aad');
    const passed = await comeHome(begun.jar, await signInThere(begun.jar, there, { person: maja.id, strong: true }));
    expect(new URL(passed.at(-1) ?? '').searchParams.get('code')).toBeTruthy();
  });
});

describe('the word of a provider', () => {
  it.each([
    ['another nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: null } }],
    ['another audience', { claims: { aud: 'another' } }],
    ['another issuer', { claims: { iss: 'https://login.example' } }],
    ['a time that is over', { claims: { exp: 1_700_000_000 } }],
    ['a key of somebody else', { foreignKey: true }],
    ['a key of somebody else and the right claims', { foreignKey: true, claims: { sub: 'x' } }],
  ])('is not taken with %s', async (_, faults) => {
    for (const method of ['aad', 'siths', 'openid'] as const) {
      await elsewhere.misbehave(method, faults);
      expect(await problemAfter(method, { person: maja.id, strong: true })).toBe('sign-in-not-verified');
    }
    const [last] = await database.db.selectFrom('access_log').selectAll().orderBy('id', 'desc').limit(1).execute();
    expect(last).toMatchObject({ action: 'sign-in.refused', account_id: null, detail: 'sign-in-not-verified' });
  });

  it('is not taken about another directory of Azure', async () => {
    await elsewhere.misbehave('aad', { claims: { tid: '9d4cf7a2-61be-4f0c-8a35-b7e0c2d9e202' } });
    expect(await problemAfter('aad', { person: maja.id, strong: true })).toBe('sign-in-not-verified');
    await elsewhere.misbehave('aad', { claims: { tid: null } });
    expect(await problemAfter('aad', { person: maja.id, strong: true })).toBe('sign-in-not-verified');
  });

  it('is not taken about a guest of the directory', async () => {
    await elsewhere.misbehave('aad', {
      claims: { idp: 'https://sts.windows.net/9d4cf7a2-61be-4f0c-8a35-b7e0c2d9e202/' },
    });
    expect(await problemAfter('aad', { person: maja.id, strong: true })).toBe('no-account');
  });

  it('finds nobody at Azure by e-mail', async () => {
    await give(database.db, clinic.doctorId, { azure_username: null });
    await elsewhere.misbehave('aad', { claims: { email: maja.email, email_verified: true } });
    expect(await problemAfter('aad', { person: maja.id, strong: true })).toBe('no-account');
  });

  it('finds somebody by the directory’s own user name before the one that is shown', async () => {
    await give(database.db, clinic.adminId, { azure_username: goran.azureUsername });
    await elsewhere.misbehave('aad', { claims: { upn: goran.azureUsername?.toUpperCase() } });
    const ended = await signInElsewhere(running.url, 'aad', { person: maja.id, strong: true });
    expect((await tokensOf(running.url, ended)).sub).toBe(clinic.adminId);
    await give(database.db, clinic.adminId, { azure_username: null });
  });

  it('counts for an address only when it was verified', async () => {
    for (const userInfo of [
      { email_verified: false },
      { email_verified: null },
      { email_verified: 'true' },
      { email: '' },
    ]) {
      await elsewhere.misbehave('openid', { userInfo });
      expect(await problemAfter('openid', { person: maja.id, strong: true })).toBe('no-account');
    }
    await elsewhere.misbehave('openid', { userInfo: { sub: henrik.id } });
    expect(await problemAfter('openid', { person: maja.id, strong: true })).toBe('sign-in-not-verified');
  });

  it('finds nobody by an empty claim', async () => {
    await give(database.db, clinic.doctorId, { azure_username: '', personal_number: '' });
    await elsewhere.misbehave('aad', { claims: { preferred_username: '' } });
    await elsewhere.misbehave('siths', {
      claims: { personalIdentityNumber: '', credentialPersonalIdentityNumber: null },
    });
    expect(await problemAfter('aad', { person: maja.id, strong: true })).toBe('no-account');
    expect(await problemAfter('siths', { person: maja.id, strong: true })).toBe('no-account');
  });
});

describe('a way back', () => {
  const callbackOf = async (method: 'aad' | 'siths' | 'openid') => {
    const { begun, there } = await leave(running.url, method);
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

  it('leads nowhere with a state that nobody was given, or none, or two', async () => {
    const { begun, callback } = await callbackOf('openid');
    const state = new URL(callback).searchParams.get('state') ?? '';
    const bare = `${running.url}/connect/upstream/openid`;
    for (const query of ['', '?code=x', '?code=x&state=made-up', `?code=x&state=${state}&state=${state}`])
      expect(await problemAt(begun, `${bare}${query}`)).toBe('sign-in-expired');
    expect(new URL((await comeHome(begun.jar, callback)).at(-1) ?? '').searchParams.get('code')).toBeTruthy();
  });

  it('ends after its time', async () => {
    const { begun, callback } = await callbackOf('aad');
    await database.db
      .updateTable('pending_sign_in')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute();
    expect(await problemAt(begun, callback)).toBe('sign-in-expired');
  });

  it('is found by a server that was started again meanwhile', async () => {
    const { begun, callback } = await callbackOf('aad');
    const { port } = new URL(running.url);
    await running.close();
    running = await archive(Number(port));
    const end = new URL((await comeHome(begun.jar, callback)).at(-1) ?? '').searchParams;
    expect((await tokensOf(running.url, { begun, end, passed: [] })).sub).toBe(clinic.doctorId);
  });

  it('ends when Azure AD was set up otherwise meanwhile', async () => {
    const { begun, callback } = await callbackOf('aad');
    await saveSetting(database.db, 'azure-ad', { ...elsewhere.azure, clientId: crypto.randomUUID() }, clinic.superId);
    expect(await problemAt(begun, callback)).toBe('sign-in-expired');
    await saveSetting(database.db, 'azure-ad', elsewhere.azure, clinic.superId);
  });

  it('keeps neither state, nor key, nor the person in the open', async () => {
    const { begun, callback } = await callbackOf('siths');
    const rows = async () => JSON.stringify(await database.db.selectFrom('pending_sign_in').selectAll().execute());
    expect(await rows()).not.toContain(new URL(callback).searchParams.get('state'));
    const done = locationOf(await begun.jar.fetch(callback));
    expect(await rows()).not.toContain(new URL(done).searchParams.get('key'));
    expect(await rows()).not.toMatch(new RegExp(`${maja.personalNumber}|${maja.lastName}`));
  });
});
