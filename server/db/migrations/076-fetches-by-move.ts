import { type Kysely, sql } from 'kysely';

const statements = [
  `alter table dicom_fetch_study add column by_move boolean not null default false,
    add column lacks_space boolean not null default false`,
  'create index dicom_fetch_study_by_move on dicom_fetch_study (fetch_id) where by_move and outcome is null',
];

/** Studies that a device sends to the archive on its request (C-MOVE). */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
