import { type Kysely, sql } from 'kysely';
import { inOrderOf } from '../list-page.ts';
import type { Schema } from '../schema.ts';

/** What a list shows of images and of those around them, in the order of the ids. What has gone into the recycle bin meanwhile is left out. */
export const galleryRows = async (db: Kysely<Schema>, imageIds: readonly string[]) => {
  if (imageIds.length === 0) return [];
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
    .select([
      'image.id',
      'image.customer_id',
      'image.sop_instance_uid',
      'image.kind',
      'image.number',
      'image.thumb_status',
    ])
    .select(['image.acquired_at', 'image.comments', 'image.compression', 'image.file_name', 'image.size_bytes'])
    .select([
      'image.sensor_type',
      'image.transfer_syntax',
      'image.source',
      'image.created_at',
      'image.columns',
      'image.rows',
    ])
    .select(['image.frames', 'image.teeth', 'image.chosen_teeth', 'image.laterality'])
    .select(['series.uid as series_uid', 'series.modality', 'series.description as series_description'])
    .select(['study.id as study_id', 'study.uid as study_uid', 'study.study_date', 'study.description'])
    .select(['patient.id as patient_id', 'patient.first_name', 'patient.last_name', 'patient.personal_number'])
    .select((expression) =>
      expression
        .selectFrom('viewset_item')
        .innerJoin('viewset', 'viewset.id', 'viewset_item.viewset_id')
        .innerJoin('study as hanging', 'hanging.id', 'viewset.study_id')
        .whereRef('viewset_item.image_id', '=', 'image.id')
        .where('viewset.deleted_at', 'is', null)
        .where('hanging.deleted_at', 'is', null)
        .select('viewset_item.viewset_id')
        .orderBy('viewset.created_at')
        .limit(1)
        .as('viewset_id'),
    )
    .execute();
  return inOrderOf(imageIds, rows);
};

export type GalleryRow = Awaited<ReturnType<typeof galleryRows>>[number];
