import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountCreate, accountDelete, setPassword, superAdministrators } from '../../contract/users.ts';
import { up as removeOtherLinks } from '../../server/db/migrations/046-https-pictures.ts';
import { accountsByPersonalNumber } from '../../server/db/stores/account-store.ts';
import { type EmployeesUnderTest, employeesUnderTest, personalNumber } from './employees-under-test.ts';
import { signIn } from './running-server.ts';

let test: EmployeesUnderTest;

beforeAll(async () => {
  test = await employeesUnderTest();
});
beforeEach(() => test.db.deleteFrom('sign_in_attempt').execute());
afterAll(() => test?.close());

describe('a user', () => {
  it('is added by an administrator, signs in with the given password, and is listed and logged', async () => {
    const { status, body } = await test.create('admin', {
      email: 'Ny.Person@Prov.example',
      personalNumber: '19800101-9804',
      azureUsername: 'ny@ljungheden.example',
    });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({
      email: 'Ny.Person@Prov.example',
      firstName: 'Åsa',
      lastName: 'Björk',
      personalNumber,
      hiredSince: '2020-02-29',
      isActive: true,
      customerId: test.clinics.customerId,
      picture: null,
      customer: { name: 'Provkliniken', country: 'SE' },
      role: { name: 'Doctor', rank: 2 },
      azureUsername: 'ny@ljungheden.example',
      twoFactorEnabled: false,
      hasPassword: true,
      version: 1,
    });
    expect(await test.maySignIn('ny.person@prov.example')).toBe(true);
    expect(await test.listed(body.id)).toEqual(body);
    expect(await test.entriesOf(body.id)).toEqual([
      {
        action: 'user.created',
        account_id: test.clinics.adminId,
        customer_id: test.clinics.customerId,
        detail: 'Åsa Björk <Ny.Person@Prov.example>: Doctor',
      },
    ]);
  });

  it('has a unique e-mail address, ignoring case', async () => {
    const taken = { code: 'email-taken', errors: [{ fieldKey: 'email' }] };
    expect(await test.create('admin', { email: 'DOCTOR@prov.example' })).toMatchObject({ status: 409, body: taken });
    const own = await test.created();
    expect(await test.update('admin', own, { email: 'Doctor@Prov.example' })).toMatchObject({
      status: 409,
      body: taken,
    });
    expect((await test.update('admin', own, { email: own.email.toUpperCase() })).status).toBe(200);
  });

  it('has a personal number by the rules of the clinic’s country', async () => {
    const wrong = (rule: string, country?: string) => ({
      status: 400,
      body: {
        code: 'invalid-request',
        errors: [{ fieldKey: 'personalNumber', vars: { rule, ...(country && { country }) } }],
      },
    });
    expect(await test.create('admin', { personalNumber: '198001019805' })).toMatchObject(wrong('check-digit', 'SE'));
    expect(await test.create('admin', { personalNumber: '8001019804' })).toMatchObject(wrong('length', 'SE'));
    const customerId = await test.addClinic('Den danske');
    await test.db.updateTable('customer').set({ country: 'DK' }).where('id', '=', customerId).execute();
    expect(await test.create('super', { customerId, personalNumber })).toMatchObject(wrong('length', 'DK'));
    expect((await test.create('super', { customerId, personalNumber: '010180-1234' })).body).toMatchObject({
      personalNumber: '0101801234',
      customer: { country: 'DK' },
    });
    const roles = [await test.roleId('SuperAdmin')];
    expect(await test.create('super', { customerId: null, roles, personalNumber: '320180-1234' })).toMatchObject(
      wrong('date'),
    );
  });

  it('keeps a foreign or older personal number until it is changed', async () => {
    const own = await test.created();
    await test.db.updateTable('account').set({ personal_number: '8001019804' }).where('id', '=', own.id).execute();
    const saved = await test.update('admin', own, { personalNumber: '800101-9804', lastName: 'Gran' });
    expect(saved.body).toMatchObject({ lastName: 'Gran', personalNumber: '8001019804' });
    expect((await test.update('admin', saved.body, { personalNumber: '800101-9805' })).status).toBe(400);
  });

  it('of Denmark is not confused with a Swede with the same ten digits', async () => {
    const customerId = await test.addClinic('Kliniken ved Sundet');
    await test.db.updateTable('customer').set({ country: 'DK' }).where('id', '=', customerId).execute();
    const own = await test.created({ customerId, personalNumber: '010203-1234' });
    expect(await accountsByPersonalNumber(test.db, '200102031234')).toEqual([]);
    const swede = await test.created();
    const found = () => accountsByPersonalNumber(test.db, personalNumber).then((all) => all.map(({ id }) => id));
    expect(await found()).toContain(swede.id);
    expect(await found()).not.toContain(own.id);
  });

  it('is validated field by field with the limits of the contract', async () => {
    const { status, body } = await test.callRoute(accountCreate, 'admin', {
      body: { ...(await test.fields({ firstName: 'Å', telephone: ' ', hiredSince: '2021-02-29' })), password: 'kort' },
    });
    expect(status).toBe(400);
    const keys = body.errors.map(({ fieldKey }: { fieldKey: string }) => fieldKey);
    expect(new Set(keys)).toEqual(new Set(['firstName', 'telephone', 'hiredSince', 'password']));
  });

  it('is not added with an unknown clinic or role', async () => {
    expect(await test.create('super', { customerId: randomUUID() })).toMatchObject({ status: 404 });
    expect(await test.create('super', { roles: [randomUUID()] })).toMatchObject({
      status: 400,
      body: { code: 'invalid-request', errors: [{ fieldKey: 'roles' }] },
    });
  });
});

describe('the link to a picture', () => {
  it('is an https address', async () => {
    for (const avatarLink of ['javascript:alert(1)', 'http://pictures.example/a.png', 'data:image/png;base64,AAAA'])
      expect(await test.create('admin', { avatarLink })).toMatchObject({
        status: 400,
        body: { code: 'invalid-request', errors: [{ fieldKey: 'avatarLink' }] },
      });
    const avatarLink = 'https://pictures.example/a.png';
    expect((await test.create('admin', { avatarLink })).body).toMatchObject({ avatarLink });
  });

  it('is removed by the migration when it is another, and kept when it is https', async () => {
    const [kept, removed] = [
      await test.created({ avatarLink: 'HTTPS://pictures.example/a.png' }),
      await test.created(),
    ];
    await test.db
      .updateTable('account')
      .set({ avatar_link: 'javascript:alert(1)' })
      .where('id', '=', removed.id)
      .execute();
    await removeOtherLinks(test.db as never);
    expect((await test.listed(kept.id))?.avatarLink).toMatch(/^https:/i);
    expect((await test.listed(removed.id))?.avatarLink).toBeNull();
  });
});

describe('an edit', () => {
  it('changes the fields, increments the version, and keeps the sessions', async () => {
    const own = await test.created();
    const { access_token } = await signIn(test.url, own.email);
    const { status, body } = await test.update('admin', own, { firstName: 'Asta', hiredSince: '2024-01-01' });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toEqual({ ...own, firstName: 'Asta', hiredSince: '2024-01-01', version: 2 });
    expect(await test.opensSession(access_token)).toBe(true);
    expect((await test.entriesOf(own.id)).map(({ action }) => action)).toEqual(['user.created', 'user.edited']);
  });

  it('of a user who was changed meanwhile is rejected as a conflict', async () => {
    const own = await test.created();
    expect((await test.update('admin', own, { firstName: 'Först' })).status).toBe(200);
    expect(await test.update('super', own, { firstName: 'Sist' })).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
    expect((await test.listed(own.id))?.firstName).toBe('Först');
  });

  it('of a user whose password was changed meanwhile is rejected as a conflict', async () => {
    const own = await test.created();
    await test.callRoute(setPassword, 'admin', { body: { id: own.id, password: 'Annat-2026!' } });
    expect(await test.update('admin', own)).toMatchObject({ status: 409, body: { code: 'conflict' } });
  });

  it('of the role ends all sessions and renews the stamp', async () => {
    const own = await test.created();
    const { access_token } = await signIn(test.url, own.email);
    const { body } = await test.update('admin', own, { roles: [await test.roleId('CustomerAdmin')] });
    expect(body.role.name).toBe('CustomerAdmin');
    expect(body.securityStamp).not.toBe(own.securityStamp);
    expect(await test.opensSession(access_token)).toBe(false);
    expect((await test.entriesOf(own.id)).at(-1)?.detail).toBe(`Åsa Björk <${own.email}>: Doctor → CustomerAdmin`);
  });

  it('does not move a user to another clinic or out of all clinics', async () => {
    const own = await test.created();
    for (const customerId of [test.clinics.otherCustomerId, null])
      expect((await test.update('super', own, { customerId })).body).toMatchObject({
        code: 'invalid-request',
        errors: [{ fieldKey: 'customerId' }],
      });
    expect((await test.update('super', own, { roles: [await test.roleId('SuperAdmin')] })).body).toMatchObject({
      code: 'invalid-request',
      errors: [{ fieldKey: 'roles' }],
    });
  });

  it('of the e-mail address revokes reset links sent to the previous one', async () => {
    const own = await test.created();
    await test.addLink(own.id);
    const same = await test.update('admin', own, { firstName: 'Asta' });
    expect(await test.links(own.id)).toHaveLength(1);
    await test.update('admin', same.body, { email: `${randomUUID()}@prov.example` });
    expect(await test.links(own.id)).toHaveLength(0);
  });
});

describe('super administrators', () => {
  it('are listed, added and edited by their equals, and have no clinic', async () => {
    const roles = [await test.roleId('SuperAdmin')];
    const { status, body } = await test.create('super', { customerId: null, roles });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body).toMatchObject({ customerId: null, customer: null, role: { name: 'SuperAdmin', rank: 0 } });
    const list = await test.callRoute(superAdministrators, 'super', { query: { Page: '1', PPage: '7' } });
    expect(list.body).toMatchObject({ totalCount: 2, isTotalExact: true, next: null });
    expect((await test.update('super', body, { lastName: 'Ek' })).body.lastName).toBe('Ek');
    const half = { code: 'invalid-request', errors: [{ fieldKey: 'roles' }] };
    expect((await test.create('super', { roles })).body).toMatchObject(half);
    expect((await test.create('super', { customerId: null })).body).toMatchObject(half);
    expect((await test.entriesOf(body.id)).at(0)?.customer_id).toBeNull();
    expect((await test.callRoute(accountDelete, 'super', { params: { id: body.id } })).status).toBe(200);
  });
});
