import { type Kysely, sql } from 'kysely';

const attribute = (name: string, path: string) =>
  `create index image_${name} on image (customer_id, ((dicom_attributes #>> '{${path}}') collate "C"))`;

const statements = [
  attribute('study_time', '00080030,Value,0'),
  attribute('referring_physician', '00080090,Value,0,Alphabetic'),
  attribute('study_id', '00200010,Value,0'),
  'create index series_modality on series (modality, study_id)',
  'create index patient_birth_date on patient (customer_id, birth_date) where deleted_at is null',
  // Parts of names are looked up among the words of names.
  'drop index patient_name_part',
  // The planner knows how frequent values of an expression are only after this.
  'analyze image',
];

/** For searches by DICOMweb and C-FIND. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
