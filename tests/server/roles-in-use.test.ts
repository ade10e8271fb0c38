import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Claim } from '../../contract/claims.ts';
import { customersByRole, roleClaimsUpdate, roleDelete, roles, roleUpdate, usersInRole } from '../../contract/roles.ts';
import { addAccount } from './clinic.ts';
import { administering, everywhere, rolesUnderTest } from './roles-under-test.ts';

const bench = rolesUnderTest();
const { as, post, get, builtIn, made, give, userWithRole } = bench;

describe('the rights of a role', () => {
  it('apply at once: its users must sign in again, and then have them', async () => {
    const { own, name, headers } = await userWithRole(3, ['user.get_any']);
    expect((await get(roles.path, headers)).body).toMatchObject({ code: 'no-right', claims: ['role.get'] });
    const changed = await post(roleClaimsUpdate.path, {
      id: own.id,
      roleClaims: ['user.get_any', 'role.get'],
      version: 1,
    });
    expect(changed.body).toMatchObject({ version: 2, claims: ['user.get_any', 'role.get'] });
    expect((await get(roles.path, headers)).status).toBe(401);
    expect((await get(roles.path, await as(name))).status).toBe(200);
    const { detail } = await bench.database.db
      .selectFrom('access_log')
      .select('detail')
      .where('action', '=', 'role.rights-changed')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(detail).toBe(`${own.name}: +role.get`);
  });

  it('that are the same as before end no session', async () => {
    const { own, headers } = await userWithRole(3, ['role.get']);
    const same = await post(roleClaimsUpdate.path, { id: own.id, roleClaims: ['role.get'], version: 1 });
    expect(same.body).toEqual(own);
    expect((await get(roles.path, headers)).status).toBe(200);
  });

  it('may be removed or kept by a caller who lacks them, but not added', async () => {
    const { headers } = await userWithRole(2, [...everywhere, 'disable.open']);
    const role = await made({ rank: 3, roleClaims: ['user.get', 'user.delete', 'disable.open'] });
    const set = (version: number, ...roleClaims: Claim[]) =>
      post(roleClaimsUpdate.path, { id: role.id, roleClaims, version }, headers);
    expect((await set(1, 'user.get', 'user.delete')).body).toMatchObject({
      code: 'no-right',
      claims: ['disable.open'],
    });
    expect((await set(1, 'user.get', 'disable.open', 'role.get')).status).toBe(200);
    expect((await set(2, 'user.get', 'user.delete', 'disable.open')).body.claims).toEqual(['user.delete']);
  });

  it('with users in other clinics can be changed only with access to other clinics', async () => {
    const { headers } = await userWithRole(2, administering);
    const role = await made({ rank: 3 });
    await give(bench.clinic.otherDoctorId, role.id);
    const rejected = { status: 403, body: { code: 'no-right', claims: ['customer.get_byid'] } };
    expect(await post(roleClaimsUpdate.path, { id: role.id, roleClaims: [], version: 1 }, headers)).toMatchObject(
      rejected,
    );
    expect(await post(roleUpdate.path, { id: role.id, name: role.name, rank: 4, version: 1 }, headers)).toMatchObject(
      rejected,
    );
    expect(await post(roleDelete.path, { deletingRoleId: role.id, applyingRoleId: null }, headers)).toMatchObject(
      rejected,
    );
    await give(bench.clinic.otherDoctorId, (await builtIn('Doctor')).id);
    expect((await post(roleClaimsUpdate.path, { id: role.id, roleClaims: [], version: 1 }, headers)).status).toBe(200);
  });
});

describe('the users of a role', () => {
  it('are counted and listed with their clinics; without customer.get_byid only those of the own clinic', async () => {
    const role = await made();
    const [ownClinic, other, gone] = await Promise.all(
      [bench.clinic.customerId, bench.clinic.otherCustomerId, bench.clinic.customerId].map((customerId) =>
        addAccount(bench.database.db, { email: `${randomUUID()}@prov.example`, role: 'Doctor', customerId }),
      ),
    );
    for (const id of [ownClinic, other, gone]) await give(String(id), role.id);
    await bench.database.db
      .updateTable('account')
      .set({ deleted_at: new Date() })
      .where('id', '=', String(gone))
      .execute();
    const query = `?id=${role.id}`;
    expect((await get(`${usersInRole.path}${query}&CountOnly=true`)).body).toEqual({ count: 2, data: [] });
    const users = (await get(`${usersInRole.path}${query}`)).body;
    expect(users.data.map(({ id }: { id: string }) => id).sort()).toEqual([ownClinic, other].sort());
    expect(users.data[0].name).toBe('Anna Prov');
    expect((await get(`${customersByRole.path}${query}`)).body).toEqual({
      count: 2,
      data: [
        { id: bench.clinic.otherCustomerId, name: 'Andra kliniken' },
        { id: bench.clinic.customerId, name: 'Provkliniken' },
      ],
    });
    const admin = await as('admin');
    expect((await get(`${usersInRole.path}${query}`, admin)).body).toEqual({
      count: 1,
      data: [{ id: ownClinic, name: 'Anna Prov' }],
    });
    expect((await get(`${customersByRole.path}${query}&CountOnly=true`, admin)).body).toEqual({ count: 1, data: [] });
  });
});

describe('a deleted role', () => {
  it('needs a replacement while it has users, and signs them out with the other role', async () => {
    const { id, own, headers } = await userWithRole(3, ['role.get']);
    const next = await made();
    const remove = (applyingRoleId: string | null) => post(roleDelete.path, { deletingRoleId: own.id, applyingRoleId });
    expect(await remove(null)).toMatchObject({ status: 409, body: { code: 'role-in-use' } });
    expect((await remove(own.id)).body.errors).toEqual([{ fieldKey: 'applyingRoleId' }]);
    expect((await remove(randomUUID())).status).toBe(404);
    expect((await remove((await builtIn('SuperAdmin')).id)).body.errors).toEqual([{ fieldKey: 'applyingRoleId' }]);
    expect((await get(roles.path, headers)).status).toBe(200);
    expect(await remove(next.id)).toEqual({ status: 200, body: {} });
    expect((await get(roles.path, headers)).status).toBe(401);
    expect(await remove(next.id)).toMatchObject({ status: 404 });
    const row = await bench.database.db.selectFrom('account').select('role_id').where('id', '=', id).executeTakeFirst();
    expect(row?.role_id).toBe(next.id);
    const { detail } = await bench.database.db
      .selectFrom('access_log')
      .select('detail')
      .where('action', '=', 'role.deleted')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(detail).toBe(`${own.name} → ${next.name}`);
  });

  it('needs none if all its users are deleted', async () => {
    const { id, own } = await userWithRole(3, []);
    await bench.database.db.updateTable('account').set({ deleted_at: new Date() }).where('id', '=', id).execute();
    expect((await post(roleDelete.path, { deletingRoleId: own.id, applyingRoleId: null })).status).toBe(200);
  });

  it('gives its users no right by the replacement that the caller lacks', async () => {
    const { headers } = await userWithRole(2, everywhere);
    const { own } = await userWithRole(3, ['user.get']);
    const remove = (applyingRoleId: string) =>
      post(roleDelete.path, { deletingRoleId: own.id, applyingRoleId }, headers);
    const more = await made({ rank: 3, roleClaims: ['user.get', 'user.delete'] });
    expect((await remove(more.id)).body).toMatchObject({ code: 'no-right', claims: ['user.delete'] });
    expect((await remove((await made({ rank: 1 })).id)).status).toBe(404);
    expect((await remove((await made({ rank: 3, roleClaims: ['user.get', 'role.get'] })).id)).status).toBe(200);
  });

  it('is deleted once by concurrent requests, and never while being assigned', async () => {
    const [role, next] = [await made(), await made()];
    const remove = () => post(roleDelete.path, { deletingRoleId: role.id, applyingRoleId: next.id });
    const [giving, ...replies] = await Promise.all([
      give(bench.clinic.otherDoctorId, role.id).then(
        () => 'given',
        () => 'refused',
      ),
      ...[1, 2, 3, 4].map(remove),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    const row = await bench.database.db
      .selectFrom('account')
      .select('role_id')
      .where('id', '=', bench.clinic.otherDoctorId)
      .executeTakeFirst();
    expect(row?.role_id === next.id).toBe(giving === 'given');
  });
});
