import { type Kysely, sql } from 'kysely';

const statements = [
  // A mount that arrived as a Basic Structured Display: {imageId, notTaken}. Null: made here.
  'alter table viewset add column structured_display jsonb',
  // SOP Instance UID of an image that has not arrived. Null: none is missing.
  'alter table viewset_item add column awaited_uid text',
  // Null: the display arrived with the mount, perhaps from a program without an account.
  'alter table image_display alter column account_id drop not null',
];

/** Mounts that arrive as DICOM objects, perhaps before their images. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  for (const statement of statements) await sql.raw(statement).execute(db);
};
