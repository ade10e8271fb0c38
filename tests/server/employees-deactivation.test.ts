import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountDelete, changeUserStatus, setPassword } from '../../contract/users.ts';
import { password } from './clinic.ts';
import { type EmployeesUnderTest, employeesUnderTest } from './employees-under-test.ts';
import { signIn } from './running-server.ts';

let test: EmployeesUnderTest;

beforeAll(async () => {
  test = await employeesUnderTest();
});
beforeEach(() => test.db.deleteFrom('sign_in_attempt').execute());
afterAll(() => test?.close());

describe('the status of a user', () => {
  it('ends the sessions and blocks sign-in when removed, until it is restored', async () => {
    const own = await test.created();
    await test.addLink(own.id);
    const { access_token } = await signIn(test.url, own.email);
    const off = await test.callRoute(changeUserStatus, 'admin', { body: { id: own.id, status: false } });
    expect(off.body).toMatchObject({ isActive: false, version: 2 });
    expect(off.body.securityStamp).not.toBe(own.securityStamp);
    expect(await test.opensSession(access_token)).toBe(false);
    expect(await test.maySignIn(own.email)).toBe(false);
    expect(await test.links(own.id)).toHaveLength(0);
    const on = await test.callRoute(changeUserStatus, 'admin', { body: { id: own.id, status: true } });
    expect(on.body).toMatchObject({ isActive: true, version: 3 });
    expect(await test.maySignIn(own.email)).toBe(true);
    expect(await test.opensSession(access_token)).toBe(false);
    expect((await test.entriesOf(own.id)).map(({ action }) => action)).toEqual([
      'user.created',
      'user.deactivated',
      'user.activated',
    ]);
  });

  it('changes nothing when set to the same value', async () => {
    const own = await test.created();
    const again = await test.callRoute(changeUserStatus, 'admin', { body: { id: own.id, status: true } });
    expect(again).toEqual({ status: 200, body: own });
    expect(await test.entriesOf(own.id)).toHaveLength(1);
  });

  it('can be changed in an edit, with the right to do so', async () => {
    const own = await test.created();
    await test.addRole('Utan status', 2, [
      'user.get',
      'user.update',
      'customer.get_itself',
      'user.get_any',
      'user.get_info',
    ]);
    await test.addUser('no-status', 'Utan status', test.clinics.customerId);
    expect((await test.update('no-status', own, { isActive: false })).body).toMatchObject({
      code: 'no-right',
      claims: ['user.change_status'],
    });
    expect((await test.update('no-status', own, { lastName: 'Gran' })).status).toBe(200);
    const seen = await test.listed(own.id);
    if (!seen) throw new Error('gone');
    expect((await test.update('admin', seen, { isActive: false })).body.isActive).toBe(false);
    expect(await test.maySignIn(own.email)).toBe(false);
  });
});

describe('a deleted user', () => {
  it('is removed from the list and blocked, and the e-mail address is free again', async () => {
    const own = await test.created();
    const { access_token } = await signIn(test.url, own.email);
    expect(await test.callRoute(accountDelete, 'admin', { params: { id: own.id } })).toEqual({ status: 200, body: {} });
    expect(await test.listed(own.id)).toBeUndefined();
    expect(await test.opensSession(access_token)).toBe(false);
    expect(await test.maySignIn(own.email)).toBe(false);
    const again = await test.create('admin', { email: own.email });
    expect(again.status).toBe(200);
    expect(again.body.id).not.toBe(own.id);
    expect((await test.entriesOf(own.id)).at(-1)).toMatchObject({
      action: 'user.deleted',
      customer_id: test.clinics.customerId,
      detail: `Åsa Björk <${own.email}>`,
    });
  });

  it('is not found by any request', async () => {
    const own = await test.created();
    await test.callRoute(accountDelete, 'admin', { params: { id: own.id } });
    const gone = { status: 404, body: { code: 'user-not-found' } };
    expect(await test.callRoute(accountDelete, 'super', { params: { id: own.id } })).toMatchObject(gone);
    expect(await test.update('super', own)).toMatchObject(gone);
    expect(await test.callRoute(changeUserStatus, 'super', { body: { id: own.id, status: true } })).toMatchObject(gone);
    expect(await test.callRoute(setPassword, 'super', { body: { id: own.id, password } })).toMatchObject(gone);
  });
});

describe('a password set by an administrator', () => {
  it('replaces the previous one, ends the sessions, revokes reset links and resets the failure count', async () => {
    const own = await test.created();
    await test.addLink(own.id);
    const { access_token } = await signIn(test.url, own.email);
    const set = await test.callRoute(setPassword, 'admin', { body: { id: own.id, password: 'Annat-2026!' } });
    expect(set).toEqual({ status: 200, body: {} });
    expect(await test.opensSession(access_token)).toBe(false);
    expect(await test.maySignIn(own.email)).toBe(false);
    expect(await test.links(own.id)).toHaveLength(0);
    await test.callRoute(setPassword, 'admin', { body: { id: own.id, password } });
    expect(await test.maySignIn(own.email)).toBe(true);
    expect((await test.entriesOf(own.id)).at(-1)?.action).toBe('user.password-set');
  });

  it('must satisfy the password rules, and each violated rule is named', async () => {
    const own = await test.created();
    const { status, body } = await test.callRoute(setPassword, 'admin', { body: { id: own.id, password: 'losen' } });
    expect(status).toBe(400);
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { fieldKey: 'password', vars: { min: 6 } },
        ...['digit', 'uppercase', 'symbol'].map((rule) => ({ fieldKey: 'password', vars: { rule } })),
      ]),
    );
  });

  it('is never one’s own, which needs the current password', async () => {
    const id = await test.addUser('chief', 'CustomerAdmin', test.clinics.customerId);
    const set = await test.callRoute(setPassword, 'chief', { body: { id, password: 'Annat-2026!' } });
    expect(set).toMatchObject({ status: 409, body: { code: 'own-account' } });
    expect(await test.maySignIn('chief@prov.example')).toBe(true);
  });
});
