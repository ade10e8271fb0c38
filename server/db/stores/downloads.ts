import { type Kysely, sql } from 'kysely';
import type { DownloadScope } from '../../../contract/gallery.ts';
import { inOrderOf } from '../list-page.ts';
import type { Schema } from '../schema.ts';
import { isListed, visibleImages } from './visible-images.ts';

const columns = (db: Kysely<Schema>) =>
  visibleImages(db)
    .select([
      'image.id',
      'image.customer_id',
      'study.patient_id',
      'image.sha256',
      'image.original_sha256',
      'image.kind',
    ])
    .select(['image.file_name', 'image.size_bytes', 'image.acquired_at', 'study.study_date', 'series.modality'])
    .select('image.created_at')
    .select(isListed.as('is_listed'))
    // Those set by a user, else those of its slots, else those of the file.
    .select(
      sql<number[]>`coalesce(image.chosen_teeth, nullif(array(
        select distinct unnest(viewset_item.teeth) from viewset_item join viewset on viewset.id = viewset_item.viewset_id
        where viewset_item.image_id = image.id and viewset.deleted_at is null order by 1), '{}'), image.teeth)`.as(
        'teeth',
      ),
    );

/** Returns the columns that a download needs, in the order of the ids. Missing and deleted images are left out. */
const namedImages = async (db: Kysely<Schema>, imageIds: readonly string[]) => {
  const rows = await columns(db)
    .where('image.id', '=', sql<string>`any(${[...imageIds]}::uuid[])`)
    .execute();
  return inOrderOf(imageIds, rows);
};

/**
 * Returns the images of a download: those named in their order, each once, or those of a study or patient by date, series and number, at
 * most `limit`. Missing and deleted images are left out.
 */
export const imagesToDownload = async (
  db: Kysely<Schema>,
  { imageUIDs, studyId, patientId }: DownloadScope,
  limit: number,
) => {
  if (imageUIDs) return namedImages(db, [...new Set(imageUIDs)]);
  const found = columns(db)
    .$if(studyId !== undefined, (query) => query.where('study.id', '=', studyId ?? ''))
    .$if(patientId !== undefined, (query) => query.where('study.patient_id', '=', patientId ?? ''));
  return found
    .orderBy('study.study_date')
    .orderBy('study.id')
    .orderBy('series.number')
    .orderBy('series.id')
    .orderBy('image.number')
    .orderBy('image.id')
    .limit(limit)
    .execute();
};

export type ImageToDownload = Awaited<ReturnType<typeof imagesToDownload>>[number];
