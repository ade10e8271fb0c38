import { type Kysely, sql } from 'kysely';

/** Nodes claim images whose thumbnails and renditions they make, instead of holding a transaction open while they decode. */
export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create table derive_claim (
    image_id uuid primary key references image on delete cascade, owner uuid not null, claimed_until timestamptz not null)`.execute(
    db,
  );
};
