import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { resetPassword } from '../../contract/passwords.ts';
import { type UserFileLine, userFileAdd, userFileCheck } from '../../contract/user-files.ts';
import { accountCreate } from '../../contract/users.ts';
import { type EmployeesUnderTest, employeesUnderTest } from './employees-under-test.ts';

let test: EmployeesUnderTest;
const redirectUrl = 'http://localhost/authorization/newpassword';

beforeAll(async () => {
  test = await employeesUnderTest();
});
beforeEach(() => test.db.deleteFrom('sign_in_attempt').execute());
afterAll(() => test?.close());

const lineOf = async (line: number, more: Partial<UserFileLine> = {}): Promise<UserFileLine> => ({
  line,
  firstName: 'Åsa',
  lastName: 'Björk',
  email: `${randomUUID()}@prov.example`,
  telephone: '070-174 06 05',
  personalNumber: '19800101-9804',
  hiredSince: '2026-01-31',
  roles: [await test.roleId('Doctor')],
  azureUsername: '',
  ...more,
});
const check = (as: string, lines: readonly UserFileLine[], customerId = test.clinics.customerId) =>
  test.callRoute(userFileCheck, as, { body: { customerId, lines } });
const add = (as: string, lines: readonly UserFileLine[], customerId = test.clinics.customerId) =>
  test.callRoute(userFileAdd, as, { body: { customerId, lines, redirectUrl, language: 'sv' } });
const byForm = async (as: string, { line: _, ...fields }: UserFileLine) =>
  test.callRoute(accountCreate, as, {
    body: { ...fields, isActive: true, customerId: test.clinics.customerId, avatarLink: null },
  });
const accounts = () => test.db.selectFrom('account').select('email').orderBy('email').execute();

describe('a file of users', () => {
  it('is checked line by line and changes nothing but the log', async () => {
    const before = await accounts();
    const known = await lineOf(3, { email: 'DOCTOR@prov.example' });
    const elsewhere = await lineOf(4, { email: 'other@prov.example' });
    const first = await lineOf(2);
    const repeated = await lineOf(5, { email: first.email.toUpperCase() });
    const { status, body } = await check('admin', [first, known, elsewhere, repeated]);
    expect(status, JSON.stringify(body)).toBe(200);
    const taken = { outcome: 'rejected', code: 'email-taken', claims: [] };
    expect(body.lines).toEqual([
      { line: 2, outcome: 'new' },
      { line: 3, outcome: 'exists' },
      { line: 4, ...taken, errors: [{ fieldKey: 'email' }] },
      { line: 5, ...taken, errors: [{ fieldKey: 'email', vars: { repeatedLine: 2 } }] },
    ]);
    expect(await accounts()).toEqual(before);
    const [entry] = (await test.entriesOf(test.clinics.customerId)).slice(-1);
    expect(entry).toEqual({
      action: 'user.file-checked',
      account_id: test.clinics.adminId,
      customer_id: test.clinics.customerId,
      detail: '4',
    });
  });

  it('adds users who choose a password by their link, and nobody twice', async () => {
    const lines = [await lineOf(2), await lineOf(3, { firstName: 'X' }), await lineOf(4)];
    const { status, body } = await add('admin', lines);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.lines.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['created', 'rejected', 'created']);
    const [{ id, invitation }] = body.lines;
    expect(await test.listed(id)).toMatchObject({
      email: lines[0]?.email,
      personalNumber: '198001019804',
      hiredSince: '2026-01-31',
      hasPassword: false,
      isActive: true,
      role: { name: 'Doctor' },
    });
    expect((await test.entriesOf(id)).map(({ action }) => action)).toEqual(['user.created', 'user.reset-link-shown']);
    const { id: of, SecurityStamp } = Object.fromEntries(new URLSearchParams(new URL(invitation.link).hash.slice(1)));
    const chosen = await test.callRoute(resetPassword, null, {
      body: { id: of, SecurityStamp, password: 'Vald-2026!' },
    });
    expect(chosen.status).toBe(200);
    const before = await accounts();
    const again = await add('admin', lines);
    expect(again.body.lines.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'exists',
      'rejected',
      'exists',
    ]);
    expect(await accounts()).toEqual(before);
  });

  it('that is added twice at once adds each user once', async () => {
    const lines = [await lineOf(2), await lineOf(3)];
    const replies = await Promise.all([add('admin', lines), add('admin', lines)]);
    const outcomes = replies.flatMap(({ body }) => body.lines.map((one: { outcome: string }) => one.outcome));
    expect(outcomes.sort()).toEqual(['created', 'created', 'exists', 'exists']);
  });

  it('adds users without an invitation for a caller who may not give one', async () => {
    await test.addRole('Registrerare', 2, ['user.create', 'user.get_any', 'user.get_info', 'customer.get_itself']);
    await test.addUser('registrar', 'Registrerare', test.clinics.customerId);
    const { body } = await add('registrar', [await lineOf(2)]);
    expect(body.lines).toMatchObject([{ outcome: 'created', invitation: { delivery: 'none', code: 'no-right' } }]);
  });

  it('of a clinic that the caller may not use is not found, as one that does not exist', async () => {
    for (const customerId of [test.clinics.otherCustomerId, randomUUID()])
      for (const send of [check, add])
        expect(await send('admin', [await lineOf(2)], customerId)).toMatchObject({
          status: 404,
          body: { code: 'not-found' },
        });
  });

  it('has at most 1,000 lines', async () => {
    const line = await lineOf(1);
    const lines = Array.from({ length: 1_001 }, (_, index) => ({ ...line, line: index + 1 }));
    expect((await check('admin', lines)).body).toMatchObject({
      code: 'invalid-request',
      errors: [{ fieldKey: 'lines', vars: { max: 1_000 } }],
    });
    const { body } = await check('admin', lines.slice(1));
    expect(body.lines.filter(({ outcome }: { outcome: string }) => outcome === 'new')).toHaveLength(1);
  });
});

describe('a line is refused as by the form', () => {
  const higher = async () => [await test.addRole(`Över ${randomUUID()}`, 0, [])];
  const wider = async () => [await test.addRole(`Vidare ${randomUUID()}`, 5, ['customer.get_byid'])];
  const cases: Readonly<Record<string, () => Promise<Partial<UserFileLine>>>> = {
    'without a first name': async () => ({ firstName: '' }),
    'with a first name of one letter': async () => ({ firstName: 'Å' }),
    'with a last name that is too long': async () => ({ lastName: 'x'.repeat(101) }),
    'with text that is no e-mail address': async () => ({ email: 'asa at prov' }),
    'with an address of another clinic': async () => ({ email: 'other@prov.example' }),
    'without a telephone': async () => ({ telephone: '' }),
    'with a wrong check digit': async () => ({ personalNumber: '198001019805' }),
    'with a personal number of another country': async () => ({ personalNumber: '010180-1234' }),
    'without a personal number': async () => ({ personalNumber: '' }),
    'with a day that does not exist': async () => ({ hiredSince: '2026-02-30' }),
    'without a role': async () => ({ roles: [] }),
    'with a role that does not exist': async () => ({ roles: [randomUUID()] }),
    'with text instead of a role': async () => ({ roles: ['Doctor'] }),
    'with a role above the caller’s rank': async () => ({ roles: await higher() }),
    'with a role of more rights': async () => ({ roles: await wider() }),
    'with the role of super administrators': async () => ({ roles: [await test.roleId('SuperAdmin')] }),
    'with a long Azure user name': async () => ({ azureUsername: 'x'.repeat(101) }),
  };
  it.each(Object.entries(cases))('%s', async (_, change) => {
    const line = await lineOf(7, await change());
    const form = await byForm('admin', line);
    expect(form.status).toBeGreaterThanOrEqual(400);
    const { code, errors = [], claims = [] } = form.body;
    const expected = [{ line: 7, outcome: 'rejected', code, errors, claims }];
    expect((await check('admin', [line])).body.lines).toEqual(expected);
    expect((await add('admin', [line])).body.lines).toEqual(expected);
  });

  it.each(['doctor', 'admin'])('and accepted as by the form (%s)', async (as) => {
    const expected = (await byForm(as, await lineOf(2))).status;
    expect((await check(as, [await lineOf(2)])).status).toBe(expected);
    expect((await add(as, [await lineOf(2)])).status).toBe(expected);
  });
});
