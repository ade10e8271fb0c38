import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../server/db/migrate.ts';
import { migrations } from '../../server/db/migrations.ts';
import { studySearchText } from '../../server/db/stores/study-search-text.ts';
import { addAccount, addClinic } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.close());

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '019'));
const textOf = async (table: string, id: string): Promise<string> => {
  const key = table === 'gallery_image' ? 'image_id' : 'id';
  const { rows } = await sql<{
    text: string;
  }>`select search_text as text from ${sql.table(table)} where ${sql.ref(key)} = ${id}`.execute(test.db);
  return rows[0]?.text ?? '';
};

it('recomputes search keys written by an older version and keeps the rest', async () => {
  for (const statement of ['drop schema public cascade', 'create schema public'])
    await sql.raw(statement).execute(test.db);
  await migrate(test.db, before);

  const customerId = await addClinic(test.db, 'Łódź tandvård');
  const numbered = { organisation_number: '556677-8899', customer_number: 'K-7', city: 'Ærøskøbing' };
  await test.db.updateTable('customer').set(numbered).where('id', '=', customerId).execute();
  const account = await addAccount(test.db, { email: 'sarka.l@kliniken.example', role: 'Doctor', customerId });
  const named = { first_name: 'Šárka', last_name: "O'Łukasz", personal_number: '19800101-9804' };
  await test.db.updateTable('account').set(named).where('id', '=', account).execute();
  const patient = await addPatient(test.db, customerId, 'ΣΩΤΉΡΗΣ', 'Žižka');
  await sql`update patient set search_text = ' σωτηρης zizka' where id = ${patient.id}`.execute(test.db);
  const [description, accession_number] = ['Kontroll hos Łukasz', 'A-12.B'];
  const study = await addStudy(test.db, patient, { description });
  await sql`update study set accession_number = ${accession_number}, search_text = search_key(description) where id = ${study}`.execute(
    test.db,
  );
  const untouched = await addStudy(test.db, patient);
  const right = studySearchText({ description: 'Kontroll', accessionNumber: null });
  await sql`update study set search_text = ${right} where id = ${untouched}`.execute(test.db);
  const image = await addImage(test.db, customerId, await addSeries(test.db, study), { comments: 'ЖАННА såg det' });
  const plain = await addImage(test.db, customerId, await addSeries(test.db, untouched));

  const versions = async () =>
    (await sql<{ at: string }>`select xmin::text as at from study where id = ${untouched}`.execute(test.db)).rows;
  const [asItWas, seen] = [await textOf('gallery_image', plain), await versions()];

  expect(await migrate(test.db)).toEqual({ changed: true });

  expect(await textOf('customer', customerId)).toBe(' lodz tandvard 556677 8899 5566778899 k 7 aeroskobing');
  expect(await textOf('account', account)).toBe(
    ' sarka olukasz sarkal klinikenexample sarka l kliniken example # 198001019804',
  );
  expect(await textOf('patient', patient.id)).toBe(' σωτηρησ zizka');
  const { rows: words } = await sql<{
    word: string;
  }>`select word from patient_word where patient_id = ${patient.id} and place < 2`.execute(test.db);
  expect(words.map(({ word }) => word).toSorted()).toEqual(['zizka', 'σωτηρησ']);
  expect(await textOf('study', study)).toBe(studySearchText({ description, accessionNumber: accession_number }));
  const { rows: studyWords } = await sql<{
    word: string;
  }>`select word from study_word where study_id = ${study}`.execute(test.db);
  expect(studyWords.map(({ word }) => word)).toContain('lukasz');
  expect(await textOf('gallery_image', image)).toContain(' жанна sag det');
  expect(await textOf('gallery_image', image)).toContain('lukasz');
  expect([await textOf('gallery_image', plain), await versions()]).toEqual([
    asItWas.replace('ΣΩΤΗΡΗΣ', 'σωτηρησ'),
    seen,
  ]);
  const { rows: left } =
    await sql`select proname from pg_proc where proname in ('search_key', 'gallery_words')`.execute(test.db);
  expect(left).toEqual([]);
});

it('changes nothing at a second start', async () => {
  expect(await migrate(test.db)).toEqual({ changed: false });
});
