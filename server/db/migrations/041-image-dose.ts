import { type Kysely, sql } from 'kysely';

const statements = [
  `alter table image
    add column dose_status text not null default 'pending' check (dose_status in ('pending', 'read')),
    add column irradiation_event text,
    add column area_dose double precision`,
  // For the job that reads the files, newest first.
  `create index image_dose_pending on image (created_at desc)
    where dose_status = 'pending' and kind = 'image' and source = 'dicom'`,
];

/** Dose area product and irradiation event of images. They are read from the files in the background. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
