import { type Kysely, sql } from 'kysely';
import { inOrderOf } from '../list-page.ts';
import type { Schema } from '../schema.ts';
import { newestGrade } from './grades.ts';
import { fileErrorOfImage, viewsetOfImage, visibleImages } from './visible-images.ts';

/** Returns the list columns of images and their parents, in the order of the ids. Images deleted meanwhile are left out. */
export const galleryRows = async (db: Kysely<Schema>, imageIds: readonly string[]) => {
  if (imageIds.length === 0) return [];
  const rows = await visibleImages(db)
    .where('image.id', '=', sql<string>`any(${[...imageIds]}::uuid[])`)
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
    .select('patient.has_protected_identity')
    .select([viewsetOfImage.as('viewset_id'), fileErrorOfImage.as('file_error'), newestGrade.as('grade')])
    .execute();
  return inOrderOf(imageIds, rows);
};

export type GalleryRow = Awaited<ReturnType<typeof galleryRows>>[number];
