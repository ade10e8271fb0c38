import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';

/** Returns images whose object has this hash and was made of a picture, with the columns needed to recreate it. */
export const pictureImagesOf = (db: Kysely<Schema>, sha256: string) =>
  db
    .selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .select(['image.id', 'image.sop_instance_uid', 'image.acquired_at', 'image.original_sha256'])
    .select(['study.patient_id', 'study.uid as study_uid', 'study.study_date', 'study.description'])
    .where('image.sha256', '=', sha256)
    .where('image.original_sha256', 'is not', null)
    .$narrowType<{ original_sha256: string }>()
    .execute();

export type PictureImage = Awaited<ReturnType<typeof pictureImagesOf>>[number];

/** Replaces the object of an image by another one of the same picture, unless it was replaced already. */
export const replaceObject = async (
  db: Kysely<Schema>,
  imageId: string,
  before: string,
  { sha256, sizeBytes }: { readonly sha256: string; readonly sizeBytes: number },
): Promise<void> => {
  await db
    .updateTable('image')
    .set({ sha256, size_bytes: sizeBytes, thumb_status: 'pending', rendition_status: 'pending' })
    .where('id', '=', imageId)
    .where('sha256', '=', before)
    .execute();
};
