import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { patientColumns } from '../db/stores/patients.ts';
import { allRoles } from '../db/stores/role-store.ts';
import { readDemoState, writeDemoState } from '../db/stores/seed-state.ts';
import { countAll } from '../db/stores/statistics-counting.ts';
import { demoClinic } from '../demo/clinic.ts';
import { freeTelephone, manyClinic, manyEmployee, manyPatient, thrown } from '../demo/many.ts';
import { CUSTOMERS, DEMO_PASSWORD } from '../demo/people.ts';
import { hashPassword } from '../identity/password.ts';
import { StartRefused } from '../start-refused.ts';
import { seedPeople } from './seed-people.ts';

export interface Many {
  readonly clinics: number;
  readonly users: number;
  readonly patients: number;
}

type Row = Readonly<Record<string, unknown>>;
type Table = 'customer' | 'account' | 'patient';

/** Rows of one statement; all rows name the same columns. */
const batchRows = 5_000;
const day = 86_400_000;

/** Every column that the rows name, in one statement and with one parameter. */
const insertRows = async (db: Kysely<Schema>, table: Table, rows: readonly Row[]): Promise<void> => {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(
    db,
  );
};

const ascii = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]/g, '');

const clinicRow = (index: number): Row => {
  const { organisationNumber, customerNumber, ...same } = manyClinic(index);
  return { ...same, organisation_number: organisationNumber, customer_number: customerNumber, license: 'DEMO' };
};

/** A few clinics are large, most are small. */
const clinicAt = (index: number, clinics: number): string =>
  manyClinic(Math.floor(clinics * thrown(index, 40) ** 2)).id;

const userRow =
  (roles: ReadonlyMap<string, string>, passwordHash: string, clinics: number) =>
  (index: number): Row => {
    const person = manyEmployee(index);
    // The first of each clinic administers it.
    const isChief = index < clinics;
    return {
      id: person.id,
      email: `${ascii(person.firstName)}.${ascii(person.lastName)}.${index + 1}@dentarium.example`,
      first_name: person.firstName,
      last_name: person.lastName,
      personal_number: person.personalNumber,
      telephone: freeTelephone(index),
      hired_since: new Date(Date.UTC(2005, 0, 1) + Math.floor(thrown(index, 41) * 7_500) * day)
        .toISOString()
        .slice(0, 10),
      is_active: isChief || thrown(index, 42) > 0.06,
      customer_id: isChief ? manyClinic(index).id : clinicAt(index, clinics),
      role_id: roles.get(isChief ? 'CustomerAdmin' : 'Doctor'),
      password_hash: passwordHash,
      security_stamp: randomUUID(),
    };
  };

/** Every third one belongs to the first demo clinic, so that one clinic is large; they came in over two years, lately more. */
const patientRow =
  (clinics: number, now: number) =>
  (index: number): Row => {
    const { id, ...person } = manyPatient(index);
    const customerId = index % 3 === 0 ? CUSTOMERS[0]?.id : clinicAt(index, clinics);
    const entered = new Date(now - thrown(index, 43) ** 2 * 730 * day).toISOString();
    const columns = patientColumns({ ...person, comments: null });
    return { id, customer_id: customerId, ...columns, entered_date: entered, modified_date: entered };
  };

/**
 * Fills a new installation: the demo clinic's people, who sign in as ever and whose images are drawn at the first start, and the many around them.
 * All of them sign in by the demo password.
 * @throws StartRefused when the installation holds anything already
 */
export const seedMany = async (
  db: Kysely<Schema>,
  { clinics, users, patients }: Many,
  progress: (what: string, done: number, total: number) => void,
): Promise<void> => {
  const isUsed = await db.selectFrom('customer').select('id').limit(1).executeTakeFirst();
  if (isUsed || (await readDemoState(db)))
    throw new StartRefused('This data folder holds an installation already: choose another one by --data');
  const now = Date.now();
  const anchorDate = new Date(now).toISOString().slice(0, 10);
  await db.transaction().execute(async (transaction) => {
    await writeDemoState(transaction, { anchorDate, complete: false });
    await seedPeople(transaction, demoClinic(anchorDate), hashPassword);
  });
  const roles = new Map((await allRoles(db)).map(({ name, id }) => [name, id]));
  const rowOfUser = userRow(roles, await hashPassword(DEMO_PASSWORD), clinics);
  const fill = async (what: string, table: Table, total: number, rowAt: (index: number) => Row) => {
    for (let from = 0; from < total; from += batchRows) {
      const size = Math.min(batchRows, total - from);
      await insertRows(
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
  await sql`vacuum analyze`.execute(db);
};
