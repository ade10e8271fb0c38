import { type Kysely, sql } from 'kysely';

const statements = [
  // Where the files of a moved series say that they belong. Null: their study and series are those of the row.
  'alter table series add column origin_study_uid text, add column origin_series_uid text',
  'create index series_origin on series (origin_study_uid, origin_series_uid) where origin_study_uid is not null',
  // The import took the image, its series or its study out of the recycle bin.
  'alter table import_file add column was_restored boolean not null default false',
];

/** Series and images that were moved to a study of another patient, and files whose import restored something. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
