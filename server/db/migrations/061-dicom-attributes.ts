import { type Kysely, sql } from 'kysely';

const statements = [
  // Null: not read yet. Servers before this migration leave it so.
  'alter table image add column dicom_attributes jsonb',
  // For the job that reads the files, newest first.
  'create index image_attributes_pending on image (created_at desc) where dicom_attributes is null',
  // For searches by DICOMweb that name no study.
  'create index series_uid on series (uid)',
  // For parts of names, which the index of words does not find.
  'create index patient_name_part on patient using gin (search_text gin_trgm_ops)',
];

/** Attributes of files that searches by DICOMweb return beside the records. They are read from the files in the background. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
