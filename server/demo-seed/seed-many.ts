import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { demoClinic } from '../../demo/clinic.ts';
import { freeTelephone, manyClinic, manyEmployee, manyPatient, randomNumber } from '../../demo/many.ts';
import { CUSTOMERS, DEMO_PASSWORD } from '../../demo/users.ts';
import type { Schema } from '../db/schema.ts';
import { hasCustomers } from '../db/stores/customer-store.ts';
import { patientColumns } from '../db/stores/patients.ts';
import { allRoles } from '../db/stores/role-store.ts';
import { type SeedRow, type SeedTable, seedRows, vacuumAnalyze } from '../db/stores/seed-rows.ts';
import { readDemoState, writeDemoState } from '../db/stores/seed-state.ts';
import { countAll } from '../db/stores/statistics-counting.ts';
import { hashPassword } from '../identity/password.ts';
import { StartupError } from '../startup-error.ts';
import { seedUsers } from './seed-users.ts';

export interface Many {
  readonly clinics: number;
  readonly users: number;
  readonly patients: number;
}

/** Rows per statement. */
const batchRows = 5_000;
const day = 86_400_000;

const ascii = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]/g, '');

const clinicRow = (index: number): SeedRow => {
  const { organisationNumber, customerNumber, ...same } = manyClinic(index);
  return { ...same, organisation_number: organisationNumber, customer_number: customerNumber, license: 'DEMO' };
};

/** A few clinics are large, most are small. */
const clinicAt = (index: number, clinics: number): string =>
  manyClinic(Math.floor(clinics * randomNumber(index, 40) ** 2)).id;

const userRow =
  (roles: ReadonlyMap<string, string>, passwordHash: string, clinics: number) =>
  (index: number): SeedRow => {
    const user = manyEmployee(index);
    // The first user of each clinic is its administrator.
    const isChief = index < clinics;
    return {
      id: user.id,
      email: `${ascii(user.firstName)}.${ascii(user.lastName)}.${index + 1}@dentarium.example`,
      first_name: user.firstName,
      last_name: user.lastName,
      personal_number: user.personalNumber,
      telephone: freeTelephone(index),
      hired_since: new Date(Date.UTC(2005, 0, 1) + Math.floor(randomNumber(index, 41) * 7_500) * day)
        .toISOString()
        .slice(0, 10),
      is_active: isChief || randomNumber(index, 42) > 0.06,
      customer_id: isChief ? manyClinic(index).id : clinicAt(index, clinics),
      role_id: roles.get(isChief ? 'CustomerAdmin' : 'Doctor'),
      password_hash: passwordHash,
      security_stamp: randomUUID(),
    };
  };

/** Every third patient belongs to the first demo clinic, so that one clinic is large; created over two years, more of them recently. */
const patientRow =
  (clinics: number, now: number) =>
  (index: number): SeedRow => {
    const { id, ...user } = manyPatient(index);
    const customerId = index % 3 === 0 ? CUSTOMERS[0]?.id : clinicAt(index, clinics);
    const entered = new Date(now - randomNumber(index, 43) ** 2 * 730 * day).toISOString();
    const columns = patientColumns({ ...user, comments: null });
    return { id, customer_id: customerId, ...columns, entered_date: entered, modified_date: entered };
  };

/**
 * Fills a new installation: the users of the demo clinic, whose images are rendered at the first start, and many generated ones. All sign in
 * with the demo password.
 * @throws StartupError when the installation already holds data
 */
export const seedMany = async (
  db: Kysely<Schema>,
  { clinics, users, patients }: Many,
  progress: (what: string, done: number, total: number) => void,
): Promise<void> => {
  if ((await hasCustomers(db)) || (await readDemoState(db)))
    throw new StartupError('This data folder holds an installation already: choose another one by --data');
  const now = Date.now();
  const anchorDate = new Date(now).toISOString().slice(0, 10);
  await db.transaction().execute(async (transaction) => {
    await writeDemoState(transaction, { anchorDate, complete: false });
    await seedUsers(transaction, demoClinic(anchorDate), hashPassword);
  });
  const roles = new Map((await allRoles(db, 'sv')).map(({ name, id }) => [name, id]));
  const rowOfUser = userRow(roles, await hashPassword(DEMO_PASSWORD), clinics);
  const fill = async (what: string, table: SeedTable, total: number, rowAt: (index: number) => SeedRow) => {
    for (let from = 0; from < total; from += batchRows) {
      const size = Math.min(batchRows, total - from);
      await seedRows(
        db,
        table,
        Array.from({ length: size }, (_, at) => rowAt(from + at)),
      );
      progress(what, from + size, total);
    }
  };
  await fill('Clinics', 'customer', clinics, clinicRow);
  await fill('People of clinics', 'account', users, rowOfUser);
  await fill('Patients', 'patient', patients, patientRow(clinics, now));
  await countAll(db);
  await vacuumAnalyze(db);
};
