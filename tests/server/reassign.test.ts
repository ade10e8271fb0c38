import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountInfo } from '../../contract/account.ts';
import { customerDelete, reassignUser } from '../../contract/customers.ts';
import { customerUsers } from '../../contract/users.ts';
import { type AdministrationBench, administrationBench } from './administration-bench.ts';
import { addClinic } from './clinic.ts';

let bench: AdministrationBench;
let name: string;
let userId: string;

beforeAll(async () => {
  bench = await administrationBench();
});
afterAll(() => bench?.close());
beforeEach(async () => {
  name = `mover-${randomUUID().slice(0, 8)}`;
  userId = await bench.add(name, 'Doctor', bench.clinics.customerId);
});

const move = (who: string, newCustomerId = bench.clinics.otherCustomerId, id = userId) =>
  bench.call(reassignUser, who, { body: { userId: id, newCustomerId } });
const idsIn = async (customerId: string): Promise<string[]> =>
  (await bench.call(customerUsers, 'super', { params: { customerId }, query: { ppage: 500 } })).body.data.map(
    (user: { id: string }) => user.id,
  );
const stored = () =>
  bench.db
    .selectFrom('account')
    .select(['customer_id', 'version', 'security_stamp'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();

describe('moving a user to another clinic', () => {
  it('removes them from the old list at once, and ends their sessions', async () => {
    expect((await bench.call(accountInfo, name)).status).toBe(200);
    const before = await stored();
    expect(await move('super')).toEqual({ status: 200, body: {} });
    expect(await idsIn(bench.clinics.customerId)).not.toContain(userId);
    expect(await idsIn(bench.clinics.otherCustomerId)).toContain(userId);
    expect((await bench.call(accountInfo, name)).status).toBe(401);
    const after = await stored();
    expect(after).toMatchObject({ customer_id: bench.clinics.otherCustomerId, version: before.version + 1 });
    expect(after.security_stamp).not.toBe(before.security_stamp);
  });

  it('is logged in both clinics', async () => {
    await move('super');
    const moved = (await bench.logged()).filter((row) => row.action === 'user.moved' && row.object_id === userId);
    expect(moved.map((row) => row.customer_id)).toEqual([bench.clinics.customerId, bench.clinics.otherCustomerId]);
  });

  it('to their own clinic changes nothing', async () => {
    const before = await stored();
    expect((await move('super', bench.clinics.customerId)).status).toBe(200);
    expect(await stored()).toEqual(before);
  });

  it('requires its right', async () => {
    expect(await move('admin')).toMatchObject({
      status: 403,
      body: { code: 'no-right', claims: ['user.reassign_customer'] },
    });
  });

  it('by a user of one clinic cannot involve users or clinics of another', async () => {
    const role = randomUUID();
    await bench.db
      .insertInto('role')
      .values({
        id: role,
        name: `Flyttare ${role}`,
        rank: 1,
        claims: ['user.reassign_customer', 'customer.get_itself', 'user.get_any', 'user.get_info'],
      })
      .execute();
    const mover = `clerk-${role.slice(0, 8)}`;
    const id = await bench.add(mover, 'Doctor', bench.clinics.customerId);
    await bench.db.updateTable('account').set({ role_id: role }).where('id', '=', id).execute();
    expect((await move(mover)).body).toMatchObject({ code: 'not-found' });
    expect((await move(mover, bench.clinics.customerId, bench.clinics.otherDoctorId)).body).toMatchObject({
      code: 'user-not-found',
    });
    expect((await move(mover, bench.clinics.customerId, bench.clinics.superId)).body).toMatchObject({
      code: 'user-not-found',
    });
    expect((await stored()).customer_id).toBe(bench.clinics.customerId);
  });

  it('is rejected for super administrators, for oneself, and into a missing clinic', async () => {
    expect((await move('super', bench.clinics.customerId, bench.clinics.superId)).body).toMatchObject({
      code: 'cannot-move-user',
    });
    await bench.add('boss', 'SuperAdmin', bench.clinics.customerId);
    const boss = await bench.db
      .selectFrom('account')
      .select('id')
      .where('email', '=', 'boss@prov.example')
      .executeTakeFirstOrThrow();
    expect((await move('boss', bench.clinics.otherCustomerId, boss.id)).body).toMatchObject({ code: 'own-account' });
    expect((await move('super', randomUUID())).body).toMatchObject({ code: 'not-found' });
    const closed = await addClinic(bench.db, 'Stängd');
    await bench.call(customerDelete, 'super', { params: { id: closed }, body: { version: 1 } });
    expect((await move('super', closed)).body).toMatchObject({ code: 'not-found' });
    expect((await move('super', bench.clinics.customerId, randomUUID())).body).toMatchObject({
      code: 'user-not-found',
    });
  });

  it('during the deletion of the target clinic succeeds or is rejected, and never loses the user', async () => {
    for (let run = 0; run < 5; run++) {
      const target = await addClinic(bench.db, `Runda ${run}`);
      const id = await bench.add(`racer-${run}`, 'Doctor', bench.clinics.customerId);
      const [moved, deleted] = await Promise.all([
        move('super', target, id),
        bench.call(customerDelete, 'super', { params: { id: target }, body: { version: 1 } }),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 404]).toContain(moved.status);
      const { customer_id } = await bench.db
        .selectFrom('account')
        .select('customer_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(customer_id).toBe(moved.status === 200 ? target : bench.clinics.customerId);
    }
  });
});
