import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personalNumberProblem } from '../../contract/personal-numbers.ts';
import { ensureBuiltInRoles } from '../../server/db/stores/role-store.ts';
import { statisticsOf } from '../../server/db/stores/statistics-store.ts';
import { manyClinic, manyEmployee, manyPatient, mostPeople } from '../../server/demo/many.ts';
import { CUSTOMERS, DEMO_PASSWORD, USERS } from '../../server/demo/people.ts';
import { verifyPassword } from '../../server/identity/password.ts';
import { isDemoWanted } from '../../server/seed/seed-demo.ts';
import { seedMany } from '../../server/seed/seed-many.ts';
import { type TestDatabase, testDatabase } from './database.ts';

describe('people by the thousand', () => {
  it('have each a number of their own that is nobody’s, and are the same in every run', () => {
    for (const [personAt, most] of [
      [manyPatient, mostPeople.patients],
      [manyEmployee, mostPeople.users],
    ] as const) {
      const people = Array.from({ length: 3_000 }, (_, at) => personAt(Math.floor((at * most) / 3_000)));
      expect(new Set(people.map((person) => person.personalNumber)).size).toBe(people.length);
      for (const person of people) {
        expect(personalNumberProblem(person.personalNumber, 'SE')).toBeNull();
        expect(person.personalNumber).toMatch(/9[89]\d\d$/);
        expect(person.personalNumber.startsWith(person.birthDate.replaceAll('-', ''))).toBe(true);
      }
      expect(personAt(77)).toEqual(personAt(77));
      expect(() => personAt(most)).toThrow(RangeError);
    }
  });

  it('have names of many letters, and clinics have numbers of no register', () => {
    const names = new Set(Array.from({ length: 5_000 }, (_, at) => manyPatient(at).lastName));
    expect(names.size).toBeGreaterThan(300);
    expect([...names].join('')).toMatch(/å.*ö/);
    expect(new Set(Array.from({ length: 2_000 }, (_, at) => manyClinic(at).organisationNumber)).size).toBe(2_000);
    expect(manyClinic(0).organisationNumber).toMatch(/^4/);
  });
});

describe('a folder filled with them', () => {
  let test: TestDatabase;
  const wanted = { clinics: 12, users: 90, patients: 300 };
  beforeAll(async () => {
    test = await testDatabase();
    await ensureBuiltInRoles(test.db);
    await seedMany(test.db, wanted, () => undefined);
  });
  afterAll(() => test?.close());

  it('holds as many as were wanted beside the demo clinic, whose images are drawn at the first start', async () => {
    const { users, ...numbers } = await statisticsOf(test.db, { superAdministrators: true });
    expect(numbers.clinics).toBe(wanted.clinics + CUSTOMERS.length);
    expect(users.total).toBe(wanted.users + USERS.length);
    expect(users.inactive).toBeGreaterThan(0);
    expect(numbers.patients).toBeGreaterThanOrEqual(wanted.patients);
    expect(numbers.weekly.some((week) => week.patients > 0)).toBe(true);
    expect(await isDemoWanted(test.db)).toBe(true);
  });

  it('has a large clinic, an administrator in each, and one password for all', async () => {
    const patients = await test.db
      .selectFrom('patient')
      .select('id')
      .where('customer_id', '=', CUSTOMERS[0]?.id ?? '')
      .execute();
    expect(patients.length).toBeGreaterThanOrEqual(wanted.patients / 3);
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

  it('is not filled twice', async () => {
    await expect(seedMany(test.db, wanted, () => undefined)).rejects.toThrow('already');
  });
});
