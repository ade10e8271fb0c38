import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPassword } from '../../contract/users.ts';
import { password } from './clinic.ts';
import { signIn } from './running-server.ts';
import { type ScimUnderTest, scimUnderTest } from './scim-under-test.ts';

let test: ScimUnderTest;

beforeAll(async () => {
  test = await scimUnderTest();
});
beforeEach(() => test.db.deleteFrom('sign_in_attempt').execute());
afterAll(() => test?.close());

const errorOf = (status: number, scimType?: string) => ({
  status,
  body: { status: String(status), ...(scimType && { scimType }) },
});
const roleOf = async (id: string) => (await test.listed(id))?.role.name;
const membersOf = async (groupId: string): Promise<string[]> =>
  (await test.call('GET', `/Groups/${groupId}`)).body.members.map(({ value }: { value: string }) => value);

/** A role for hygienists, with its group. */
const aGroup = async () => {
  const name = `Hygienist ${randomUUID()}`;
  return { name, id: await test.addRole(name, 3, ['customer.get_itself']) };
};

describe('the groups of a directory', () => {
  it('are the roles that a clinic administrator may give', async () => {
    await test.addRole('Över administratören', 0, []);
    await test.addRole('Med fler rättigheter', 5, ['customer.get_byid']);
    const { id, name } = await aGroup();
    const { body } = await test.call('GET', '/Groups');
    const names = body.Resources.map(({ displayName }: { displayName: string }) => displayName);
    expect(names).toEqual(expect.arrayContaining(['CustomerAdmin', 'Doctor', name]));
    for (const hidden of ['SuperAdmin', 'Över administratören', 'Med fler rättigheter']) {
      expect(names).not.toContain(hidden);
      expect(await test.call('GET', `/Groups/${await test.groupId(hidden)}`)).toMatchObject(errorOf(404));
    }
    const found = await test.call(
      'GET',
      `/Groups?excludedAttributes=members&filter=displayName eq "${name.toLowerCase()}"`,
    );
    expect(found.body.Resources).toEqual([
      expect.objectContaining({ id, displayName: name, meta: expect.objectContaining({ resourceType: 'Group' }) }),
    ]);
    expect(found.body.Resources[0].members).toBeUndefined();
  });

  it('have the users of the clinic as members, and of no other', async () => {
    const own = await test.createdUser();
    const members = await membersOf(await test.groupId('Doctor'));
    expect(members).toContain(own.id);
    const others = await test.db
      .selectFrom('account')
      .select('id')
      .where('customer_id', '=', test.clinics.otherCustomerId)
      .execute();
    expect(members.filter((id) => others.some((one) => one.id === id))).toEqual([]);
    const found = await test.call('GET', `/Groups?filter=members[value eq "${own.id}"]`);
    expect(found.body.Resources.map(({ displayName }: { displayName: string }) => displayName)).toEqual(['Doctor']);
  });

  it('are neither made, renamed nor deleted by a directory', async () => {
    const { id, name } = await aGroup();
    expect(await test.call('POST', '/Groups', { displayName: name })).toMatchObject(errorOf(409, 'uniqueness'));
    expect(await test.call('POST', '/Groups', { displayName: 'Ny' })).toMatchObject(errorOf(403));
    expect(await test.call('DELETE', `/Groups/${id}`)).toMatchObject(errorOf(403));
    const renamed = { op: 'replace', value: { id, displayName: 'Annat' } };
    expect(await test.patch(`/Groups/${id}`, renamed)).toMatchObject(errorOf(400, 'mutability'));
    expect((await test.patch(`/Groups/${id}`, { op: 'replace', value: { id, displayName: name } })).status).toBe(200);
    expect((await test.patch(`/Groups/${id}`, { op: 'add', path: 'externalId', value: 'x' })).status).toBe(200);
  });
});

describe('membership of a group', () => {
  it('gives the role and ends the sessions at once', async () => {
    const [group, own] = [await aGroup(), await test.createdUser()];
    await test.callRoute(setPassword, 'admin', { body: { id: own.id, password } });
    const { access_token } = await signIn(test.url, own.userName);
    const { status, body } = await test.patch(`/Groups/${group.id}`, {
      op: 'Add',
      path: 'members',
      value: [{ value: own.id }],
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.members).toEqual([expect.objectContaining({ value: own.id, display: 'Sanna Katalog' })]);
    expect(await roleOf(own.id)).toBe(group.name);
    expect(await test.opensSession(access_token)).toBe(false);
    expect((await test.call('GET', `/Users/${own.id}`)).body.groups).toMatchObject([{ display: group.name }]);
    expect((await test.entriesOf(own.id)).at(-2)?.detail).toBe(
      `Entra ID: Sanna Katalog <${own.userName}>: Doctor → ${group.name}`,
    );
  });

  it.each([
    ['by a filter', (id: string) => ({ op: 'Remove', path: `members[value eq "${id}"]` })],
    ['by a value', (id: string) => ({ op: 'Remove', path: 'members', value: [{ value: id }] })],
    ['with all', () => ({ op: 'remove', path: 'members' })],
    ['by a replacement', () => ({ op: 'replace', path: 'members', value: [] })],
    ['by a replacement without a path', () => ({ op: 'replace', value: { members: [] } })],
  ])('that is removed %s leaves the role of medical personnel', async (_, removal) => {
    const [group, own] = [await aGroup(), await test.createdUser()];
    await test.patch(`/Groups/${group.id}`, { op: 'add', value: { members: [{ value: own.id }] } });
    expect(await membersOf(group.id)).toEqual([own.id]);
    const { status, body } = await test.patch(`/Groups/${group.id}`, removal(own.id));
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.members).toEqual([]);
    expect(await roleOf(own.id)).toBe('Doctor');
  });

  it('is replaced by PUT', async () => {
    const [group, first, second] = [await aGroup(), await test.createdUser(), await test.createdUser()];
    const put = (...ids: string[]) =>
      test.call('PUT', `/Groups/${group.id}`, { displayName: group.name, members: ids.map((value) => ({ value })) });
    expect((await put(first.id)).status).toBe(200);
    expect((await put(second.id)).status).toBe(200);
    expect(await membersOf(group.id)).toEqual([second.id]);
    expect(await roleOf(first.id)).toBe('Doctor');
  });

  it('of another group follows in any order', async () => {
    const [from, to, own] = [await aGroup(), await aGroup(), await test.createdUser()];
    const add = (id: string) => test.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: own.id }] });
    const remove = (id: string) => test.patch(`/Groups/${id}`, { op: 'remove', path: `members[value eq "${own.id}"]` });
    await add(from.id);
    await add(to.id);
    await remove(from.id);
    expect(await roleOf(own.id)).toBe(to.name);
  });

  it('of all or none: one unknown member changes nothing', async () => {
    const [group, own] = [await aGroup(), await test.createdUser()];
    const [other] = await test.db
      .selectFrom('account')
      .select('id')
      .where('customer_id', '=', test.clinics.otherCustomerId)
      .execute();
    for (const id of [randomUUID(), other?.id, 'x']) {
      const value = [{ value: own.id }, { value: id }];
      expect(await test.patch(`/Groups/${group.id}`, { op: 'add', path: 'members', value })).toMatchObject(
        errorOf(400, 'invalidValue'),
      );
    }
    expect(await roleOf(own.id)).toBe('Doctor');
  });
});
