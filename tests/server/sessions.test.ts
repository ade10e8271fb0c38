import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountInfo } from '../../contract/account.ts';
import { hubPath } from '../../contract/hub.ts';
import { patientSearch } from '../../contract/patients.ts';
import { type Session, sessionLock, sessionsEnd, sessionsGet, sessionUnlock } from '../../contract/sessions.ts';
import { openid, type TokenReply, tokenError } from '../../contract/sign-in.ts';
import { twoFactorSetup } from '../../contract/two-factor.ts';
import { hashedToken } from '../../server/db/stores/token-hash.ts';
import { password } from './clinic.ts';
import { type EmployeesUnderTest, employeesUnderTest } from './employees-under-test.ts';
import { bearer, requestTokens, signIn } from './running-server.ts';

let test: EmployeesUnderTest;

beforeAll(async () => {
  test = await employeesUnderTest();
});
beforeEach(() => test.db.deleteFrom('sign_in_attempt').execute());
afterAll(() => test?.close());

const emailOf = (who: string) => `${who}@prov.example`;
const search = (who: string) => {
  const customerId = who === 'other' ? test.clinics.otherCustomerId : test.clinics.customerId;
  return test.callRoute(patientSearch, who, { query: { q: 'Andersson', customerId } });
};
const sessionsOf = async (who: string): Promise<Session[]> => (await test.callRoute(sessionsGet, who)).body;
const idOf = (tokens: TokenReply): string => {
  const [, claims = ''] = tokens.access_token.split('.');
  return hashedToken(JSON.parse(Buffer.from(claims, 'base64url').toString()).grant);
};
const actionsOf = async (accountId: string) => {
  const rows = await test.db
    .selectFrom('access_log')
    .select('action')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  return rows.map(({ action }) => action);
};
/** Moves the moments of the sessions of an account into the past. */
const age = (accountId: string, fact: 'startedAt' | 'usedAt', minutes: number) =>
  test.db
    .updateTable('oidc')
    .set({
      payload: sql`jsonb_set(payload, ${sql.lit(`{session,${fact}}`)}, to_jsonb(${new Date(Date.now() - minutes * 60_000).toISOString()}::text))`,
    })
    .where('type', '=', 'Grant')
    .where('account_id', '=', accountId)
    .execute();
const policyOfClinic = (policy: object) =>
  test.db
    .updateTable('customer')
    .set({ account_policy: JSON.stringify(policy) })
    .where('id', '=', test.clinics.customerId)
    .execute();

describe('own sessions', () => {
  it('are listed with device, address, method and times, the last used first', async () => {
    await test.addUser('many', 'Doctor', test.clinics.customerId);
    await requestTokens(test.url, {
      grant_type: 'password',
      username: emailOf('many'),
      password,
      scope: openid.scope,
    });
    const sessions = await sessionsOf('many');
    expect(sessions).toHaveLength(2);
    expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    for (const { device, address, program, method, signedInAt, lastUsedAt } of sessions) {
      expect([device, address, program, method]).toEqual(['node', '127.0.0.1', null, 'password']);
      expect(Date.parse(signedInAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
      expect(Date.parse(lastUsedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
    }
    expect(await sessionsOf('doctor')).toHaveLength(1);
  });

  it('show a use within the last minute', async () => {
    const id = await test.addUser('later', 'Doctor', test.clinics.customerId);
    await age(id, 'usedAt', 5);
    await search('later');
    const [own] = await sessionsOf('later');
    expect(Date.parse(own?.lastUsedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  it('of a version without facts are listed too', async () => {
    const id = await test.addUser('older', 'Doctor', test.clinics.customerId);
    await test.db
      .updateTable('oidc')
      .set({ payload: sql`payload - 'session'` })
      .where('account_id', '=', id)
      .where('type', '=', 'Grant')
      .execute();
    const [own] = await sessionsOf('older');
    expect([own?.device, own?.method, own?.signedInAt]).toEqual(['', null, null]);
  });

  it('end one by one; the ended one gets the reason when it renews its token', async () => {
    const id = await test.addUser('two', 'Doctor', test.clinics.customerId);
    const other = await signIn(test.url, emailOf('two'));
    expect((await test.callRoute(sessionsEnd, 'two', { body: { id: idOf(other) } })).status).toBe(200);
    expect(await test.opensSession(other.access_token)).toBe(false);
    const reply = await requestTokens(test.url, {
      grant_type: 'refresh_token',
      refresh_token: other.refresh_token ?? '',
    });
    expect(tokenError.parse(await reply.json()).error_description).toBe('signed-out-elsewhere');
    expect((await search('two')).status).toBe(200);
    expect(await actionsOf(id)).toContain('session.ended');
  });

  it('end all at once, except the one that asks', async () => {
    await test.addUser('all', 'Doctor', test.clinics.customerId);
    const others = [await signIn(test.url, emailOf('all')), await signIn(test.url, emailOf('all'))];
    expect((await test.callRoute(sessionsEnd, 'all', { body: { id: null } })).status).toBe(200);
    for (const { access_token: token } of others) expect(await test.opensSession(token)).toBe(false);
    expect(await sessionsOf('all')).toMatchObject([{ isCurrent: true }]);
  });

  it('are of nobody else: the session of another user is not found and continues', async () => {
    const tokens = await signIn(test.url, emailOf('doctor'));
    const reply = await test.callRoute(sessionsEnd, 'other', { body: { id: idOf(tokens) } });
    expect([reply.status, reply.body.code]).toEqual([404, 'not-found']);
    expect(await test.opensSession(tokens.access_token)).toBe(true);
  });
});

describe('a session', () => {
  it('locked, answers only what unlocks it', async () => {
    const id = await test.addUser('locked', 'Doctor', test.clinics.customerId);
    expect((await test.callRoute(sessionLock, 'locked', { body: {} })).status).toBe(200);
    for (const reply of [
      await search('locked'),
      await test.callRoute(sessionsGet, 'locked'),
      await test.callRoute(twoFactorSetup, 'locked'),
    ])
      expect([reply.status, reply.body.code]).toEqual([403, 'session-locked']);
    const tokens = await signIn(test.url, emailOf('locked'));
    await fetch(`${test.url}${sessionLock.path}`, {
      method: 'POST',
      headers: { ...bearer(tokens), 'content-type': 'application/json' },
      body: '{}',
    });
    const hub = await fetch(`${test.url}${hubPath}/negotiate`, { method: 'POST', headers: bearer(tokens) });
    expect(hub.status).toBe(403);
    const info = await test.callRoute(accountInfo, 'locked');
    expect([info.status, info.body.restriction]).toEqual([200, 'session-locked']);

    const wrong = await test.callRoute(sessionUnlock, 'locked', { body: { password: 'Wrong-1!' } });
    expect([wrong.status, wrong.body.code]).toEqual([400, 'incorrect-password']);
    expect((await search('locked')).status).toBe(403);
    expect((await test.callRoute(sessionUnlock, 'locked', { body: { password } })).status).toBe(200);
    expect((await search('locked')).status).toBe(200);
    expect(await actionsOf(id)).toEqual(expect.arrayContaining(['sign-in.refused', 'session.unlocked']));
  });

  it('cannot be unlocked by guessing', async () => {
    await test.addUser('guessed', 'Doctor', test.clinics.customerId);
    await test.callRoute(sessionLock, 'guessed', { body: {} });
    for (let guess = 0; guess < 8; guess += 1)
      await test.callRoute(sessionUnlock, 'guessed', { body: { password: `Wrong-${guess}!a` } });
    expect((await test.callRoute(sessionUnlock, 'guessed', { body: { password } })).status).toBe(429);
    expect((await search('guessed')).status).toBe(403);
  });

  it('that was closed for longer than the policy allows is locked', async () => {
    const id = await test.addUser('away', 'Doctor', test.clinics.customerId);
    await policyOfClinic({ idleMinutes: 10 });
    await age(id, 'usedAt', 10);
    expect((await search('away')).status).toBe(200);
    await age(id, 'usedAt', 12);
    expect((await search('away')).body.code).toBe('session-locked');
    // Calls that are allowed do not unlock it.
    await test.callRoute(accountInfo, 'away');
    expect((await search('away')).status).toBe(403);
    expect((await test.callRoute(sessionUnlock, 'away', { body: { password } })).status).toBe(200);
    expect((await search('away')).status).toBe(200);
    await policyOfClinic({});
  });

  it('of an open page that only checks its rights is not locked, and a locked one is not unlocked by that', async () => {
    const id = await test.addUser('reader', 'Doctor', test.clinics.customerId);
    const tokens = await signIn(test.url, emailOf('reader'));
    const checkRights = async () =>
      expect((await fetch(`${test.url}${openid.userInfoPath}`, { headers: bearer(tokens) })).status).toBe(200);
    const opens = async () => (await fetch(`${test.url}${sessionsGet.path}`, { headers: bearer(tokens) })).status;
    await policyOfClinic({ idleMinutes: 10 });
    await age(id, 'usedAt', 9);
    await checkRights();
    const [checked] = (await sessionsOf('reader')).filter(({ isCurrent }) => !isCurrent);
    expect(Date.parse(checked?.lastUsedAt ?? '')).toBeGreaterThan(Date.now() - 60_000);
    await age(id, 'usedAt', 12);
    await checkRights();
    expect(await opens()).toBe(403);
    await policyOfClinic({});
  });

  it('that is longer than the policy allows ends, and says so', async () => {
    const id = await test.addUser('long', 'Doctor', test.clinics.customerId);
    const tokens = await signIn(test.url, emailOf('long'));
    await policyOfClinic({ sessionHours: 9 });
    await age(id, 'startedAt', 9 * 60 - 1);
    expect((await search('long')).status).toBe(200);
    await age(id, 'startedAt', 9 * 60 + 1);
    expect((await search('long')).status).toBe(401);
    expect(await test.opensSession(tokens.access_token)).toBe(false);
    const reply = await requestTokens(test.url, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
    });
    expect(tokenError.parse(await reply.json()).error_description).toBe('session-too-long');
    await policyOfClinic({});
  });
});
