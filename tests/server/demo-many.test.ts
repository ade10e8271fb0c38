import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personalNumberProblem } from '../../contract/personal-numbers.ts';
import { manyClinic, manyEmployee, manyPatient, maximumCounts } from '../../demo/many.ts';
import { CUSTOMERS, DEMO_PASSWORD, USERS } from '../../demo/users.ts';
import { ensureBuiltInRoles } from '../../server/db/stores/role-store.ts';
import { statisticsOf } from '../../server/db/stores/statistics-store.ts';
import { isDemoRequested } from '../../server/demo-seed/seed-demo.ts';
import { seedMany } from '../../server/demo-seed/seed-many.ts';
import { verifyPassword } from '../../server/identity/password.ts';
import { type TestDatabase, testDatabase } from './database.ts';

describe('generated users and patients', () => {
  it('have distinct, unassigned personal numbers that are the same in every run', () => {
    for (const [recordAt, most] of [
      [manyPatient, maximumCounts.patients],
      [manyEmployee, maximumCounts.users],
    ] as const) {
      const records = Array.from({ length: 3_000 }, (_, at) => recordAt(Math.floor((at * most) / 3_000)));
      expect(new Set(records.map((record) => record.personalNumber)).size).toBe(records.length);
      for (const record of records) {
        expect(personalNumberProblem(record.personalNumber, 'SE')).toBeNull();
        expect(record.personalNumber).toMatch(/9[89]\d\d$/);
        expect(record.personalNumber.startsWith(record.birthDate.replaceAll('-', ''))).toBe(true);
      }
      expect(recordAt(77)).toEqual(recordAt(77));
      expect(() => recordAt(most)).toThrow(RangeError);
    }
  });

  it('have names with many different letters, and their clinics have unregistered numbers', () => {
    const names = new Set(Array.from({ length: 5_000 }, (_, at) => manyPatient(at).lastName));
    expect(names.size).toBeGreaterThan(300);
    expect([...names].join('')).toMatch(/å.*ö/);
    expect(new Set(Array.from({ length: 2_000 }, (_, at) => manyClinic(at).organisationNumber)).size).toBe(2_000);
    expect(manyClinic(0).organisationNumber).toMatch(/^4/);
  });
});

describe('a data folder filled with them', () => {
  let test: TestDatabase;
  const requested = { clinics: 12, users: 90, patients: 300 };
  beforeAll(async () => {
    test = await testDatabase();
    await ensureBuiltInRoles(test.db);
    await seedMany(test.db, requested, () => undefined);
  });
  afterAll(() => test?.close());

  it('holds the requested numbers beside the demo clinic, whose images are drawn at the first start', async () => {
    const { users, ...numbers } = await statisticsOf(test.db, { superAdministrators: true });
    expect(numbers.clinics).toBe(requested.clinics + CUSTOMERS.length);
    expect(users.total).toBe(requested.users + USERS.length);
    expect(users.inactive).toBeGreaterThan(0);
    expect(numbers.patients).toBeGreaterThanOrEqual(requested.patients);
    expect(numbers.weekly.some((week) => week.patients > 0)).toBe(true);
    expect(await isDemoRequested(test.db)).toBe(true);
  });

  it('has a large clinic, an administrator in each clinic, and one password for all', async () => {
    const patients = await test.db
      .selectFrom('patient')
      .select('id')
      .where('customer_id', '=', CUSTOMERS[0]?.id ?? '')
      .execute();
    expect(patients.length).toBeGreaterThanOrEqual(requested.patients / 3);
    const chief = await test.db
      .selectFrom('account')
      .innerJoin('role', 'role.id', 'account.role_id')
      .select(['role.name', 'account.password_hash as hash'])
      .where('customer_id', '=', manyClinic(0).id)
      .where('account.id', '=', manyEmployee(0).id)
      .executeTakeFirstOrThrow();
    expect(chief.name).toBe('CustomerAdmin');
    expect(await verifyPassword(DEMO_PASSWORD, chief.hash)).toBe(true);
  });

  it('cannot be filled twice', async () => {
    await expect(seedMany(test.db, requested, () => undefined)).rejects.toThrow('already');
  });
});
