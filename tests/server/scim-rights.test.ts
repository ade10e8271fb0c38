import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { defaultClaims } from '../../contract/claims.ts';
import { directoryTokenCreate, directoryTokenRevoke, directoryTokens } from '../../contract/directory.ts';
import { accountDelete, changeUserStatus } from '../../contract/users.ts';
import { signIn } from './running-server.ts';
import { type ScimUnderTest, scimUnderTest } from './scim-under-test.ts';

let test: ScimUnderTest;

beforeAll(async () => {
  test = await scimUnderTest();
});
beforeEach(() => test.db.deleteFrom('sign_in_attempt').execute());
afterAll(() => test?.close());

const errorOf = (status: number) => ({
  status,
  body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status) },
});
const patchOf = (...operations: readonly object[]) => ({ schemas: [], Operations: operations });
const inactive = patchOf({ op: 'replace', path: 'active', value: false });

/** Every call of the service, about this user and this group. */
const calls = (userId: string, groupId: string, body: object) =>
  [
    ['GET', '/ServiceProviderConfig'],
    ['GET', '/Schemas'],
    ['GET', '/Schemas/urn:ietf:params:scim:schemas:core:2.0:User'],
    ['GET', '/ResourceTypes'],
    ['GET', '/ResourceTypes/Group'],
    ['GET', '/Users'],
    ['POST', '/.search', {}],
    ['POST', '/Users/.search', {}],
    ['POST', '/Groups/.search', {}],
    ['GET', `/Users/${userId}`],
    ['POST', '/Users', body],
    ['PUT', `/Users/${userId}`, body],
    ['PATCH', `/Users/${userId}`, inactive],
    ['DELETE', `/Users/${userId}`],
    ['GET', '/Groups'],
    ['GET', `/Groups/${groupId}`],
    ['POST', '/Groups', { displayName: 'Ny' }],
    ['PUT', `/Groups/${groupId}`, { members: [] }],
    ['PATCH', `/Groups/${groupId}`, patchOf({ op: 'remove', path: 'members' })],
    ['DELETE', `/Groups/${groupId}`],
  ] as const;
/** All that a directory could change. */
const everything = async () =>
  JSON.stringify([
    await test.db.selectFrom('account').selectAll().orderBy('id').execute(),
    await test.db.selectFrom('role').selectAll().orderBy('id').execute(),
  ]);
const userOf = async (customerId: string, role: string) => {
  const [row] = await test.db
    .selectFrom('account')
    .innerJoin('role', 'role.id', 'account.role_id')
    .select('account.id')
    .where('customer_id', '=', customerId)
    .where('role.name', '=', role)
    .where('deleted_at', 'is', null)
    .execute();
  if (!row) throw new Error(`no ${role}`);
  return row.id;
};

describe('no call is answered', () => {
  const tokens: Readonly<Record<string, () => Promise<{ token: string | null; clinic?: string }>>> = {
    'without a token': async () => ({ token: null }),
    'with a made-up token': async () => ({ token: `dentarium_scim_${'x'.repeat(43)}` }),
    'with the token of a session': async () => ({ token: (await signIn(test.url, 'admin@prov.example')).access_token }),
    'with a token of another clinic': async () => ({
      token: await test.addToken({ customerId: test.clinics.otherCustomerId }, 'super'),
    }),
    'for another clinic': async () => ({ token: await test.addToken(), clinic: test.clinics.otherCustomerId }),
    'with an expired token': async () => {
      const token = await test.addToken({ name: 'Utgången' });
      const expired = { expires_at: new Date(Date.now() - 1_000) };
      await test.db.updateTable('directory_token').set(expired).where('name', '=', 'Utgången').execute();
      return { token };
    },
    'with a revoked token': async () => {
      const token = await test.addToken({ name: 'Återkallad' });
      const [row] = await test.db.selectFrom('directory_token').select('id').where('name', '=', 'Återkallad').execute();
      const body = { customerId: test.clinics.customerId, id: row?.id };
      expect((await test.callRoute(directoryTokenRevoke, 'admin', { body })).status).toBe(200);
      return { token };
    },
  };
  it.each(Object.entries(tokens))('%s', async (_, options) => {
    const { token, clinic } = await options();
    const doctor = await userOf(test.clinics.customerId, 'Doctor');
    const before = await everything();
    for (const [method, path, body] of calls(doctor, await test.groupId('Doctor'), test.aUser())) {
      const reply = await test.call(method, path, body, { token, ...(clinic && { clinic }) });
      expect(reply, `${method} ${path}`).toMatchObject(errorOf(401));
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
    expect(await everything()).toBe(before);
    await test.db.deleteFrom('directory_token').where('name', '<>', 'Entra ID').execute();
  });

  it('of a deleted clinic', async () => {
    const customerId = await test.addClinic('Nedlagd');
    const token = await test.addToken({ customerId }, 'super');
    expect((await test.call('GET', '/Users', undefined, { token, clinic: customerId })).status).toBe(200);
    await test.db.updateTable('customer').set({ deleted_at: new Date() }).where('id', '=', customerId).execute();
    expect(await test.call('GET', '/Users', undefined, { token, clinic: customerId })).toMatchObject(errorOf(401));
  });

  it('of the rest of the archive with the token of a directory', async () => {
    const token = await test.addToken({ name: 'Fel dörr' });
    const reply = await fetch(`${test.url}/api/Roles`, { headers: { authorization: `Bearer ${token}` } });
    expect(reply.status).toBe(401);
    await test.db.deleteFrom('directory_token').where('name', '=', 'Fel dörr').execute();
  });
});

describe('a directory', () => {
  it('finds no users of another clinic, nor those without a clinic', async () => {
    const superId = (
      await test.db.selectFrom('account').select('id').where('customer_id', 'is', null).executeTakeFirstOrThrow()
    ).id;
    const other = await userOf(test.clinics.otherCustomerId, 'Doctor');
    const listed = (await test.call('GET', '/Users')).body.Resources.map(({ id }: { id: string }) => id);
    const before = await everything();
    for (const id of [superId, other, randomUUID()]) {
      expect(listed).not.toContain(id);
      for (const [method, body] of [['GET'], ['PUT', test.aUser()], ['PATCH', inactive], ['DELETE']] as const)
        expect(await test.call(method, `/Users/${id}`, body), method).toMatchObject(errorOf(404));
    }
    expect(await everything()).toBe(before);
  });

  it('changes no user whose role a clinic administrator may not give, and gives no such role', async () => {
    const roleId = await test.addRole(`Regionchef ${randomUUID()}`, 0, ['user.update']);
    const wider = await test.addRole(`Vidare ${randomUUID()}`, 5, ['customer.get_byid']);
    for (const id of [roleId, wider]) {
      const own = await test.created();
      await test.db.updateTable('account').set({ role_id: id }).where('id', '=', own.id).execute();
      const before = await everything();
      for (const [method, body] of [['PUT', test.aUser()], ['PATCH', inactive], ['DELETE']] as const)
        expect(await test.call(method, `/Users/${own.id}`, body), method).toMatchObject(errorOf(403));
      const doctors = `/Groups/${await test.groupId('Doctor')}`;
      const add = { op: 'add', path: 'members', value: [{ value: own.id }] };
      expect(await test.patch(doctors, add)).toMatchObject(errorOf(403));
      const doctor = await userOf(test.clinics.customerId, 'Doctor');
      const give = { op: 'add', path: 'members', value: [{ value: doctor }] };
      expect(await test.patch(`/Groups/${id}`, give)).toMatchObject(errorOf(404));
      // The page refuses the same to a clinic administrator.
      const byPage = { body: { id: own.id, status: false } };
      expect((await test.callRoute(changeUserStatus, 'admin', byPage)).status).toBe(403);
      expect((await test.callRoute(accountDelete, 'admin', { params: { id: own.id } })).status).toBe(403);
      expect((await test.create('admin', { roles: [id] })).status).toBe(403);
      expect(await everything()).toBe(before);
    }
    const refused = await test.db
      .selectFrom('access_log')
      .select('detail')
      .where('action', '=', 'directory.refused')
      .where('detail', '=', 'Entra ID: DELETE /Users/:id 403')
      .execute();
    expect(refused).toHaveLength(2);
  });

  it('does not take the last administrator from a clinic', async () => {
    const customerId = await test.addClinic('Liten');
    const token = await test.addToken({ customerId }, 'super');
    const roles = [await test.roleId('CustomerAdmin')];
    const admin = await test.created({ customerId, roles });
    const second = await test.created({ customerId, roles });
    const call = (method: string, path: string, body?: object) =>
      test.call(method, path, body, { token, clinic: customerId });
    expect((await call('PATCH', `/Users/${second.id}`, inactive)).status).toBe(200);
    const group = `/Groups/${roles[0]}`;
    const before = await everything();
    for (const [method, path, body] of [
      ['PATCH', `/Users/${admin.id}`, inactive],
      ['PUT', `/Users/${admin.id}`, test.aUser({ active: false })],
      ['DELETE', `/Users/${admin.id}`],
      ['PATCH', group, patchOf({ op: 'remove', path: `members[value eq "${admin.id}"]` })],
      ['PUT', group, { members: [] }],
    ] as const)
      expect(await call(method, path, body), `${method} ${path}`).toMatchObject(errorOf(403));
    expect(await everything()).toBe(before);
    const active = patchOf({ op: 'replace', path: 'active', value: true });
    expect((await call('PATCH', `/Users/${second.id}`, active)).status).toBe(200);
    const both = await Promise.all([admin, second].map(({ id }) => call('DELETE', `/Users/${id}`)));
    expect(both.map(({ status }) => status).sort()).toEqual([204, 403]);
  });
});

describe('the tokens of a clinic', () => {
  const list = async (as: string) =>
    (await test.callRoute(directoryTokens, as, { params: { customerId: test.clinics.customerId } })).body.tokens;

  it('are stored as hashes, show their last use, and are logged', async () => {
    await test.db.deleteFrom('directory_token').execute();
    const token = await test.addToken({ name: 'Okta', days: 90, invitesIn: 'sv' });
    test.useToken(token);
    expect(await list('admin')).toMatchObject([{ name: 'Okta', invitesIn: 'sv', usedAt: null }]);
    await test.call('GET', '/Users');
    const [made] = await list('admin');
    expect(Date.now() - new Date(made.usedAt).getTime()).toBeLessThan(120_000);
    const days = (new Date(made.expiresAt).getTime() - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    expect(JSON.stringify(made)).not.toContain(token);
    const rows = await test.db.selectFrom('directory_token').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token.slice(-20));
    expect(await test.entriesOf(made.id)).toEqual([
      {
        action: 'directory-token.created',
        account_id: test.clinics.adminId,
        customer_id: test.clinics.customerId,
        detail: 'Okta',
      },
    ]);
    const body = { customerId: test.clinics.customerId, id: made.id };
    expect((await test.callRoute(directoryTokenRevoke, 'admin', { body })).status).toBe(200);
    expect((await test.callRoute(directoryTokenRevoke, 'admin', { body })).status).toBe(404);
    expect((await test.entriesOf(made.id)).at(-1)?.action).toBe('directory-token.revoked');
  });

  it('are at most five', async () => {
    await test.db.deleteFrom('directory_token').execute();
    for (let count = 0; count < 5; count += 1) await test.addToken();
    const body = { customerId: test.clinics.customerId, name: 'Sjätte', days: 90, invitesIn: null };
    expect(await test.callRoute(directoryTokenCreate, 'admin', { body })).toMatchObject({
      status: 400,
      body: { errors: [{ fieldKey: 'tokens', vars: { max: 5 } }] },
    });
    await test.db.deleteFrom('directory_token').execute();
  });

  it('are made only by users who could give the role of clinic administrators, for their clinic', async () => {
    const body = { customerId: test.clinics.customerId, name: 'Entra ID', days: 90, invitesIn: null };
    const claims = defaultClaims.CustomerAdmin.filter((claim) => claim !== 'user.delete');
    await test.addRole('Nästan administratör', 1, claims);
    await test.addUser('almost', 'Nästan administratör', test.clinics.customerId);
    expect(await test.callRoute(directoryTokenCreate, 'almost', { body })).toMatchObject({
      status: 403,
      body: { code: 'no-right', claims: ['user.delete'] },
    });
    await test.addRole('Under administratören', 2, defaultClaims.CustomerAdmin);
    await test.addUser('below', 'Under administratören', test.clinics.customerId);
    expect(await test.callRoute(directoryTokenCreate, 'below', { body })).toMatchObject({ body: { code: 'own-rank' } });
    const elsewhere = { ...body, customerId: test.clinics.otherCustomerId };
    expect(await test.callRoute(directoryTokenCreate, 'admin', { body: elsewhere })).toMatchObject({ status: 404 });
    expect(await test.callRoute(directoryTokenCreate, 'doctor', { body })).toMatchObject({ status: 403 });
  });
});
