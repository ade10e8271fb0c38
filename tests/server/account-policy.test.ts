import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountInfo } from '../../contract/account.ts';
import {
  type AccountPolicy,
  clinicPolicyGet,
  clinicPolicySet,
  noPolicy,
  rolePolicyGet,
  rolePolicySet,
  strictest,
} from '../../contract/account-policy.ts';
import { ownPassword, resetPassword } from '../../contract/passwords.ts';
import { patientSearch } from '../../contract/patients.ts';
import { twoFactorSetup, twoFactorVerify } from '../../contract/two-factor.ts';
import { setPassword } from '../../contract/users.ts';
import { hashedToken } from '../../server/db/stores/token-hash.ts';
import { codeOf } from './authenticator.ts';
import { password } from './clinic.ts';
import { type EmployeesUnderTest, employeesUnderTest } from './employees-under-test.ts';

let test: EmployeesUnderTest;

beforeAll(async () => {
  test = await employeesUnderTest();
});
beforeEach(() => test.db.deleteFrom('sign_in_attempt').execute());
afterEach(async () => {
  await test.db.updateTable('customer').set({ account_policy: '{}' }).execute();
  await test.db.updateTable('role').set({ account_policy: '{}' }).execute();
});
afterAll(() => test?.close());

const setClinic = (who: string, id: string, policy: Partial<AccountPolicy>, before: Partial<AccountPolicy> = {}) =>
  test.callRoute(clinicPolicySet, who, {
    body: { id, before: { ...noPolicy, ...before }, policy: { ...noPolicy, ...policy } },
  });
const setRole = async (who: string, role: string, policy: Partial<AccountPolicy>) =>
  test.callRoute(rolePolicySet, who, {
    body: { id: await test.roleId(role), before: noPolicy, policy: { ...noPolicy, ...policy } },
  });
const search = (who: string) => {
  const customerId = who === 'other' ? test.clinics.otherCustomerId : test.clinics.customerId;
  return test.callRoute(patientSearch, who, { query: { q: 'Andersson', customerId } });
};
const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);

describe('a policy', () => {
  it('is the stricter rule of clinic and role', () => {
    const clinic = { ...noPolicy, twoFactorFrom: '2026-03-01', minPasswordLength: 8, idleMinutes: 20 };
    const role = { ...noPolicy, twoFactorFrom: '2026-02-01', minPasswordLength: 12, sessionHours: 9 };
    const both = {
      twoFactorFrom: '2026-02-01',
      minPasswordLength: 12,
      refuseCommonPasswords: false,
      idleMinutes: 20,
      sessionHours: 9,
    };
    expect([strictest(clinic, role), strictest(role, clinic)]).toEqual([both, both]);
  });

  it('of a clinic is set by its administrator, told to its users and logged', async () => {
    const { customerId, otherCustomerId } = test.clinics;
    const policy = { minPasswordLength: 12, idleMinutes: 15 };
    expect(await setClinic('admin', customerId, policy)).toEqual({ status: 200, body: { ...noPolicy, ...policy } });
    expect((await test.callRoute(clinicPolicyGet, 'admin', { params: { id: customerId } })).body).toMatchObject(policy);
    expect((await test.callRoute(accountInfo, 'doctor')).body.policy).toMatchObject(policy);
    expect((await test.callRoute(accountInfo, 'other')).body.policy).toEqual(noPolicy);
    expect((await test.entriesOf(customerId)).at(-1)).toMatchObject({
      action: 'clinic.policy-changed',
      detail: expect.stringContaining('minPasswordLength=12 idleMinutes=15'),
    });
    expect((await setClinic('admin', otherCustomerId, policy)).status).toBe(404);
    expect((await setClinic('doctor', customerId, policy)).status).toBe(403);
  });

  it('of a role is set by who may change the role, for its users in all clinics', async () => {
    expect((await setRole('admin', 'Doctor', { sessionHours: 8 })).status).toBe(403);
    expect((await setRole('super', 'Doctor', { sessionHours: 8 })).status).toBe(200);
    expect((await test.callRoute(accountInfo, 'other')).body.policy.sessionHours).toBe(8);
    expect((await test.callRoute(accountInfo, 'admin')).body.policy.sessionHours).toBeNull();
    const read = await test.callRoute(rolePolicyGet, 'admin', { params: { id: await test.roleId('Doctor') } });
    expect([read.status, read.body.sessionHours]).toEqual([200, 8]);
    const above = await test.callRoute(rolePolicyGet, 'admin', { params: { id: await test.roleId('SuperAdmin') } });
    expect(above.status).toBe(404);
  });

  it('is not overwritten when another administrator changed it meanwhile', async () => {
    const { customerId } = test.clinics;
    await setClinic('admin', customerId, { idleMinutes: 5 });
    const late = await setClinic('admin', customerId, { sessionHours: 8 });
    expect([late.status, late.body.code]).toEqual([409, 'conflict']);
    const both = { idleMinutes: 5, sessionHours: 8 };
    expect((await setClinic('admin', customerId, both, { idleMinutes: 5 })).body).toMatchObject(both);
  });

  it.each([
    ['a password length below that of the specification', { minPasswordLength: 5 }],
    ['an idle time of nothing', { idleMinutes: 0 }],
    ['a session longer than tokens live', { sessionHours: 337 }],
    ['a day that does not exist', { twoFactorFrom: '2026-02-30' }],
  ])('cannot have %s', async (_, policy) => {
    expect((await setClinic('admin', test.clinics.customerId, policy)).status).toBe(400);
  });
});

describe('the least password length and the list of common passwords', () => {
  const rules = { minPasswordLength: 12, refuseCommonPasswords: true };
  const short = { errors: [{ fieldKey: 'password', vars: { min: 12 } }] };
  const common = { errors: [{ fieldKey: 'password', vars: { rule: 'common' } }] };
  const good = 'Kal-Hagel-77!x';

  it('hold for the own password', async () => {
    await test.addUser('klingenstierna', 'Doctor', test.clinics.customerId);
    const change = (next: string) =>
      test.callRoute(ownPassword, 'klingenstierna', { body: { current: password, password: next } });
    await setClinic('admin', test.clinics.customerId, rules);
    expect(await change('Kal-77!x')).toMatchObject({ status: 400, body: short });
    expect(await change('Password1234!')).toMatchObject({ status: 400, body: common });
    // The own e-mail address.
    expect(await change('Klingenstierna1!')).toMatchObject({ status: 400, body: common });
    // Names of clinic and product.
    await test.db
      .updateTable('customer')
      .set({ name: 'Kvarnbytandvården' })
      .where('id', '=', test.clinics.customerId)
      .execute();
    for (const next of ['Kvarnbytandvården1!', 'Dentarium-1!'])
      expect(await change(next)).toMatchObject({ status: 400, body: common });
    expect((await change(good)).status).toBe(200);
  });

  it('hold for the link of a reset or an invitation, which stays valid', async () => {
    const id = await test.addUser('linked', 'Doctor', test.clinics.customerId);
    const key = 'k'.repeat(43);
    const link = { key_hash: hashedToken(key), account_id: id, expires_at: new Date(Date.now() + 60_000) };
    await test.db.insertInto('password_reset').values(link).execute();
    await setClinic('admin', test.clinics.customerId, rules);
    const choose = (next: string) =>
      test.callRoute(resetPassword, null, { body: { id, SecurityStamp: key, password: next } });
    expect(await choose('Kal-77!x')).toMatchObject({ status: 400, body: short });
    expect((await choose(good)).status).toBe(200);
  });

  it('hold for a password that an administrator chooses, by the clinic of the user and the chosen role', async () => {
    await setClinic('admin', test.clinics.customerId, { minPasswordLength: 12 });
    expect(await test.create('super')).toMatchObject({ status: 400, body: short });
    expect((await test.create('super', { password: undefined, customerId: test.clinics.otherCustomerId })).status).toBe(
      200,
    );
    const id = await test.addUser('set', 'Doctor', test.clinics.customerId);
    expect(await test.callRoute(setPassword, 'admin', { body: { id, password: 'Kal-77!x' } })).toMatchObject({
      status: 400,
      body: short,
    });
    expect((await test.callRoute(setPassword, 'admin', { body: { id, password: good } })).status).toBe(200);
  });
});

describe('required two-factor authentication', () => {
  it('two-factor authentication that is required must be set up before anything else', async () => {
    await test.addUser('required', 'Doctor', test.clinics.customerId);
    await setRole('super', 'Doctor', { twoFactorFrom: yesterday });
    const refused = await search('required');
    expect([refused.status, refused.body.code]).toEqual([403, 'two-factor-needed']);
    expect((await test.callRoute(accountInfo, 'required')).body.restriction).toBe('two-factor-needed');
    const { body } = await test.callRoute(twoFactorSetup, 'required');
    const verified = await test.callRoute(twoFactorVerify, 'required', {
      body: { verificationCode: codeOf(body.data.sharedKey) },
    });
    expect(verified.status).toBe(200);
    expect((await search('required')).status).toBe(200);
  });

  it('is asked for from its day on', async () => {
    await test.addUser('soon', 'Doctor', test.clinics.customerId);
    await setClinic('admin', test.clinics.customerId, { twoFactorFrom: tomorrow });
    expect((await search('soon')).status).toBe(200);
    expect((await test.callRoute(accountInfo, 'soon')).body).toMatchObject({
      restriction: null,
      policy: { twoFactorFrom: tomorrow },
    });
  });

  it('does not concern users of another clinic', async () => {
    await setClinic('admin', test.clinics.customerId, { twoFactorFrom: yesterday });
    expect((await search('other')).status).toBe(200);
    expect((await search('doctor')).status).toBe(403);
  });
});
