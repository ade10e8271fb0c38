import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allClaims, isLimit } from '../../contract/claims.ts';
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
import { type Answer, type EmployeesUnderTest, employeesUnderTest } from './employees-under-test.ts';

let test: EmployeesUnderTest;

beforeAll(async () => {
  test = await employeesUnderTest();
});
afterAll(() => test?.close());

/** Of somebody whose form was never filled in. */
const full = { personalNumber: '198001019804', telephone: '070-174 06 05', hiredSince: '2020-01-01' };

/** Everything that can be done to somebody. */
const deeds = {
  edit: (as: string, seen: Employee) =>
    test.ask(accountUpdate, as, { body: test.edit(seen, { ...full, lastName: 'Ny' }) }),
  deactivate: (as: string, { id }: Employee) => test.ask(changeUserStatus, as, { body: { id, status: false } }),
  'give a password to': (as: string, { id }: Employee) => test.ask(setPassword, as, { body: { id, password } }),
  'take the picture of': (as: string, { id }: Employee) => test.ask(pictureDelete, as, { params: { id } }),
  delete: (as: string, { id }: Employee) => test.ask(accountDelete, as, { params: { id } }),
};
const names = Object.keys(deeds) as (keyof typeof deeds)[];
const everything = async () =>
  JSON.stringify([
    await test.db.selectFrom('account').selectAll().orderBy('id').execute(),
    await test.db.selectFrom('access_log').select('id').where('action', 'like', 'user.%').orderBy('id').execute(),
  ]);
const superAdmin = async (): Promise<Employee> => {
  const { body } = await test.ask(superAdministrators, 'super', { query: { q: 'super@prov' } });
  return body.data[0];
};

describe('nobody', () => {
  it.each(names)('may %s people of another clinic, nor learn that they are there', async (deed) => {
    const own = await test.created({ customerId: test.clinics.otherCustomerId });
    const before = await everything();
    const refused = await deeds[deed]('admin', own);
    expect(refused).toEqual({ status: 404, body: { code: 'user-not-found' } });
    expect(await deeds[deed]('admin', { ...own, id: randomUUID() })).toEqual(refused);
    expect(await everything()).toBe(before);
  });

  it.each(names)('may %s a super administrator whom they may not even list', async (deed) => {
    const own = await superAdmin();
    const before = await everything();
    expect(await deeds[deed]('admin', own)).toEqual({ status: 404, body: { code: 'user-not-found' } });
    expect(await everything()).toBe(before);
  });

  it.each(names)('may %s somebody above their own rank', async (deed) => {
    const rights = allClaims.filter((claim) => !isLimit(claim));
    const name = `Nästan ${deed}`;
    await test.addRole(name, 1, rights);
    await test.addPerson(`nearly-${names.indexOf(deed)}`, name, test.clinics.customerId);
    const before = await everything();
    const refused = await deeds[deed](`nearly-${names.indexOf(deed)}`, await superAdmin());
    expect(refused).toMatchObject({ status: 403, body: { code: 'own-rank' } });
    expect(await everything()).toBe(before);
  });

  it.each(names)('may %s somebody of their rank who may do what they may not', async (deed) => {
    const name = `Alla kliniker ${deed}`;
    const roles = [await test.addRole(name, 1, ['user.get', 'customer.get_byid'])];
    const own = await test.created({ roles });
    const before = await everything();
    expect(await deeds[deed]('admin', own)).toEqual({
      ...{ status: 403, body: { code: 'no-right', claims: ['customer.get_byid'] } },
    });
    expect(await everything()).toBe(before);
    expect((await deeds[deed]('super', own)).status).toBe(200);
  });

  it('puts people into a clinic that is not theirs, nor makes super administrators', async () => {
    const before = await everything();
    const elsewhere = await test.create('admin', { customerId: test.clinics.otherCustomerId });
    expect(elsewhere).toEqual({ status: 404, body: { code: 'not-found' } });
    expect(await test.create('admin', { customerId: randomUUID() })).toEqual(elsewhere);
    const roles = [await test.roleId('SuperAdmin')];
    expect(await test.create('admin', { roles })).toMatchObject({ status: 403, body: { code: 'own-rank' } });
    expect(await test.create('admin', { roles, customerId: null })).toEqual({
      ...{ status: 403, body: { code: 'no-right', claims: ['user.get_sa'] } },
    });
    expect(await everything()).toBe(before);
  });

  it('gives a role above their own rank, or one that may do what they may not', async () => {
    const higher = await test.addRole('Regionchef', 0, []);
    const wider = await test.addRole('Alla kliniker', 5, ['customer.get_byid', 'disable.open']);
    const own = await test.created();
    const give = (role: string): Promise<Answer>[] => [
      test.create('admin', { roles: [role] }),
      test.ask(accountUpdate, 'admin', { body: test.edit(own, { roles: [role] }) }),
    ];
    for (const answer of await Promise.all(give(higher)))
      expect(answer).toEqual({ status: 403, body: { code: 'own-rank', errors: [{ fieldKey: 'roles' }] } });
    for (const answer of await Promise.all(give(wider)))
      expect(answer).toEqual({ status: 403, body: { code: 'no-right', claims: ['customer.get_byid'] } });
  });

  it('changes their own role or status, or deletes themself; the rest of their own they do', async () => {
    const { body } = await test.ask(customerUsers, 'admin', { params: test.clinics, query: { q: 'admin@' } });
    const own: Employee = body.data[0];
    expect(own.id).toBe(test.clinics.adminId);
    const edit = (more: object) => test.ask(accountUpdate, 'admin', { body: test.edit(own, { ...full, ...more }) });
    const refused = { status: 409, body: { code: 'own-account' } };
    expect(await edit({ roles: [await test.roleId('Doctor')] })).toMatchObject(refused);
    expect(await edit({ isActive: false })).toMatchObject(refused);
    expect(await deeds.deactivate('admin', own)).toMatchObject(refused);
    expect(await deeds.delete('admin', own)).toMatchObject(refused);
    const edited = await edit({ lastName: 'Eget' });
    expect(edited).toMatchObject({ status: 200, body: { lastName: 'Eget', securityStamp: own.securityStamp } });
  });

  it('reaches people of a clinic that was deleted', async () => {
    const customerId = await test.addClinic('Nedlagd');
    const own = await test.created({ customerId });
    await test.db.updateTable('customer').set({ deleted_at: new Date() }).where('id', '=', customerId).execute();
    for (const deed of names)
      expect(await deeds[deed]('super', own), deed).toEqual({ status: 404, body: { code: 'user-not-found' } });
    expect((await test.create('super', { customerId })).status).toBe(404);
    expect((await test.ask(customerUsers, 'super', { params: { customerId } })).status).toBe(404);
    const { body } = await test.ask(usersAll, 'super', { query: { q: own.email.slice(0, 30) } });
    expect(body.data).toEqual([]);
  });
});

describe('lists', () => {
  it('are of the own clinic, or with the right to it of any', async () => {
    const list = async (as: string, customerId: string) =>
      (await test.ask(customerUsers, as, { params: { customerId } })).status;
    expect(await list('admin', test.clinics.customerId)).toBe(200);
    expect(await list('admin', test.clinics.otherCustomerId)).toBe(404);
    expect(await list('admin', randomUUID())).toBe(404);
    expect(await list('super', test.clinics.otherCustomerId)).toBe(200);
    expect(await list('super', randomUUID())).toBe(404);
    expect(await list('doctor', test.clinics.customerId)).toBe(403);
  });

  it('show colleagues without personal numbers, and find nobody by theirs', async () => {
    await test.created({ lastName: 'Sökman', personalNumber: '19800101-9804' });
    const find = async (q: string) =>
      (await test.ask(customerUsersAny, 'doctor', { params: test.clinics, query: { q } })).body;
    const found = await find('sök');
    expect(found.totalCount).toBe(1);
    expect(Object.keys(found.data[0]).sort()).toEqual(['email', 'firstName', 'id', 'isActive', 'lastName', 'role']);
    expect(await find('198001')).toMatchObject({ totalCount: 0, data: [] });
    expect(await find('sök 19800101')).toMatchObject({ totalCount: 0 });
    expect(
      (await test.ask(customerUsers, 'admin', { params: test.clinics, query: { q: 'sök 0101-9804' } })).body,
    ).toMatchObject({
      ...{ totalCount: 1, data: [{ lastName: 'Sökman' }] },
    });
  });

  it('of all clinics hold super administrators only for those who may list them', async () => {
    const claims = ['user.get', 'customer.get_byid'] as const;
    await test.addRole('Granskare', 1, claims);
    await test.addPerson('reviewer', 'Granskare', test.clinics.customerId);
    const emails = async (as: string) =>
      (await test.ask(usersAll, as, { query: { q: 'super@prov' } })).body.data.map(({ email }: Employee) => email);
    expect(await emails('super')).toEqual(['super@prov.example']);
    expect(await emails('reviewer')).toEqual([]);
    expect((await test.ask(usersAll, 'reviewer')).body.data.length).toBeGreaterThan(2);
  });
});
