import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { referencedFilesQuery } from './leftovers.ts';

/** A stored file that rows reference. */
export interface ReferencedFile {
  readonly sha256: string;
  /** As recorded at the import; null when no image records it. */
  readonly sizeBytes: number | null;
}

/** Returns every stored file that a row references, in order of their hashes. */
export const referencedFiles = async (db: Kysely<Schema>, keepMs: number): Promise<readonly ReferencedFile[]> => {
  const { rows } = await sql<ReferencedFile>`
    select sha256, (select size_bytes from image where image.sha256 = referenced.sha256 limit 1) as "sizeBytes"
    from (${sql.raw(referencedFilesQuery(keepMs))}) as referenced order by sha256 collate "C"`.execute(db);
  return rows;
};

/** Returns the number of images whose thumbnail or rendition could not be made. */
export const underivedImages = async (db: Kysely<Schema>): Promise<number> => {
  const { rows } = await sql<{ images: number }>`
    select count(*)::int as images from image where thumb_status = 'error' or rendition_status = 'error'`.execute(db);
  return rows[0]?.images ?? 0;
};
