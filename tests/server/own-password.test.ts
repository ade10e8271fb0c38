import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountInfo } from '../../contract/account.ts';
import { ownPassword } from '../../contract/passwords.ts';
import { password } from './clinic.ts';
import { type EmployeesUnderTest, employeesUnderTest } from './employees-under-test.ts';
import { signIn } from './running-server.ts';

let test: EmployeesUnderTest;

beforeAll(async () => {
  test = await employeesUnderTest();
});
beforeEach(() => test.db.deleteFrom('sign_in_attempt').execute());
afterAll(() => test?.close());

const other = 'Annat-2026!';

const change = (who: string, current: string, next = other) =>
  test.callRoute(ownPassword, who, { body: { current, password: next } });
const actionsOf = async (accountId: string) => {
  const rows = await test.db
    .selectFrom('access_log')
    .select(['action', 'detail'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  return rows.map(({ action, detail }) => (detail ? `${action}: ${detail}` : action));
};

describe('the own password', () => {
  it('is changed by any user with the current one; the other sessions end and reset links are revoked', async () => {
    const id = await test.addUser('own-doctor', 'Doctor', test.clinics.customerId);
    await test.addLink(id);
    const { access_token } = await signIn(test.url, 'own-doctor@prov.example');
    expect(await change('own-doctor', password)).toEqual({ status: 200, body: {} });
    expect((await test.callRoute(accountInfo, 'own-doctor')).status).toBe(200);
    expect(await test.opensSession(access_token)).toBe(false);
    expect(await test.maySignIn('own-doctor@prov.example')).toBe(false);
    expect(await test.links(id)).toHaveLength(0);
    expect(await actionsOf(id)).toContain('password.changed');
  });

  it('stays with a wrong current one, which is logged and limited like a sign-in', async () => {
    const id = await test.addUser('own-guesser', 'Doctor', test.clinics.customerId);
    const replies = [];
    for (let guess = 0; guess < 8; guess++) replies.push(await change('own-guesser', `Wrong-${guess}!a`));
    expect(replies[0]).toMatchObject({
      status: 400,
      body: { code: 'incorrect-password', errors: [{ fieldKey: 'current' }] },
    });
    expect(replies.at(-1)).toMatchObject({ status: 429, body: { code: 'too-many-requests' } });
    expect(await actionsOf(id)).toContain('sign-in.refused: incorrect-login');
    expect((await test.callRoute(accountInfo, 'own-guesser')).status).toBe(200);
    expect(await change('own-guesser', password)).toMatchObject({ status: 429 });
  });

  it('must satisfy the password rules', async () => {
    await test.addUser('own-short', 'Doctor', test.clinics.customerId);
    expect(await change('own-short', password, 'losen')).toMatchObject({
      status: 400,
      body: { code: 'invalid-request', errors: expect.arrayContaining([{ fieldKey: 'password', vars: { min: 6 } }]) },
    });
    expect(await test.maySignIn('own-short@prov.example')).toBe(true);
  });
});
