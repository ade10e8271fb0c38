import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setPassword } from '../../contract/users.ts';
import { password } from './clinic.ts';
import { signIn } from './running-server.ts';
import { mediaType, type ScimUnderTest, scimUnderTest } from './scim-under-test.ts';

let test: ScimUnderTest;

beforeAll(async () => {
  test = await scimUnderTest();
});
beforeEach(() => test.db.deleteFrom('sign_in_attempt').execute());
afterAll(() => test?.close());

const errorOf = (status: number, scimType?: string) => ({
  status,
  body: {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType && { scimType }),
    detail: expect.any(String),
  },
});
const actionsOn = async (id: string) => (await test.entriesOf(id)).map(({ action }) => action);
const find = async (filter: string, path = '/Users') =>
  (await test.call('GET', `${path}?${new URLSearchParams({ filter })}`)).body;

describe('a user of a directory', () => {
  it('is added without a password, as medical personnel, and is found again', async () => {
    const sent = test.aUser({ userName: 'Sanna@upn.example', phoneNumbers: [{ type: 'mobile', value: '070-1' }] });
    const { status, headers, body } = await test.call('POST', '/Users', sent);
    expect(status, JSON.stringify(body)).toBe(201);
    expect(headers.get('content-type')).toBe(`${mediaType}; charset=utf-8`);
    expect(headers.get('location')).toBe(body.meta.location);
    const location = `http://localhost/scim/v2/${test.clinics.customerId}/Users/${body.id}`;
    expect(body).toEqual({
      schemas: sent.schemas,
      id: expect.any(String),
      userName: 'Sanna@upn.example',
      externalId: sent.externalId,
      active: true,
      name: { givenName: 'Sanna', familyName: 'Katalog' },
      displayName: 'Sanna Katalog',
      emails: [{ value: sent.emails[0]?.value, type: 'work', primary: true }],
      phoneNumbers: [{ value: '070-1', type: 'work', primary: true }],
      groups: [expect.objectContaining({ value: await test.groupId('Doctor'), display: 'Doctor' })],
      meta: { resourceType: 'User', created: expect.any(String), location },
    });
    expect((await test.call('GET', `/Users/${body.id}`)).body).toEqual(body);
    expect(await test.listed(body.id)).toMatchObject({
      azureUsername: 'Sanna@upn.example',
      personalNumber: null,
      hiredSince: null,
      hasPassword: false,
      role: { name: 'Doctor' },
    });
    const [entry] = await test.entriesOf(body.id);
    expect(entry).toEqual({
      action: 'directory.user-created',
      account_id: null,
      customer_id: test.clinics.customerId,
      detail: `Entra ID: Sanna Katalog <${sent.emails[0]?.value}>: Doctor`,
    });
  });

  it('has a unique name in the clinic and a unique e-mail address in the archive', async () => {
    const { userName, emails } = await test.createdUser();
    const other = test.aUser();
    for (const taken of [
      { userName: userName.toUpperCase(), emails: other.emails },
      { emails },
      { emails: [{ value: 'other@prov.example' }] },
      { userName: 'doctor@prov.example', emails: undefined },
    ])
      expect(await test.call('POST', '/Users', test.aUser(taken))).toMatchObject(errorOf(409, 'uniqueness'));
  });

  it.each([
    ['no userName', { userName: undefined }],
    ['a first name of one letter', { name: { givenName: 'S', familyName: 'Katalog' } }],
    ['no last name', { name: { givenName: 'Sanna' } }],
    ['no e-mail address', { userName: 'sanna', emails: undefined }],
    ['a text instead of a truth', { active: 'kanske' }],
    ['a telephone that is too long', { phoneNumbers: [{ value: '0'.repeat(31) }] }],
    ['text that cannot be stored', { externalId: 'a\0b' }],
  ])('is refused with %s', async (_, more) => {
    expect(await test.call('POST', '/Users', test.aUser(more))).toMatchObject(errorOf(400, 'invalidValue'));
  });

  it('is replaced as a whole, and keeps what a directory does not determine', async () => {
    const own = await test.createdUser({ phoneNumbers: [{ value: '070-1' }] });
    await test.callRoute(setPassword, 'admin', { body: { id: own.id, password } });
    const sent = test.aUser({ name: { givenName: 'Nytt', familyName: 'Namn' }, active: undefined });
    const { status, body } = await test.call('PUT', `/Users/${own.id}`, sent);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ id: own.id, userName: sent.userName, displayName: 'Nytt Namn', active: true });
    expect(body.phoneNumbers).toBeUndefined();
    expect(await test.listed(own.id)).toMatchObject({ telephone: null, hasPassword: true, version: 2 });
    expect((await test.call('PUT', `/Users/${own.id}`, sent)).status).toBe(200);
    expect((await test.listed(own.id))?.version).toBe(2);
  });

  it('is deactivated and activated, which ends the sessions at once', async () => {
    const own = await test.createdUser();
    await test.callRoute(setPassword, 'admin', { body: { id: own.id, password } });
    const { access_token } = await signIn(test.url, own.userName);
    expect(await test.opensSession(access_token)).toBe(true);
    expect((await test.patch(`/Users/${own.id}`, { op: 'replace', path: 'active', value: false })).body.active).toBe(
      false,
    );
    expect(await test.opensSession(access_token)).toBe(false);
    expect(await test.maySignIn(own.userName)).toBe(false);
    expect((await test.patch(`/Users/${own.id}`, { op: 'replace', path: 'active', value: true })).body.active).toBe(
      true,
    );
    expect(await test.maySignIn(own.userName)).toBe(true);
    const changes = (await actionsOn(own.id)).filter((action) => action.startsWith('directory.user-'));
    expect(changes).toEqual([
      'directory.user-created',
      'directory.user-edited',
      'directory.user-deactivated',
      'directory.user-edited',
      'directory.user-activated',
    ]);
  });

  it('is deleted as by the page: its sessions end and its address is free again', async () => {
    const own = await test.createdUser();
    await test.callRoute(setPassword, 'admin', { body: { id: own.id, password } });
    const { access_token } = await signIn(test.url, own.userName);
    expect(await test.call('DELETE', `/Users/${own.id}`)).toMatchObject({ status: 204, body: null });
    expect(await test.opensSession(access_token)).toBe(false);
    for (const method of ['GET', 'DELETE'])
      expect(await test.call(method, `/Users/${own.id}`)).toMatchObject(errorOf(404));
    expect((await test.call('POST', '/Users', test.aUser({ userName: own.userName, emails: own.emails }))).status).toBe(
      201,
    );
  });

  it('has no password by a directory', async () => {
    const own = await test.createdUser({ password: 'Hemligt-2026!' });
    await test.patch(`/Users/${own.id}`, { op: 'replace', path: 'password', value: 'Hemligt-2026!' });
    expect(await test.listed(own.id)).toMatchObject({ hasPassword: false });
    expect((await test.call('GET', '/ServiceProviderConfig')).body.changePassword).toEqual({ supported: false });
  });
});

describe('PATCH of a user', () => {
  const after = async (...operations: readonly object[]) => {
    const own = await test.createdUser();
    const reply = await test.patch(`/Users/${own.id}`, ...operations);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body;
  };

  it('is understood as Microsoft Entra ID sends it', async () => {
    expect(await after({ op: 'Replace', path: 'active', value: 'False' })).toMatchObject({ active: false });
    expect(
      await after(
        { op: 'Add', path: 'name.givenName', value: 'Ny' },
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'entra@prov.example' },
        { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '070-2' },
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'x' },
        { op: 'Add', path: 'title', value: 'Tandläkare' },
      ),
    ).toMatchObject({
      name: { givenName: 'Ny', familyName: 'Katalog' },
      emails: [{ value: 'entra@prov.example' }],
      phoneNumbers: [{ value: '070-2' }],
    });
    const own = await test.createdUser({ phoneNumbers: [{ type: 'mobile', value: '070-1' }] });
    const mobile = { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '070-3' };
    expect((await test.patch(`/Users/${own.id}`, mobile)).body.phoneNumbers).toMatchObject([{ value: '070-3' }]);
    expect(
      await after({ op: 'replace', value: { 'name.familyName': 'Utan', active: 'True', externalId: 'e' } }),
    ).toMatchObject({
      name: { familyName: 'Utan' },
      externalId: 'e',
    });
  });

  it('is understood as Okta sends it', async () => {
    expect(await after({ op: 'replace', value: { active: false } })).toMatchObject({ active: false });
    expect(await after({ op: 'replace', value: { name: { givenName: 'Okta' }, displayName: 'x' } })).toMatchObject({
      displayName: 'Okta Katalog',
    });
  });

  it('removes what is optional', async () => {
    const own = await test.createdUser({ phoneNumbers: [{ value: '070-1' }] });
    const { status, body } = await test.patch(
      `/Users/${own.id}`,
      { op: 'remove', path: 'phoneNumbers[type eq "work"]' },
      { op: 'remove', path: 'urn:ietf:params:scim:schemas:core:2.0:User:externalId' },
    );
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.phoneNumbers).toBeUndefined();
    expect(body.externalId).toBeUndefined();
  });

  it.each([
    ['an unknown operation', { op: 'move', path: 'active' }, 'invalidSyntax'],
    ['an unknown attribute', { op: 'add', path: 'shoeSize', value: 43 }, 'invalidPath'],
    ['a path that cannot be read', { op: 'add', path: 'name..x', value: 1 }, 'invalidPath'],
    ['a part of the prototype', { op: 'add', path: '__proto__.admin', value: true }, 'invalidPath'],
    ['a filter that cannot be read', { op: 'remove', path: 'emails[type xx "work"]' }, 'invalidFilter'],
    ['the read-only groups', { op: 'add', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
    ['the removal of what is required', { op: 'remove', path: 'active' }, 'mutability'],
    ['a removal without a path', { op: 'remove', value: { active: true } }, 'noTarget'],
    ['the removal of the name', { op: 'remove', path: 'name' }, 'invalidValue'],
    ['a value without attributes', { op: 'replace', value: 'x' }, 'invalidValue'],
  ])('is refused with %s, and nothing of the request is done', async (_, operation, scimType) => {
    const own = await test.createdUser();
    const first = { op: 'replace', path: 'name.givenName', value: 'Halv' };
    expect(await test.patch(`/Users/${own.id}`, first, operation)).toMatchObject(errorOf(400, scimType));
    expect((await test.call('GET', `/Users/${own.id}`)).body).toEqual(own);
  });
});

describe('lists of users', () => {
  it('are filtered', async () => {
    const own = await test.createdUser({ name: { givenName: 'Filtrerad', familyName: 'Åström' } });
    const found = async (filter: string) => (await find(filter)).Resources.map(({ id }: { id: string }) => id);
    for (const filter of [
      `userName eq "${own.userName.toUpperCase()}"`,
      `USERNAME Eq "${own.userName}"`,
      `externalId eq "${own.externalId}"`,
      `id eq "${own.id}"`,
      `emails.value eq "${own.userName}"`,
      `emails[type eq "work" and value eq "${own.userName}"]`,
      'name.familyName co "ström" and active eq true',
      'displayName sw "filtrerad"',
      'name.familyName ew "STRÖM" and not (active eq false)',
      `id eq "${own.id}" and (displayName eq "x" or externalId pr)`,
      `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${own.userName}"`,
    ])
      expect(await found(filter), filter).toEqual([own.id]);
    for (const filter of [`externalId eq "${own.externalId.toUpperCase()}"`, 'shoeSize eq 43', 'userName eq "nobody"'])
      expect(await found(filter), filter).toEqual([]);
    expect((await found('active eq true')).length).toBeGreaterThan(1);
  });

  it.each(['userName', 'userName xx "a"', '(userName eq "a"', 'userName eq a', '('.repeat(1_500), 'x'.repeat(2_001)])(
    'are refused with the filter %.20j',
    async (filter) => {
      expect(await find(filter)).toEqual(errorOf(400, 'invalidFilter').body);
    },
  );

  it('have pages', async () => {
    const all = (await test.call('GET', '/Users')).body;
    expect(all).toMatchObject({ startIndex: 1, itemsPerPage: all.totalResults });
    const page = (await test.call('GET', '/Users?startIndex=2&count=2')).body;
    expect(page).toMatchObject({ totalResults: all.totalResults, startIndex: 2, itemsPerPage: 2 });
    expect(page.Resources).toEqual(all.Resources.slice(1, 3));
    expect((await test.call('GET', '/Users?startIndex=0&count=-1')).body).toMatchObject({
      startIndex: 1,
      Resources: [],
    });
    expect(await test.call('GET', '/Users?count=x')).toMatchObject(errorOf(400, 'invalidValue'));
  });

  it('have the requested attributes', async () => {
    const own = await test.createdUser();
    const { body } = await test.call('GET', `/Users/${own.id}?attributes=userName,name.givenName`);
    expect(Object.keys(body).sort()).toEqual(['id', 'name', 'schemas', 'userName']);
    const less = await test.call('GET', `/Users/${own.id}?excludedAttributes=emails,id`);
    expect(less.body.emails).toBeUndefined();
    expect(less.body.id).toBe(own.id);
  });

  it('are searched without a filter in the address, over users and groups', async () => {
    const own = await test.createdUser();
    const search = { filter: `id eq "${own.id}"`, attributes: ['userName'], startIndex: 1, count: 10 };
    const expected = { totalResults: 1, Resources: [{ schemas: own.schemas, id: own.id, userName: own.userName }] };
    for (const path of ['/.search', '/Users/.search'])
      expect((await test.call('POST', path, search)).body, path).toMatchObject(expected);
    expect((await test.call('POST', '/Groups/.search', search)).body.totalResults).toBe(0);
    const all = await test.call('POST', '/.search', { filter: 'displayName pr', count: 500 });
    const types = new Set(all.body.Resources.map(({ meta }: { meta: { resourceType: string } }) => meta.resourceType));
    expect([...types].sort()).toEqual(['Group', 'User']);
  });

  it('are in the access log', async () => {
    await test.call('GET', '/Users');
    const entries = await test.db
      .selectFrom('access_log')
      .select(['customer_id', 'detail'])
      .where('action', '=', 'directory.read')
      .orderBy('id', 'desc')
      .limit(1)
      .execute();
    expect(entries).toEqual([{ customer_id: test.clinics.customerId, detail: 'Entra ID: GET /Users 200' }]);
  });
});

it('another media type than JSON is refused in the words of SCIM', async () => {
  for (const [type, status] of [
    ['application/xml', 415],
    ['application/json', 201],
  ] as const)
    expect((await test.call('POST', '/Users', test.aUser(), { type })).status).toBe(status);
  expect(await test.call('POST', '/Users', '{"userName":')).toMatchObject(errorOf(400, 'invalidSyntax'));
  expect(await test.call('POST', '/Users', [])).toMatchObject(errorOf(400));
  expect(await test.call('GET', `/Users/${randomUUID()}`)).toMatchObject(errorOf(404));
  expect(await test.call('GET', '/Unknown')).toMatchObject(errorOf(404));
});
