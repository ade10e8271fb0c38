import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertPatient } from '../../server/db/stores/patients.ts';
import { areSeveral, candidatesFor } from '../../server/imports/ledger/candidates.ts';
import { addTwoClinics } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';

let database: TestDatabase;
let clinics: Awaited<ReturnType<typeof addTwoClinics>>;

const add = (firstName: string, lastName: string, personalNumber: string, birthDate: string | null, clinic?: string) =>
  insertPatient(database.db, {
    id: randomUUID(),
    customerId: clinic ?? clinics.customerId,
    firstName,
    lastName,
    personalNumber,
    birthDate,
    sex: null,
    comments: null,
  });

beforeAll(async () => {
  database = await testDatabase();
  clinics = await addTwoClinics(database.db);
  await add('Åsa Maria', 'Lindström-Ek', '19800101-1234', '1980-01-01');
  await add('Åsa', 'Lindström', '19750505-2399', '1975-05-05');
  await add('Gustav', 'Ek', '19120101-2390', '1912-01-01');
  await add('Bo', 'Ström', '19600312-2396', '1960-03-12');
  await add('Karen', 'Østergaard', '010180-1234', '1980-01-01');
  await add('Åsa Maria', 'Lindström-Ek', '19800101-1234', '1980-01-01', clinics.otherCustomerId);
});

afterAll(() => database.close());

const written = (facts: { name?: string; patientId?: string; birthDate?: string }) => ({
  name: null,
  patientId: null,
  birthDate: null,
  sex: null,
  ...facts,
});

test.each([
  ['with dash and century', { patientId: '19800101-1234' }, ['Lindström-Ek same']],
  ['without century', { patientId: '800101-1234' }, ['Lindström-Ek same']],
  ['digits alone', { patientId: '8001011234', name: 'LINDSTROM^ASA' }, ['Lindström-Ek same']],
  ['by name and birth date', { name: 'LINDSTROM EK^ASA', birthDate: '1980-01-01' }, ['Lindström-Ek same']],
  [
    'a number with the name of another patient',
    { patientId: '800101-1234', name: 'Berg^Nils' },
    ['Lindström-Ek possible'],
  ],
  ['by name alone', { name: 'Lindström^Åsa' }, ['Lindström possible', 'Lindström-Ek possible']],
  ['by name, day and month swapped', { name: 'Ström^Bo', birthDate: '1960-12-03' }, ['Ström possible']],
  ['a namesake of another number', { name: 'Lindström^Åsa', patientId: '19660606-2399' }, []],
  ['by name, one digit mistyped', { name: 'Lindström^Åsa', birthDate: '1976-05-05' }, ['Lindström possible']],
  ['a namesake born another day', { name: 'Østergaard^Karen', birthDate: '1955-07-19' }, []],
  ['the wrong century', { patientId: '20120101-2390' }, ['Ek possible']],
  ['a Danish number', { patientId: '0101801234', birthDate: '1980-01-01' }, ['Østergaard same']],
  ['by birth date alone', { birthDate: '1980-01-01' }, []],
  ['one word of a name', { name: 'Lindström' }, []],
  ['a serial number of a device', { patientId: 'CASE-7' }, []],
  ['characters with a meaning in SQL patterns', { name: '%^_' }, []],
] as const)('%s', async (_, facts, expected) => {
  const found = await candidatesFor(database.db, clinics.customerId, written(facts));
  expect(found.map(({ patient, match }) => `${patient.last_name} ${match}`)).toEqual(expected);
});

test('excludes deleted patients and those of other clinics', async () => {
  const set = database.db.updateTable('patient').where('last_name', '=', 'Ek');
  await set.set({ deleted_at: new Date() }).execute();
  expect(await candidatesFor(database.db, clinics.customerId, written({ patientId: '19120101-2390' }))).toEqual([]);
  await set.set({ deleted_at: null }).execute();
  const others = await candidatesFor(database.db, clinics.otherCustomerId, written({ patientId: '19750505-2399' }));
  expect(others).toEqual([]);
});

test.each([
  [false, [{ name: 'Lindström^Åsa' }, { name: 'LINDSTROM^ASA', patientId: '800101-1234' }]],
  [false, [{ patientId: '800101-1234' }, { patientId: '19800101-1234', name: 'Lindström^Åsa' }]],
  [false, [{ name: 'Lindström^Åsa' }, { name: 'Lindström^Åsa^Maria', birthDate: '1980-01-01' }]],
  [true, [{ name: 'Lindström^Åsa' }, { name: 'Berg^Nils' }]],
  [true, [{ patientId: '19800101-1234' }, { patientId: '19900202-2384' }]],
  [
    true,
    [
      { name: 'Lindström^Åsa', birthDate: '1980-01-01' },
      { name: 'Lindström^Åsa', birthDate: '1990-01-01' },
    ],
  ],
] as const)('several: %s for %j', (several, rows) => {
  expect(areSeveral(rows.map(written))).toBe(several);
});
