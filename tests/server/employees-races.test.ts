import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roleClaimsUpdate } from '../../contract/roles.ts';
import { accountCreate, accountDelete, accountUpdate, changeUserStatus, setPassword } from '../../contract/users.ts';
import { password } from './clinic.ts';
import { type EmployeesUnderTest, employeesUnderTest, type JsonReply } from './employees-under-test.ts';

let test: EmployeesUnderTest;

beforeAll(async () => {
  test = await employeesUnderTest();
});
afterAll(() => test?.close());

const statuses = async (calls: readonly Promise<JsonReply>[]) =>
  (await Promise.all(calls)).map(({ status }) => status).sort();
const codes = async (calls: readonly Promise<JsonReply>[]) =>
  (await Promise.all(calls)).map(({ status, body }) => (status === 200 ? 'done' : body.code)).sort();

const activeSuperAdministrators = () =>
  test.db
    .selectFrom('account')
    .select('id')
    .where('customer_id', 'is', null)
    .where('is_active', '=', true)
    .where('deleted_at', 'is', null)
    .execute();

describe('of concurrent requests', () => {
  it('one succeeds in adding a user with the same e-mail address', async () => {
    const fields = await test.fields({ email: `${randomUUID()}@prov.example` });
    const calls = ['super', 'admin', 'super', 'admin'].map((as, index) => {
      const email = index % 2 === 0 ? fields.email : fields.email.toUpperCase();
      return test.callRoute(accountCreate, as, { body: { ...fields, email, password } });
    });
    expect(await codes(calls)).toEqual(['done', 'email-taken', 'email-taken', 'email-taken']);
  });

  it('one edit of a user succeeds, and the others are reported as conflicts', async () => {
    const own = await test.created();
    const calls = ['A1', 'B2', 'C3', 'D4', 'E5'].map((lastName) =>
      test.callRoute(accountUpdate, 'admin', { body: test.edit(own, { lastName }) }),
    );
    expect(await codes(calls)).toEqual(['conflict', 'conflict', 'conflict', 'conflict', 'done']);
  });

  it('different changes of one user are serialized without errors', async () => {
    const own = await test.created();
    const calls = Array.from({ length: 4 }, (_, index) => [
      test.callRoute(changeUserStatus, 'admin', { body: { id: own.id, status: index % 2 === 0 } }),
      test.callRoute(setPassword, 'super', { body: { id: own.id, password } }),
    ]).flat();
    expect(await statuses(calls)).toEqual(Array(8).fill(200));
    expect(
      await codes([1, 2, 3].map(() => test.callRoute(accountDelete, 'admin', { params: { id: own.id } }))),
    ).toEqual(['done', 'user-not-found', 'user-not-found']);
  });

  it('none assigns a role whose rights grow beyond the caller’s meanwhile', async () => {
    for (let run = 0; run < 5; run++) {
      const roleId = await test.addRole(`Växande ${run}`, 3, ['user.get']);
      const [grown, given] = await Promise.all([
        test.callRoute(roleClaimsUpdate, 'super', {
          body: { id: roleId, roleClaims: ['user.get', 'customer.get_byid'], version: 1 },
        }),
        test.create('admin', { roles: [roleId] }),
      ]);
      expect(grown.status, JSON.stringify(grown.body)).toBe(200);
      // Before the role was changed, or not at all.
      if (given.status !== 200) expect(given.body).toMatchObject({ code: 'no-right', claims: ['customer.get_byid'] });
    }
  });

  it('changes of roles and of their users do not deadlock', async () => {
    const roleId = await test.addRole('Provad', 3, ['user.get']);
    const created = await Promise.all(Array.from({ length: 4 }, () => test.created({ roles: [roleId] })));
    const calls = [
      ...created.map((own) => test.callRoute(setPassword, 'super', { body: { id: own.id, password } })),
      test.callRoute(roleClaimsUpdate, 'super', { body: { id: roleId, roleClaims: [], version: 1 } }),
      ...created.map(({ id }) => test.callRoute(changeUserStatus, 'admin', { body: { id, status: false } })),
    ];
    expect(await statuses(calls)).toEqual(Array(9).fill(200));
  });
});

describe('the last super administrator', () => {
  it('cannot be removed by a user who is no super administrator', async () => {
    const roleName = 'Husets';
    await test.addRole(roleName, 0, [
      ...([
        'customer.get_byid',
        'user.get',
        'user.get_sa',
        'user.update',
        'user.delete',
        'user.change_status',
      ] as const),
    ]);
    await test.db
      .updateTable('role')
      .set({ claims: ['user.get_sa'] })
      .where('name', '=', 'SuperAdmin')
      .execute();
    await test.addUser('landlord', roleName, test.clinics.customerId);
    const rejected = { status: 409, body: { code: 'last-super-administrator' } };
    const { superId: id } = test.clinics;
    expect(await test.callRoute(changeUserStatus, 'landlord', { body: { id, status: false } })).toMatchObject(rejected);
    expect(await test.callRoute(accountDelete, 'landlord', { params: { id } })).toMatchObject(rejected);
    expect(await activeSuperAdministrators()).toHaveLength(1);
    await test.db
      .updateTable('role')
      .set({
        claims: ['customer.get_byid', 'user.get_sa', 'user.change_status', 'user.delete', 'user.create', 'user.get'],
      })
      .where('name', '=', 'SuperAdmin')
      .execute();
  });

  it.each(['deactivate', 'delete'])('stays, when two %s each other at the same moment', async (action) => {
    for (let run = 0; run < 5; run++) {
      const who = `twin-${action}-${run}`;
      const other = await test.addUser(who, 'SuperAdmin', null);
      const { superId } = test.clinics;
      const take = (as: string, id: string) =>
        action === 'delete'
          ? test.callRoute(accountDelete, as, { params: { id } })
          : test.callRoute(changeUserStatus, as, { body: { id, status: false } });
      const answers = await Promise.all([take('super', other), take(who, superId)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const left = await activeSuperAdministrators();
      expect(left).toHaveLength(1);
      await test.db
        .updateTable('account')
        .set({ is_active: true, deleted_at: null })
        .where('id', '=', superId)
        .execute();
      await test.db.updateTable('account').set({ deleted_at: new Date() }).where('id', '=', other).execute();
      await test.enter('super');
    }
  });

  it('may be deleted when already inactive', async () => {
    const id = await test.addUser('idle', 'SuperAdmin', null);
    await test.callRoute(changeUserStatus, 'super', { body: { id, status: false } });
    expect((await test.callRoute(accountDelete, 'super', { params: { id } })).status).toBe(200);
  });
});
