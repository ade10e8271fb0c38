import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountInfo } from '../../contract/account.ts';
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

describe('a status', () => {
  it('that is taken away ends the sessions and shuts the person out, until it is given back', async () => {
    const own = await test.created();
    await test.addLink(own.id);
    const { access_token } = await signIn(test.url, own.email);
    const off = await test.ask(changeUserStatus, 'admin', { body: { id: own.id, status: false } });
    expect(off.body).toMatchObject({ isActive: false, version: 2 });
    expect(off.body.securityStamp).not.toBe(own.securityStamp);
    expect(await test.opensSession(access_token)).toBe(false);
    expect(await test.maySignIn(own.email)).toBe(false);
    expect(await test.links(own.id)).toHaveLength(0);
    const on = await test.ask(changeUserStatus, 'admin', { body: { id: own.id, status: true } });
    expect(on.body).toMatchObject({ isActive: true, version: 3 });
    expect(await test.maySignIn(own.email)).toBe(true);
    expect(await test.opensSession(access_token)).toBe(false);
    expect((await test.entriesOf(own.id)).map(({ action }) => action)).toEqual([
      ...['user.created', 'user.deactivated', 'user.activated'],
    ]);
  });

  it('that is there already changes nothing', async () => {
    const own = await test.created();
    const again = await test.ask(changeUserStatus, 'admin', { body: { id: own.id, status: true } });
    expect(again).toEqual({ status: 200, body: own });
    expect(await test.entriesOf(own.id)).toHaveLength(1);
  });

  it('can be changed in an edit too, with the right to do so', async () => {
    const own = await test.created();
    await test.addRole('Utan status', 2, [
      'user.get',
      'user.update',
      'customer.get_itself',
      'user.get_any',
      'user.get_info',
    ]);
    await test.addPerson('no-status', 'Utan status', test.clinics.customerId);
    expect((await test.update('no-status', own, { isActive: false })).body).toEqual({
      ...{ code: 'no-right', claims: ['user.change_status'] },
    });
    expect((await test.update('no-status', own, { lastName: 'Gran' })).status).toBe(200);
    const seen = await test.person(own.id);
    if (!seen) throw new Error('gone');
    expect((await test.update('admin', seen, { isActive: false })).body.isActive).toBe(false);
    expect(await test.maySignIn(own.email)).toBe(false);
  });
});

describe('a deleted person', () => {
  it('is out of the list, shut out, and their e-mail address is free', async () => {
    const own = await test.created();
    const { access_token } = await signIn(test.url, own.email);
    expect(await test.ask(accountDelete, 'admin', { params: { id: own.id } })).toEqual({ status: 200, body: {} });
    expect(await test.person(own.id)).toBeUndefined();
    expect(await test.opensSession(access_token)).toBe(false);
    expect(await test.maySignIn(own.email)).toBe(false);
    const again = await test.create('admin', { email: own.email });
    expect(again.status).toBe(200);
    expect(again.body.id).not.toBe(own.id);
    expect((await test.entriesOf(own.id)).at(-1)).toMatchObject({
      ...{ action: 'user.deleted', customer_id: test.clinics.customerId, detail: `Åsa Björk <${own.email}>` },
    });
  });

  it('is nobody to any call', async () => {
    const own = await test.created();
    await test.ask(accountDelete, 'admin', { params: { id: own.id } });
    const gone = { status: 404, body: { code: 'user-not-found' } };
    expect(await test.ask(accountDelete, 'super', { params: { id: own.id } })).toEqual(gone);
    expect(await test.update('super', own)).toEqual(gone);
    expect(await test.ask(changeUserStatus, 'super', { body: { id: own.id, status: true } })).toEqual(gone);
    expect(await test.ask(setPassword, 'super', { body: { id: own.id, password } })).toEqual(gone);
  });
});

describe('a password that an administrator sets', () => {
  it('replaces the one before, ends the sessions and voids the letters; waiting after wrong ones is over', async () => {
    const own = await test.created();
    await test.addLink(own.id);
    const { access_token } = await signIn(test.url, own.email);
    const set = await test.ask(setPassword, 'admin', { body: { id: own.id, password: 'Annat-2026!' } });
    expect(set).toEqual({ status: 200, body: {} });
    expect(await test.opensSession(access_token)).toBe(false);
    expect(await test.maySignIn(own.email)).toBe(false);
    expect(await test.links(own.id)).toHaveLength(0);
    await test.ask(setPassword, 'admin', { body: { id: own.id, password } });
    expect(await test.maySignIn(own.email)).toBe(true);
    expect((await test.entriesOf(own.id)).at(-1)?.action).toBe('user.password-set');
  });

  it('breaks no rule, or each one is named', async () => {
    const own = await test.created();
    const { status, body } = await test.ask(setPassword, 'admin', { body: { id: own.id, password: 'losen' } });
    expect(status).toBe(400);
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { fieldKey: 'password', vars: { min: 6 } },
        ...['digit', 'uppercase', 'symbol'].map((rule) => ({ fieldKey: 'password', vars: { rule } })),
      ]),
    );
  });

  it('may be one’s own: the session that asked goes on, the others end', async () => {
    await test.addPerson('chief', 'CustomerAdmin', test.clinics.customerId);
    const { access_token } = await signIn(test.url, 'chief@prov.example');
    const { body } = await test.ask(accountInfo, 'chief');
    expect((await test.ask(setPassword, 'chief', { body: { id: body.id, password } })).status).toBe(200);
    expect((await test.ask(accountInfo, 'chief')).status).toBe(200);
    expect(await test.opensSession(access_token)).toBe(false);
  });
});
