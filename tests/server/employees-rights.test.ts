import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allClaims, isLimit } from '../../contract/claims.ts';
import { resetLinkCreate } from '../../contract/passwords.ts';
import {
  accountDelete,
  accountUpdate,
  changeUserStatus,
  customerUsers,
  customerUsersAny,
  type Employee,
  pictureDelete,
  setPassword,
  superAdministrators,
  usersAll,
} from '../../contract/users.ts';
import { password } from './clinic.ts';
import { type EmployeesUnderTest, employeesUnderTest, type JsonReply } from './employees-under-test.ts';

let test: EmployeesUnderTest;

beforeAll(async () => {
  test = await employeesUnderTest();
});
afterAll(() => test?.close());

/** An edit of a user whose form was never filled in. */
const full = { personalNumber: '198001019804', telephone: '070-174 06 05', hiredSince: '2020-01-01' };

/** Every change that can be made to a user. */
const actions = {
  edit: (as: string, seen: Employee) =>
    test.callRoute(accountUpdate, as, { body: test.edit(seen, { ...full, lastName: 'Ny' }) }),
  deactivate: (as: string, { id }: Employee) => test.callRoute(changeUserStatus, as, { body: { id, status: false } }),
  'give a password to': (as: string, { id }: Employee) => test.callRoute(setPassword, as, { body: { id, password } }),
  'make a reset link for': (as: string, { id }: Employee) =>
    test.callRoute(resetLinkCreate, as, { body: { id, redirectUrl: 'http://localhost/authorization/newpassword' } }),
  'take the picture of': (as: string, { id }: Employee) => test.callRoute(pictureDelete, as, { params: { id } }),
  delete: (as: string, { id }: Employee) => test.callRoute(accountDelete, as, { params: { id } }),
};
const names = Object.keys(actions) as (keyof typeof actions)[];
const everything = async () =>
  JSON.stringify([
    await test.db.selectFrom('account').selectAll().orderBy('id').execute(),
    await test.db.selectFrom('access_log').select('id').where('action', 'like', 'user.%').orderBy('id').execute(),
  ]);
const superAdmin = async (): Promise<Employee> => {
  const { body } = await test.callRoute(superAdministrators, 'super', { query: { q: 'super@prov' } });
  return body.data[0];
};

/** Two rejected calls may differ by the id of the request only. */
const withAnyRequestId = <Reply extends { readonly body: object }>(reply: Reply) => ({
  ...reply,
  body: { ...reply.body, requestId: expect.any(String) },
});

describe('no caller', () => {
  it.each(names)('may %s users of another clinic, or learn that they exist', async (action) => {
    const target = await test.created({ customerId: test.clinics.otherCustomerId });
    const before = await everything();
    const rejected = await actions[action]('admin', target);
    expect(rejected).toMatchObject({ status: 404, body: { code: 'user-not-found' } });
    expect(await actions[action]('admin', { ...target, id: randomUUID() })).toEqual(withAnyRequestId(rejected));
    expect(await everything()).toBe(before);
  });

  it.each(names)('may %s a super administrator without the right to list them', async (action) => {
    const own = await superAdmin();
    const before = await everything();
    expect(await actions[action]('admin', own)).toMatchObject({ status: 404, body: { code: 'user-not-found' } });
    expect(await everything()).toBe(before);
  });

  it.each(names)('may %s a user above their own rank', async (action) => {
    const rights = allClaims.filter((claim) => !isLimit(claim));
    const name = `Nästan ${action}`;
    await test.addRole(name, 1, rights);
    await test.addUser(`nearly-${names.indexOf(action)}`, name, test.clinics.customerId);
    const before = await everything();
    const rejected = await actions[action](`nearly-${names.indexOf(action)}`, await superAdmin());
    expect(rejected).toMatchObject({ status: 403, body: { code: 'own-rank' } });
    expect(await everything()).toBe(before);
  });

  it.each(names)('may %s a user of the same rank with rights that the caller lacks', async (action) => {
    const name = `Alla kliniker ${action}`;
    const roles = [await test.addRole(name, 1, ['user.get', 'customer.get_byid'])];
    const own = await test.created({ roles });
    const before = await everything();
    expect(await actions[action]('admin', own)).toMatchObject({
      status: 403,
      body: { code: 'no-right', claims: ['customer.get_byid'] },
    });
    expect(await everything()).toBe(before);
    expect((await actions[action]('super', own)).status).toBe(200);
  });

  it('puts users into a clinic without access to it, or creates super administrators without the right', async () => {
    const before = await everything();
    const elsewhere = await test.create('admin', { customerId: test.clinics.otherCustomerId });
    expect(elsewhere).toMatchObject({ status: 404, body: { code: 'not-found' } });
    expect(await test.create('admin', { customerId: randomUUID() })).toEqual(withAnyRequestId(elsewhere));
    const roles = [await test.roleId('SuperAdmin')];
    expect(await test.create('admin', { roles })).toMatchObject({ status: 403, body: { code: 'own-rank' } });
    expect(await test.create('admin', { roles, customerId: null })).toMatchObject({
      status: 403,
      body: { code: 'no-right', claims: ['user.get_sa'] },
    });
    expect(await everything()).toBe(before);
  });

  it('assigns a role above the own rank or with rights that the caller lacks', async () => {
    const higher = await test.addRole('Regionchef', 0, []);
    const wider = await test.addRole('Alla kliniker', 5, ['customer.get_byid', 'disable.open']);
    const own = await test.created();
    const give = (role: string): Promise<JsonReply>[] => [
      test.create('admin', { roles: [role] }),
      test.callRoute(accountUpdate, 'admin', { body: test.edit(own, { roles: [role] }) }),
    ];
    for (const answer of await Promise.all(give(higher)))
      expect(answer).toMatchObject({ status: 403, body: { code: 'own-rank', errors: [{ fieldKey: 'roles' }] } });
    for (const answer of await Promise.all(give(wider)))
      expect(answer).toMatchObject({ status: 403, body: { code: 'no-right', claims: ['customer.get_byid'] } });
  });

  it('changes the own role or status or deletes the own account; other own fields are allowed', async () => {
    const { body } = await test.callRoute(customerUsers, 'admin', { params: test.clinics, query: { q: 'admin@' } });
    const own: Employee = body.data[0];
    expect(own.id).toBe(test.clinics.adminId);
    const edit = (more: object) =>
      test.callRoute(accountUpdate, 'admin', { body: test.edit(own, { ...full, ...more }) });
    const rejected = { status: 409, body: { code: 'own-account' } };
    expect(await edit({ roles: [await test.roleId('Doctor')] })).toMatchObject(rejected);
    expect(await edit({ isActive: false })).toMatchObject(rejected);
    expect(await actions.deactivate('admin', own)).toMatchObject(rejected);
    expect(await actions.delete('admin', own)).toMatchObject(rejected);
    const inCapitals = { ...own, id: own.id.toUpperCase() };
    expect(await actions.deactivate('admin', inCapitals)).toMatchObject(rejected);
    expect(await actions.delete('admin', inCapitals)).toMatchObject(rejected);
    const edited = await edit({ lastName: 'Eget' });
    expect(edited).toMatchObject({ status: 200, body: { lastName: 'Eget', securityStamp: own.securityStamp } });
  });

  it('accesses users of a deleted clinic', async () => {
    const customerId = await test.addClinic('Nedlagd');
    const own = await test.created({ customerId });
    await test.db.updateTable('customer').set({ deleted_at: new Date() }).where('id', '=', customerId).execute();
    for (const action of names)
      expect(await actions[action]('super', own), action).toMatchObject({
        status: 404,
        body: { code: 'user-not-found' },
      });
    expect((await test.create('super', { customerId })).status).toBe(404);
    expect((await test.callRoute(customerUsers, 'super', { params: { customerId } })).status).toBe(404);
    const { body } = await test.callRoute(usersAll, 'super', { query: { q: own.email.slice(0, 30) } });
    expect(body.data).toEqual([]);
  });
});

describe('lists', () => {
  it('contain the own clinic, or any clinic with the right to it', async () => {
    const list = async (as: string, customerId: string) =>
      (await test.callRoute(customerUsers, as, { params: { customerId } })).status;
    expect(await list('admin', test.clinics.customerId)).toBe(200);
    expect(await list('admin', test.clinics.otherCustomerId)).toBe(404);
    expect(await list('admin', randomUUID())).toBe(404);
    expect(await list('super', test.clinics.otherCustomerId)).toBe(200);
    expect(await list('super', randomUUID())).toBe(404);
    expect(await list('doctor', test.clinics.customerId)).toBe(403);
  });

  it('show colleagues without personal numbers, and do not search by them', async () => {
    await test.created({ lastName: 'Sökman', personalNumber: '19800101-9804' });
    const find = async (q: string) =>
      (await test.callRoute(customerUsersAny, 'doctor', { params: test.clinics, query: { q } })).body;
    const found = await find('sök');
    expect(found.totalCount).toBe(1);
    expect(Object.keys(found.data[0]).sort()).toEqual(['email', 'firstName', 'id', 'isActive', 'lastName', 'role']);
    expect(await find('198001')).toMatchObject({ totalCount: 0, data: [] });
    expect(await find('sök 19800101')).toMatchObject({ totalCount: 0 });
    expect(
      (await test.callRoute(customerUsers, 'admin', { params: test.clinics, query: { q: 'sök 0101-9804' } })).body,
    ).toMatchObject({
      totalCount: 1,
      data: [{ lastName: 'Sökman' }],
    });
  });

  it('of all clinics contain super administrators only with the right to list them', async () => {
    const claims = ['user.get', 'customer.get_byid'] as const;
    await test.addRole('Granskare', 1, claims);
    await test.addUser('reviewer', 'Granskare', test.clinics.customerId);
    const emails = async (as: string) =>
      (await test.callRoute(usersAll, as, { query: { q: 'super@prov' } })).body.data.map(
        ({ email }: Employee) => email,
      );
    expect(await emails('super')).toEqual(['super@prov.example']);
    expect(await emails('reviewer')).toEqual([]);
    expect((await test.callRoute(usersAll, 'reviewer')).body.data.length).toBeGreaterThan(2);
  });
});
