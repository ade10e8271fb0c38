import { type Kysely, sql } from 'kysely';
import { inOrderOf } from '../list-page.ts';
import type { Schema } from '../schema.ts';
import { visibleImages } from './visible-images.ts';

/** Returns the columns that a download needs, in the order of the ids. Missing and deleted images are left out. */
export const imagesToDownload = async (db: Kysely<Schema>, imageIds: readonly string[]) => {
  const rows = await visibleImages(db)
    .where('image.id', '=', sql<string>`any(${[...imageIds]}::uuid[])`)
    .select(['image.id', 'image.customer_id', 'study.patient_id', 'image.sha256', 'image.original_sha256'])
    .select(['image.file_name', 'image.acquired_at', 'study.study_date', 'series.modality', 'image.created_at'])
    .execute();
  return inOrderOf(imageIds, rows);
};

export type ImageToDownload = Awaited<ReturnType<typeof imagesToDownload>>[number];
