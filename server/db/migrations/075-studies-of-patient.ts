import { type Kysely, sql } from 'kysely';

const statements = [
  // With all that puts the studies of many patients in order without reading them.
  'create index study_of_patient on study (patient_id, study_date, id) include (customer_id, deleted_at)',
  'drop index study_patient',
];

/** The studies of a patient by day, and of many patients in the order of the list. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
