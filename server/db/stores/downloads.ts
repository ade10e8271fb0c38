import { type Kysely, sql } from 'kysely';
import { inOrderOf } from '../list-page.ts';
import type { Schema } from '../schema.ts';

/** What a download needs of images, in the order of the ids. What is not there, or lies in the recycle bin, is left out. */
export const imagesToDownload = async (db: Kysely<Schema>, imageIds: readonly string[]) => {
  const rows = await db
    .selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .where('image.id', '=', sql<string>`any(${[...imageIds]}::uuid[])`)
    .where('image.deleted_at', 'is', null)
    .where('series.deleted_at', 'is', null)
    .where('study.deleted_at', 'is', null)
    .where('patient.deleted_at', 'is', null)
    .select(['image.id', 'image.customer_id', 'study.patient_id', 'image.sha256', 'image.original_sha256'])
    .select(['image.file_name', 'image.acquired_at', 'study.study_date', 'series.modality', 'image.created_at'])
    .execute();
  return inOrderOf(imageIds, rows);
};

export type ImageToDownload = Awaited<ReturnType<typeof imagesToDownload>>[number];
