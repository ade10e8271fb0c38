import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../server/db/schema.ts';

/** Gives a share of the images the hash of another file: the bytes of a random id. */
export const changeFiles = async (db: Kysely<Schema>, share: number): Promise<void> => {
  await sql.raw('alter table image disable trigger user').execute(db);
  await sql`
    with changed as (select id, gen_random_uuid()::text as bytes from image where random() < ${share})
    update image set file_name = changed.bytes, size_bytes = 36, sha256 = encode(sha256(convert_to(changed.bytes, 'UTF8')), 'hex')
    from changed where changed.id = image.id`.execute(db);
  await sql.raw('alter table image enable trigger user').execute(db);
};

/** Returns the text that each file holds, and its hash. */
export const storedTexts = async (db: Kysely<Schema>): Promise<readonly { text: string; sha256: string }[]> =>
  db.selectFrom('image').select(['file_name as text', 'sha256']).execute();
