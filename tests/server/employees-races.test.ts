import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { roleClaimsUpdate } from '../../contract/roles.ts';
import { accountCreate, accountDelete, accountUpdate, changeUserStatus, setPassword } from '../../contract/users.ts';
import { password } from './clinic.ts';
import { type Answer, type EmployeesUnderTest, employeesUnderTest } from './employees-under-test.ts';

let test: EmployeesUnderTest;

beforeAll(async () => {
  test = await employeesUnderTest();
});
afterAll(() => test?.close());

const statuses = async (calls: readonly Promise<Answer>[]) =>
  (await Promise.all(calls)).map(({ status }) => status).sort();
const codes = async (calls: readonly Promise<Answer>[]) =>
  (await Promise.all(calls)).map(({ status, body }) => (status === 200 ? 'done' : body.code)).sort();

const activeSuperAdministrators = () =>
  test.db
    .selectFrom('account')
    .select('id')
    .where('customer_id', 'is', null)
    .where('is_active', '=', true)
    .where('deleted_at', 'is', null)
    .execute();

describe('of calls at the same moment', () => {
  it('with one e-mail address one adds somebody', async () => {
    const fields = await test.fields({ email: `${randomUUID()}@prov.example` });
    const calls = ['super', 'admin', 'super', 'admin'].map((as, index) => {
      const email = index % 2 === 0 ? fields.email : fields.email.toUpperCase();
      return test.ask(accountCreate, as, { body: { ...fields, email, password } });
    });
    expect(await codes(calls)).toEqual(['done', 'email-taken', 'email-taken', 'email-taken']);
  });

  it('edits of one person are made once, and told to the others', async () => {
    const own = await test.created();
    const calls = ['A1', 'B2', 'C3', 'D4', 'E5'].map((lastName) =>
      test.ask(accountUpdate, 'admin', { body: test.edit(own, { lastName }) }),
    );
    expect(await codes(calls)).toEqual(['conflict', 'conflict', 'conflict', 'conflict', 'done']);
  });

  it('different ones of the same person settle in some order, and none fails for the others', async () => {
    const own = await test.created();
    const calls = Array.from({ length: 4 }, (_, index) => [
      test.ask(changeUserStatus, 'admin', { body: { id: own.id, status: index % 2 === 0 } }),
      test.ask(setPassword, 'super', { body: { id: own.id, password } }),
    ]).flat();
    expect(await statuses(calls)).toEqual(Array(8).fill(200));
    expect(await codes([1, 2, 3].map(() => test.ask(accountDelete, 'admin', { params: { id: own.id } })))).toEqual([
      ...['done', 'user-not-found', 'user-not-found'],
    ]);
  });

  it('a person is not given a role whose rights grow meanwhile beyond the giver’s', async () => {
    for (let round = 0; round < 5; round++) {
      const roleId = await test.addRole(`Växande ${round}`, 3, ['user.get']);
      const [grown, given] = await Promise.all([
        test.ask(roleClaimsUpdate, 'super', {
          body: { id: roleId, roleClaims: ['user.get', 'customer.get_byid'], version: 1 },
        }),
        test.create('admin', { roles: [roleId] }),
      ]);
      expect(grown.status, JSON.stringify(grown.body)).toBe(200);
      // Before the role grew, or not at all.
      if (given.status !== 200) expect(given.body).toEqual({ code: 'no-right', claims: ['customer.get_byid'] });
    }
  });

  it('changes of roles and of those who hold them do not wait for each other for ever', async () => {
    const roleId = await test.addRole('Provad', 3, ['user.get']);
    const people = await Promise.all(Array.from({ length: 4 }, () => test.created({ roles: [roleId] })));
    const calls = [
      ...people.map((own) => test.ask(setPassword, 'super', { body: { id: own.id, password } })),
      test.ask(roleClaimsUpdate, 'super', { body: { id: roleId, roleClaims: [], version: 1 } }),
      ...people.map(({ id }) => test.ask(changeUserStatus, 'admin', { body: { id, status: false } })),
    ];
    expect(await statuses(calls)).toEqual(Array(9).fill(200));
  });
});

describe('the last super administrator', () => {
  it('stays, when somebody else than a super administrator would take them away', async () => {
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
    await test.addPerson('landlord', roleName, test.clinics.customerId);
    const refused = { status: 409, body: { code: 'last-super-administrator' } };
    const { superId: id } = test.clinics;
    expect(await test.ask(changeUserStatus, 'landlord', { body: { id, status: false } })).toEqual(refused);
    expect(await test.ask(accountDelete, 'landlord', { params: { id } })).toEqual(refused);
    expect(await activeSuperAdministrators()).toHaveLength(1);
    await test.db
      .updateTable('role')
      .set({
        claims: ['customer.get_byid', 'user.get_sa', 'user.change_status', 'user.delete', 'user.create', 'user.get'],
      })
      .where('name', '=', 'SuperAdmin')
      .execute();
  });

  it.each(['deactivate', 'delete'])('stays, when two %s each other at the same moment', async (deed) => {
    for (let round = 0; round < 5; round++) {
      const who = `twin-${deed}-${round}`;
      const other = await test.addPerson(who, 'SuperAdmin', null);
      const { superId } = test.clinics;
      const take = (as: string, id: string) =>
        deed === 'delete'
          ? test.ask(accountDelete, as, { params: { id } })
          : test.ask(changeUserStatus, as, { body: { id, status: false } });
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

  it('who is inactive already may be deleted', async () => {
    const id = await test.addPerson('idle', 'SuperAdmin', null);
    await test.ask(changeUserStatus, 'super', { body: { id, status: false } });
    expect((await test.ask(accountDelete, 'super', { params: { id } })).status).toBe(200);
  });
});
