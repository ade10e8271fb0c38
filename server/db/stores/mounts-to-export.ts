import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { newestNote } from './notes.ts';

/** Returns the visible mounts in which one of these images is, the oldest first. */
export const mountsOfImages = async (db: Kysely<Schema>, imageIds: readonly string[]) => {
  if (imageIds.length === 0) return [];
  return db
    .selectFrom('viewset')
    .innerJoin('study', 'study.id', 'viewset.study_id')
    .selectAll('viewset')
    .select(['study.uid as study_uid', 'study.patient_id'])
    .select(newestNote('viewset').as('note'))
    .where('viewset.deleted_at', 'is', null)
    .where('study.deleted_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('viewset_item')
          .select('viewset_item.item_index')
          .whereRef('viewset_item.viewset_id', '=', 'viewset.id')
          .where('viewset_item.image_id', 'in', [...imageIds]),
      ),
    )
    .orderBy('viewset.created_at')
    .orderBy('viewset.id')
    .execute();
};
export type MountToExport = Awaited<ReturnType<typeof mountsOfImages>>[number];

/** Returns marks, calibration and the display outside of mounts of these images. */
export const displaysOfImages = async (db: Kysely<Schema>, imageIds: readonly string[]) => {
  if (imageIds.length === 0) return [];
  return db
    .selectFrom('image')
    .leftJoin('image_display', (join) =>
      join.onRef('image_display.image_id', '=', 'image.id').on('image_display.viewset_id', 'is', null),
    )
    .select(['image.id', 'image.marks', 'image.annotations', 'image.calibration', 'image_display.display'])
    .select(['image.mark_authors', 'image.marks_version'])
    .where('image.id', 'in', [...imageIds])
    .execute();
};
export type DisplayedRow = Awaited<ReturnType<typeof displaysOfImages>>[number];

/** Returns the images in these mounts. */
export const mountedImages = async (db: Kysely<Schema>, viewsetIds: readonly string[]) => {
  if (viewsetIds.length === 0) return [];
  return db
    .selectFrom('viewset_item')
    .select(['viewset_id', 'image_id'])
    .where('viewset_id', 'in', [...viewsetIds])
    .where('image_id', 'is not', null)
    .execute();
};
