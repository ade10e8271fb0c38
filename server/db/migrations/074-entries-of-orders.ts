import { type Kysely, sql } from 'kysely';

const statements = [
  'alter function patient_last_entry(uuid) rename to patient_last_image_entry',
  `create function patient_last_entry(uuid) returns timestamptz language sql stable begin atomic
    select greatest(patient_last_image_entry($1),
      (select max(created_at) from imaging_order where patient_id = $1),
      (select max(made_at) from shared_link where patient_id = $1)); end`,
];

/** An order of images, and images for a recipient with a question, are entries of the record of a patient too. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
