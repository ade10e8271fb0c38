import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allClaims, type Claim, defaultClaims, isLimit } from '../../contract/claims.ts';
import {
  claimsByRole,
  customersByRole,
  type Role,
  roleClaimsUpdate,
  roleCreate,
  roleDelete,
  role as roleSchema,
  roles,
  roleUpdate,
  usersInRole,
} from '../../contract/roles.ts';
import { addAccount, addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { bearer, type RunningServer, runServer, signIn } from './running-server.ts';

let database: TestDatabase;
let running: RunningServer;
let clinic: Awaited<ReturnType<typeof addTwoClinics>>;
let root: Record<string, string>;

beforeAll(async () => {
  database = await testDatabase();
  clinic = await addTwoClinics(database.db);
  running = await runServer(database.database);
  root = await as('super');
});
beforeEach(() => database.db.deleteFrom('sign_in_attempt').execute());
afterAll(async () => {
  await running?.close();
  await database?.close();
});

const as = async (name: string) => bearer(await signIn(running.url, `${name}@prov.example`));
const post = async (path: string, body: object, who = root) => {
  const reply = await fetch(`${running.url}${path}`, {
    method: 'POST',
    headers: { ...who, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: await reply.json() };
};
const get = async (path: string, who = root) => {
  const reply = await fetch(`${running.url}${path}`, { headers: who });
  return { status: reply.status, body: await reply.json() };
};
const listed = async (who = root): Promise<Role[]> => (await get(roles.path, who)).body;
const builtIn = async (name: string): Promise<Role> => {
  const found = (await listed()).find((one) => one.name === name);
  if (!found) throw new Error(`no role ${name}`);
  return found;
};
const made = async (
  role: { name?: string; rank?: number; roleClaims?: readonly Claim[] } = {},
  who = root,
): Promise<Role> => {
  const reply = await post(
    roleCreate.path,
    { name: `Tandhygienist ${randomUUID()}`, rank: 3, roleClaims: ['user.get_any'], ...role },
    who,
  );
  if (reply.status !== 200) throw new Error(JSON.stringify(reply));
  return roleSchema.parse(reply.body);
};
const give = (accountId: string, roleId: string) =>
  database.db.updateTable('account').set({ role_id: roleId }).where('id', '=', accountId).execute();

/** Creates a user with a new role of these claims and this rank. */
const userWithRole = async (rank: number, claims: readonly Claim[], customerId: string | null = clinic.customerId) => {
  const name = `p${randomUUID()}`;
  const id = await addAccount(database.db, { email: `${name}@prov.example`, role: 'Doctor', customerId });
  const own = await made({ rank, roleClaims: claims });
  await give(id, own.id);
  return { id, name, own, headers: await as(name) };
};
const administering: readonly Claim[] = ['role.get', 'role.create', 'role.update', 'role.delete'];
const everywhere: readonly Claim[] = [...administering, 'customer.get_byid'];

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
    const entry = await database.db
      .selectFrom('access_log')
      .select(['account_id', 'detail'])
      .where('action', '=', 'role.created')
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(entry).toEqual({ account_id: clinic.superId, detail: 'Assistent: +user.get_any +disable.delete_study' });
  });

  it('has a unique name of 3 to 256 characters, ignoring case', async () => {
    const { name } = await made();
    const taken = { status: 409, body: { code: 'role-name-taken', errors: [{ fieldKey: 'name' }] } };
    expect(await post(roleCreate.path, { name: name.toUpperCase(), rank: 3 })).toEqual(taken);
    expect(await post(roleCreate.path, { name: 'superadmin', rank: 3 })).toEqual(taken);
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
    expect((await post(roleCreate.path, { name: 'Lika', rank: 2 }, headers)).body).toEqual({
      code: 'own-rank',
      errors: [{ fieldKey: 'rank', vars: { min: 3 } }],
    });
    expect((await post(roleCreate.path, { name: 'Lägre', rank: 3 }, headers)).status).toBe(200);
  });

  it('gets no right that its creator lacks, and is bound by the restrictions of its creator', async () => {
    const { headers } = await userWithRole(2, [...administering, 'disable.open']);
    const create = (...roleClaims: Claim[]) =>
      post(roleCreate.path, { name: `Ny ${randomUUID()}`, rank: 3, roleClaims }, headers);
    expect(await create('role.get', 'user.delete', 'disable.open')).toEqual({
      status: 403,
      body: { code: 'no-right', claims: ['user.delete'] },
    });
    expect((await create('role.get')).body).toEqual({ code: 'no-right', claims: ['disable.open'] });
    expect((await create('role.get', 'disable.open', 'disable.settings')).status).toBe(200);
  });
});

describe('a role', () => {
  it('gets another name and rank; the later of two changes is a conflict', async () => {
    const { id, name, version } = await made();
    const change = { id, name: `${name} 2`, rank: 7, version };
    expect((await post(roleUpdate.path, change)).body).toMatchObject({ name: `${name} 2`, rank: 7, version: 2 });
    expect(await post(roleUpdate.path, { ...change, rank: 8 })).toEqual({ status: 409, body: { code: 'conflict' } });
    expect((await listed()).find((one) => one.id === id)?.rank).toBe(7);
    const claims = { id, roleClaims: ['user.get'], version };
    expect((await post(roleClaimsUpdate.path, claims)).body).toEqual({ code: 'conflict' });
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
    expect(await post(roleUpdate.path, { id: doctor.id, name: 'Läkare', rank: 2, version: doctor.version })).toEqual(
      rejected,
    );
    expect(await post(roleDelete.path, { deletingRoleId: doctor.id, applyingRoleId: null })).toEqual(rejected);
    const emptied = { id: highest.id, roleClaims: [], version: highest.version };
    expect(await post(roleClaimsUpdate.path, emptied, headers)).toEqual(rejected);
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

describe('the rights of a role', () => {
  it('apply at once: its users must sign in again, and then have them', async () => {
    const { own, name, headers } = await userWithRole(3, ['user.get_any']);
    expect((await get(roles.path, headers)).body).toEqual({ code: 'no-right', claims: ['role.get'] });
    const changed = await post(roleClaimsUpdate.path, {
      id: own.id,
      roleClaims: ['user.get_any', 'role.get'],
      version: 1,
    });
    expect(changed.body).toMatchObject({ version: 2, claims: ['user.get_any', 'role.get'] });
    expect((await get(roles.path, headers)).status).toBe(401);
    expect((await get(roles.path, await as(name))).status).toBe(200);
    const { detail } = await database.db
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
    expect((await set(1, 'user.get', 'user.delete')).body).toEqual({ code: 'no-right', claims: ['disable.open'] });
    expect((await set(1, 'user.get', 'disable.open', 'role.get')).status).toBe(200);
    expect((await set(2, 'user.get', 'user.delete', 'disable.open')).body.claims).toEqual(['user.delete']);
  });

  it('with users in other clinics can be changed only with access to other clinics', async () => {
    const { headers } = await userWithRole(2, administering);
    const role = await made({ rank: 3 });
    await give(clinic.otherDoctorId, role.id);
    const rejected = { status: 403, body: { code: 'no-right', claims: ['customer.get_byid'] } };
    expect(await post(roleClaimsUpdate.path, { id: role.id, roleClaims: [], version: 1 }, headers)).toEqual(rejected);
    expect(await post(roleUpdate.path, { id: role.id, name: role.name, rank: 4, version: 1 }, headers)).toEqual(
      rejected,
    );
    expect(await post(roleDelete.path, { deletingRoleId: role.id, applyingRoleId: null }, headers)).toEqual(rejected);
    await give(clinic.otherDoctorId, (await builtIn('Doctor')).id);
    expect((await post(roleClaimsUpdate.path, { id: role.id, roleClaims: [], version: 1 }, headers)).status).toBe(200);
  });
});

describe('the users of a role', () => {
  it('are counted and listed with their clinics; without customer.get_byid only those of the own clinic', async () => {
    const role = await made();
    const [ownClinic, other, gone] = await Promise.all(
      [clinic.customerId, clinic.otherCustomerId, clinic.customerId].map((customerId) =>
        addAccount(database.db, { email: `${randomUUID()}@prov.example`, role: 'Doctor', customerId }),
      ),
    );
    for (const id of [ownClinic, other, gone]) await give(String(id), role.id);
    await database.db.updateTable('account').set({ deleted_at: new Date() }).where('id', '=', String(gone)).execute();
    const query = `?id=${role.id}`;
    expect((await get(`${usersInRole.path}${query}&CountOnly=true`)).body).toEqual({ count: 2, data: [] });
    const users = (await get(`${usersInRole.path}${query}`)).body;
    expect(users.data.map(({ id }: { id: string }) => id).sort()).toEqual([ownClinic, other].sort());
    expect(users.data[0].name).toBe('Anna Prov');
    expect((await get(`${customersByRole.path}${query}`)).body).toEqual({
      count: 2,
      data: [
        { id: clinic.otherCustomerId, name: 'Andra kliniken' },
        { id: clinic.customerId, name: 'Provkliniken' },
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
    expect(await remove(null)).toEqual({ status: 409, body: { code: 'role-in-use' } });
    expect((await remove(own.id)).body.errors).toEqual([{ fieldKey: 'applyingRoleId' }]);
    expect((await remove(randomUUID())).status).toBe(404);
    expect((await remove((await builtIn('SuperAdmin')).id)).body.errors).toEqual([{ fieldKey: 'applyingRoleId' }]);
    expect((await get(roles.path, headers)).status).toBe(200);
    expect(await remove(next.id)).toEqual({ status: 200, body: {} });
    expect((await get(roles.path, headers)).status).toBe(401);
    expect(await remove(next.id)).toMatchObject({ status: 404 });
    const row = await database.db.selectFrom('account').select('role_id').where('id', '=', id).executeTakeFirst();
    expect(row?.role_id).toBe(next.id);
    const { detail } = await database.db
      .selectFrom('access_log')
      .select('detail')
      .where('action', '=', 'role.deleted')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(detail).toBe(`${own.name} → ${next.name}`);
  });

  it('needs none if all its users are deleted', async () => {
    const { id, own } = await userWithRole(3, []);
    await database.db.updateTable('account').set({ deleted_at: new Date() }).where('id', '=', id).execute();
    expect((await post(roleDelete.path, { deletingRoleId: own.id, applyingRoleId: null })).status).toBe(200);
  });

  it('gives its users no right by the replacement that the caller lacks', async () => {
    const { headers } = await userWithRole(2, everywhere);
    const { own } = await userWithRole(3, ['user.get']);
    const remove = (applyingRoleId: string) =>
      post(roleDelete.path, { deletingRoleId: own.id, applyingRoleId }, headers);
    const more = await made({ rank: 3, roleClaims: ['user.get', 'user.delete'] });
    expect((await remove(more.id)).body).toEqual({ code: 'no-right', claims: ['user.delete'] });
    expect((await remove((await made({ rank: 1 })).id)).status).toBe(404);
    expect((await remove((await made({ rank: 3, roleClaims: ['user.get', 'role.get'] })).id)).status).toBe(200);
  });

  it('is deleted once by concurrent requests, and never while being assigned', async () => {
    const [role, next] = [await made(), await made()];
    const remove = () => post(roleDelete.path, { deletingRoleId: role.id, applyingRoleId: next.id });
    const [giving, ...replies] = await Promise.all([
      give(clinic.otherDoctorId, role.id).then(
        () => 'given',
        () => 'refused',
      ),
      ...[1, 2, 3, 4].map(remove),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    const row = await database.db
      .selectFrom('account')
      .select('role_id')
      .where('id', '=', clinic.otherDoctorId)
      .executeTakeFirst();
    expect(row?.role_id === next.id).toBe(giving === 'given');
  });
});

it('concurrent changes of each other’s roles are serialized without deadlock', async () => {
  const [one, two] = [await userWithRole(0, everywhere, null), await userWithRole(0, everywhere, null)];
  const change = (who: typeof one, role: Role) =>
    post(roleUpdate.path, { id: role.id, name: role.name, rank: 0, version: 1 }, who.headers);
  const statuses = await Promise.all([change(one, two.own), change(two, one.own)]);
  expect(statuses.map(({ status }) => status)).toEqual([200, 200]);
});
