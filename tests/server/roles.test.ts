import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { allClaims, type Claim, defaultClaims, isLimit } from '../../contract/claims.ts';
import {
  claimsByRole,
  type Role,
  roleClaimsUpdate,
  roleCreate,
  roleDelete,
  roleUpdate,
  usersInRole,
} from '../../contract/roles.ts';
import { administering, everywhere, rolesUnderTest } from './roles-under-test.ts';

const bench = rolesUnderTest();
const { post, get, listed, builtIn, made, userWithRole } = bench;

describe('a new role', () => {
  it('is created, listed by rank and name, read, and logged', async () => {
    const role = await made({
      name: '  Assistent  ',
      rank: 4,
      roleClaims: ['user.get_any', 'user.get_any', 'disable.delete_study'],
    });
    expect(role).toMatchObject({ name: 'Assistent', rank: 4, isBuiltIn: false, version: 1 });
    expect(role.claims).toEqual(['user.get_any', 'disable.delete_study']);
    const all = await listed();
    expect(all.map(({ rank }) => rank)).toEqual(all.map(({ rank }) => rank).sort((a, b) => a - b));
    expect(all).toContainEqual(role);
    expect((await get(claimsByRole.path.replace(':id', role.id))).body).toEqual(role.claims);
    const entry = await bench.database.db
      .selectFrom('access_log')
      .select(['account_id', 'detail'])
      .where('action', '=', 'role.created')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(entry).toEqual({
      account_id: bench.clinic.superId,
      detail: 'Assistent: +user.get_any +disable.delete_study',
    });
  });

  it('has a unique name of 3 to 256 characters, ignoring case', async () => {
    const { name } = await made();
    const taken = { status: 409, body: { code: 'role-name-taken', errors: [{ fieldKey: 'name' }] } };
    expect(await post(roleCreate.path, { name: name.toUpperCase(), rank: 3 })).toMatchObject(taken);
    expect(await post(roleCreate.path, { name: 'superadmin', rank: 3 })).toMatchObject(taken);
    for (const [bad, vars] of [
      ['ab', { min: 3 }],
      ['x'.repeat(257), { max: 256 }],
    ] as const)
      expect((await post(roleCreate.path, { name: bad, rank: 3 })).body.errors).toEqual([{ fieldKey: 'name', vars }]);
    expect((await post(roleCreate.path, { name: 'Annan', rank: 3, roleClaims: ['user.fly'] })).status).toBe(400);
  });

  it('is of a rank below the creator’s, or the highest if that is theirs', async () => {
    expect((await made({ rank: 0 })).rank).toBe(0);
    const { headers } = await userWithRole(2, administering);
    expect((await post(roleCreate.path, { name: 'Lika', rank: 2 }, headers)).body).toMatchObject({
      code: 'own-rank',
      errors: [{ fieldKey: 'rank', vars: { min: 3 } }],
    });
    expect((await post(roleCreate.path, { name: 'Lägre', rank: 3 }, headers)).status).toBe(200);
  });

  it('gets no right that its creator lacks, and is bound by the restrictions of its creator', async () => {
    const { headers } = await userWithRole(2, [...administering, 'disable.open']);
    const create = (...roleClaims: Claim[]) =>
      post(roleCreate.path, { name: `Ny ${randomUUID()}`, rank: 3, roleClaims }, headers);
    expect(await create('role.get', 'user.delete', 'disable.open')).toMatchObject({
      status: 403,
      body: { code: 'no-right', claims: ['user.delete'] },
    });
    expect((await create('role.get')).body).toMatchObject({ code: 'no-right', claims: ['disable.open'] });
    expect((await create('role.get', 'disable.open', 'disable.settings')).status).toBe(200);
  });
});

describe('a role', () => {
  it('gets another name and rank; the later of two changes is a conflict', async () => {
    const { id, name, version } = await made();
    const change = { id, name: `${name} 2`, rank: 7, version };
    expect((await post(roleUpdate.path, change)).body).toMatchObject({ name: `${name} 2`, rank: 7, version: 2 });
    expect(await post(roleUpdate.path, { ...change, rank: 8 })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    expect((await listed()).find((one) => one.id === id)?.rank).toBe(7);
    const claims = { id, roleClaims: ['user.get'], version };
    expect((await post(roleClaimsUpdate.path, claims)).body).toMatchObject({ code: 'conflict' });
    const other = await made();
    expect((await post(roleUpdate.path, { ...change, name: other.name, version: 2 })).body.code).toBe(
      'role-name-taken',
    );
  });

  it('accepts one of two concurrent changes', async () => {
    const { id, name, version } = await made();
    const replies = await Promise.all([5, 6, 7, 8].map((rank) => post(roleUpdate.path, { id, name, rank, version })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it('that is built in keeps its name and rank and cannot be deleted; that of administrators keeps its rights too', async () => {
    const [doctor, highest] = [await builtIn('Doctor'), await builtIn('SuperAdmin')];
    const { headers } = await userWithRole(
      0,
      allClaims.filter((claim) => !isLimit(claim)),
      null,
    );
    const rejected = { status: 409, body: { code: 'role-built-in' } };
    expect(
      await post(roleUpdate.path, { id: doctor.id, name: 'Läkare', rank: 2, version: doctor.version }),
    ).toMatchObject(rejected);
    expect(await post(roleDelete.path, { deletingRoleId: doctor.id, applyingRoleId: null })).toMatchObject(rejected);
    const emptied = { id: highest.id, roleClaims: [], version: highest.version };
    expect(await post(roleClaimsUpdate.path, emptied, headers)).toMatchObject(rejected);
    expect((await builtIn('SuperAdmin')).claims).toEqual(defaultClaims.SuperAdmin);
  });

  it('of one’s own, of one’s own rank or above cannot be changed', async () => {
    const { own, headers } = await userWithRole(2, everywhere);
    const equal = await made({ rank: 2 });
    const above = await made({ rank: 1 });
    const change = ({ id, name, rank, version }: Role) => ({ id, name, rank, version });
    expect((await post(roleUpdate.path, change(own), headers)).body.code).toBe('own-role');
    expect((await post(roleUpdate.path, change(equal), headers)).body.code).toBe('own-rank');
    expect((await post(roleUpdate.path, change(above), headers)).body.code).toBe('not-found');
    expect((await get(claimsByRole.path.replace(':id', above.id), headers)).status).toBe(404);
    expect((await get(`${usersInRole.path}?id=${above.id}`, headers)).status).toBe(404);
    expect((await post(roleClaimsUpdate.path, { id: own.id, roleClaims: [], version: 1 }, headers)).body.code).toBe(
      'own-role',
    );
    expect((await post(roleDelete.path, { deletingRoleId: equal.id, applyingRoleId: null }, headers)).body.code).toBe(
      'own-rank',
    );
    const below = await made({ rank: 3 });
    expect((await post(roleUpdate.path, { ...change(below), rank: 2 }, headers)).body.code).toBe('own-rank');
    expect((await post(roleUpdate.path, { ...change(below), rank: 9 }, headers)).status).toBe(200);
    expect((await post(roleUpdate.path, change(await builtIn('SuperAdmin')))).body.code).toBe('own-role');
  });
});

it('concurrent changes of each other’s roles are serialized without deadlock', async () => {
  const [one, two] = [await userWithRole(0, everywhere, null), await userWithRole(0, everywhere, null)];
  const change = (who: typeof one, role: Role) =>
    post(roleUpdate.path, { id: role.id, name: role.name, rank: 0, version: 1 }, who.headers);
  const statuses = await Promise.all([change(one, two.own), change(two, one.own)]);
  expect(statuses.map(({ status }) => status)).toEqual([200, 200]);
});
