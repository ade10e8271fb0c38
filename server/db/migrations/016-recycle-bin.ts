import { type Kysely, sql } from 'kysely';

const statements = [
  // Who put it there. What is not deleted was deleted by nobody.
  ...['patient', 'study'].map(
    (table) => `alter table ${table} add column deleted_by uuid references account,
      add constraint ${table}_deleted_by check (deleted_by is null or deleted_at is not null)`,
  ),
  'create index patient_deleted on patient (customer_id, deleted_at, id) where deleted_at is not null',
  'create index patient_deleted_name on patient (customer_id, name_key, id) where deleted_at is not null',
  'create index study_deleted on study (customer_id, deleted_at, id) where deleted_at is not null',
  // Imports of a patient whose studies go to another one.
  'create index import_study_patient on import_study (patient_id) where patient_id is not null',
];

/** The recycle bin says who put something there, and lists it in the order in which it came. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
