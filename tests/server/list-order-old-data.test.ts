import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../server/db/migrate.ts';
import { migrations } from '../../server/db/migrations.ts';
import { addAccount, addClinic } from './clinic.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { addImage, addPatient, addSeries, addStudy } from './gallery-clinic.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.close());

const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '045'));

it('recomputes the sort keys that an older version wrote, of no other rows', async () => {
  for (const statement of ['drop schema public cascade', 'create schema public'])
    await sql.raw(statement).execute(test.db);
  await migrate(test.db, before);

  const customerId = await addClinic(test.db, 'Østerbro tandklinik');
  const account = await addAccount(test.db, { email: 'l@kliniken.example', role: 'Doctor', customerId });
  await test.db.updateTable('account').set({ last_name: 'Łukasz' }).where('id', '=', account).execute();
  for (const name of ['Łukasz', 'Ærlund', 'Müller', 'Ångström', 'Berg']) {
    const patient = await addPatient(test.db, customerId, 'Eva', name);
    await addImage(test.db, customerId, await addSeries(test.db, await addStudy(test.db, patient)));
  }
  const rowOf = async (name: string) =>
    (
      await sql<{ version: string }>`
        select patient.xmin::text || ' ' || gallery_image.xmin::text as version
        from patient join gallery_image on patient_id = patient.id where last_name = ${name}`.execute(test.db)
    ).rows;
  const untouched = [await rowOf('Ångström'), await rowOf('Berg')];

  expect(await migrate(test.db)).toEqual({ changed: true });

  expect([await rowOf('Ångström'), await rowOf('Berg')]).toEqual(untouched);
  const { rows } = await sql<{ key: string; expected: string }>`
    select name_key as key, list_key(last_name || ' ' || first_name) as expected from patient
    union all select name_key, list_key(last_name || ' ' || first_name) from account
    union all select name_key, list_key(name) from customer
    union all select role_key, role_key(role.rank, role.name, role.id) from account join role on role.id = role_id
    union all select patient_key, patient.name_key from gallery_image join patient on patient.id = patient_id`.execute(
    test.db,
  );
  expect(rows).toHaveLength(13);
  expect(rows.filter(({ key, expected }) => key !== expected)).toEqual([]);
  expect(rows.map(({ key }) => key)).toContain('lukasz eva');
});
