import { type Kysely, sql } from 'kysely';

const ofImages = (
  moment: string,
  join: string,
) => `(select max(${moment}) from study join series on series.study_id = study.id
    join image on image.series_id = series.id ${join} where study.patient_id = $1)`;
const ofViewsets = (moment: string, join: string) => `(select max(${moment}) from study
    join viewset on viewset.study_id = study.id ${join} where study.patient_id = $1)`;

const entries = [
  '(select greatest(entered_date, modified_date) from patient where id = $1)',
  '(select max(greatest(created_at, study_date::timestamptz)) from study where patient_id = $1)',
  `(select max(changed_at) from study join study_change on study_change.subject_id = study.id where patient_id = $1)`,
  ofImages('image.created_at', ''),
  ofImages('changed_at', 'join image_change on image_change.subject_id = image.id'),
  ofImages('image_note.saved_at', 'join image_note on image_note.subject_id = image.id'),
  ofImages('image_grade.saved_at', 'join image_grade on image_grade.image_id = image.id'),
  ofImages('image_display.saved_at', 'join image_display on image_display.image_id = image.id'),
  ofViewsets('viewset.created_at', ''),
  ofViewsets('viewset_note.saved_at', 'join viewset_note on viewset_note.subject_id = viewset.id'),
];

const statements = [
  // Null: never. 10 years: Patientdatalagen 3 kap. 17 §, and the Danish order on records.
  'alter table customer add column retention_years integer default 10 check (retention_years between 10 and 200)',
  `create function patient_last_entry(uuid) returns timestamptz language sql stable begin atomic
    select greatest(${entries.join(',\n')}); end`,
];

/** How long a clinic retains its records, and when the last entry of a patient was made. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
