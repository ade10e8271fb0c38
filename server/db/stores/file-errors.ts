import { type Kysely, sql } from 'kysely';
import type { FileError } from '../../../contract/images.ts';
import type { Schema } from '../schema.ts';
import { visibleImages } from './visible-images.ts';

export type FileErrorKind = FileError['kind'];

/** Images whose object or original picture has one of these hashes, including deleted ones. */
const ofFiles = (hashes: readonly string[]) =>
  sql<boolean>`(image.sha256 = any(${[...hashes]}::text[]) or image.original_sha256 = any(${[...hashes]}::text[]))`;

/** Records that a stored file is damaged or missing; an existing record keeps its time. Returns whether it is new. */
export const recordFileError = async (db: Kysely<Schema>, sha256: string, kind: FileErrorKind): Promise<boolean> => {
  const { rows } = await sql<{ before: FileErrorKind | null }>`
    with before as (select kind from stored_file_fault where sha256 = ${sha256})
    insert into stored_file_fault (sha256, kind) values (${sha256}, ${kind})
    on conflict (sha256) do update set kind = excluded.kind, checked_at = now()
    returning (select kind from before) as before`.execute(db);
  return rows[0]?.before !== kind;
};

/** Returns which of these files have an error. Called after each upload: one lookup in a nearly empty index. */
const fileErrorsAmong = async (db: Kysely<Schema>, hashes: readonly string[]): Promise<readonly string[]> => {
  if (hashes.length === 0) return [];
  const rows = await db
    .selectFrom('stored_file_fault')
    .select('sha256')
    .where('sha256', '=', sql<string>`any(${[...hashes]}::text[])`)
    .execute();
  return rows.map((row) => row.sha256);
};

/** Removes the errors of these files and queues their derived files. Returns the files that had one. */
export const clearFileErrors = async (db: Kysely<Schema>, hashes: readonly string[]): Promise<readonly string[]> => {
  const known = await fileErrorsAmong(db, hashes);
  if (known.length === 0) return [];
  return db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .deleteFrom('stored_file_fault')
      .where('sha256', 'in', known)
      .returning('sha256')
      .execute();
    const cleared = rows.map((row) => row.sha256);
    if (cleared.length === 0) return cleared;
    await transaction
      .updateTable('image')
      .set({ thumb_status: 'pending', rendition_status: 'pending' })
      .where('kind', '=', 'image')
      .where(ofFiles(cleared))
      .execute();
    return cleared;
  });
};

/** Returns the files with an error that were not checked for the longest time. */
export const fileErrorsToCheck = async (db: Kysely<Schema>, limit: number): Promise<readonly string[]> => {
  const rows = await db.selectFrom('stored_file_fault').select('sha256').orderBy('checked_at').limit(limit).execute();
  return rows.map((row) => row.sha256);
};

/** Removes the error of a file that no image references any more. Returns whether it did. */
export const deleteUnreferencedFileError = async (db: Kysely<Schema>, sha256: string): Promise<boolean> => {
  const row = await db
    .deleteFrom('stored_file_fault')
    .where('sha256', '=', sha256)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('image')
            .select('image.id')
            .where(ofFiles([sha256])),
        ),
      ),
    )
    .returning('sha256')
    .executeTakeFirst();
  return row !== undefined;
};

/** Returns the patients whose images use this file, each once. */
export const patientsOfFile = (db: Kysely<Schema>, sha256: string) =>
  visibleImages(db)
    .where(ofFiles([sha256]))
    .select(['image.customer_id', 'study.patient_id'])
    .distinct()
    .execute();

const withFileError = (db: Kysely<Schema>) =>
  visibleImages(db).innerJoin('stored_file_fault', (join) =>
    // Not `IN`: with `OR` both indexes of the images are used.
    join.on(
      sql<boolean>`(image.sha256 = stored_file_fault.sha256 or image.original_sha256 = stored_file_fault.sha256)`,
    ),
  );

/** Returns images with a damaged or missing file, newest error first: of one clinic, or (null) of all. */
export const faultyImages = async (
  db: Kysely<Schema>,
  customerId: string | null,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) => {
  const images =
    customerId === null ? withFileError(db) : withFileError(db).where('image.customer_id', '=', customerId);
  const { total } = await images.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
  const rows = await images
    .select(['image.id', 'image.customer_id', 'customer.name as customer_name', 'study.patient_id', 'study.study_date'])
    .select(['study.id as study_id', 'series.uid as series_uid', 'series.modality'])
    .select(['stored_file_fault.kind', 'stored_file_fault.since'])
    .orderBy('stored_file_fault.since', 'desc')
    .orderBy('image.id')
    .offset(offset)
    .limit(limit)
    .execute();
  return { rows, totalCount: Number(total) };
};

/** Returns the number of images with a damaged or missing file and the time of the first; null where there is none. */
export const countFaultyImages = async (db: Kysely<Schema>) => {
  const { damaged, missing, since } = await withFileError(db)
    .select(({ fn }) => fn.min('stored_file_fault.since').as('since'))
    .select(sql<string>`count(*) filter (where stored_file_fault.kind = 'damaged')`.as('damaged'))
    .select(sql<string>`count(*) filter (where stored_file_fault.kind = 'missing')`.as('missing'))
    .executeTakeFirstOrThrow();
  return since === null ? null : { damaged: Number(damaged), missing: Number(missing), since: new Date(since) };
};
