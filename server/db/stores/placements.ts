import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../schema.ts';

/** Returns the tray of a viewset: ids of its unmounted images in order, including deleted ones. */
export const trayOfViewset = async (db: Kysely<Schema>, viewsetId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('viewset_detached')
    .select('image_id')
    .where('viewset_id', '=', viewsetId)
    .orderBy('position')
    .orderBy('image_id')
    .execute();
  return rows.map((row) => row.image_id);
};

/** Returns the studies of images, including deleted ones. */
export const studiesOfImages = async (db: Kysely<Schema>, imageIds: readonly string[]): Promise<string[]> => {
  if (imageIds.length === 0) return [];
  const rows = await db
    .selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .select('series.study_id')
    .distinct()
    .where('image.id', 'in', imageIds)
    .execute();
  return rows.map((row) => row.study_id);
};

/** Returns those images that are not deleted, nor in a deleted series or study. */
export const liveImages = async (db: Kysely<Schema>, imageIds: readonly string[]): Promise<Set<string>> => {
  if (imageIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('image')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .select('image.id')
    .where('image.id', 'in', imageIds)
    .where('image.deleted_at', 'is', null)
    .where('series.deleted_at', 'is', null)
    .where('study.deleted_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.id));
};

/** Returns the images of a study that are mounted in a visible viewset of any study. */
export const mountedImagesOfStudy = async (db: Kysely<Schema>, studyId: string): Promise<Set<string>> => {
  const rows = await db
    .selectFrom('viewset_item')
    .innerJoin('viewset', 'viewset.id', 'viewset_item.viewset_id')
    .innerJoin('study', 'study.id', 'viewset.study_id')
    .innerJoin('image', 'image.id', 'viewset_item.image_id')
    .innerJoin('series', 'series.id', 'image.series_id')
    .select('image.id')
    .distinct()
    .where('series.study_id', '=', studyId)
    .where('viewset.deleted_at', 'is', null)
    .where('study.deleted_at', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.id));
};

/** Mounts images in slots (null empties one). The slots are emptied first, because an image may be mounted only once in a viewset at any moment. */
export const mountImages = async (
  transaction: Transaction<Schema>,
  viewsetId: string,
  changes: ReadonlyMap<number, string | null>,
): Promise<void> => {
  if (changes.size === 0) return;
  const items = transaction.updateTable('viewset_item').where('viewset_id', '=', viewsetId);
  await items
    .set({ image_id: null })
    .where('item_index', 'in', [...changes.keys()])
    .execute();
  for (const [itemIndex, imageId] of changes)
    if (imageId !== null) await items.set({ image_id: imageId }).where('item_index', '=', itemIndex).execute();
};

export const removeFromTray = async (
  transaction: Transaction<Schema>,
  viewsetId: string,
  imageIds: readonly string[],
): Promise<void> => {
  if (imageIds.length === 0) return;
  await transaction
    .deleteFrom('viewset_detached')
    .where('viewset_id', '=', viewsetId)
    .where('image_id', 'in', imageIds)
    .execute();
};

/** Appends images to the tray. The viewset must be locked. */
export const addToTray = async (
  transaction: Transaction<Schema>,
  viewsetId: string,
  imageIds: readonly string[],
): Promise<void> => {
  if (imageIds.length === 0) return;
  const { last } = await transaction
    .selectFrom('viewset_detached')
    .select(({ fn }) => fn.max<number | null>('position').as('last'))
    .where('viewset_id', '=', viewsetId)
    .executeTakeFirstOrThrow();
  const rows = imageIds.map((image_id, index) => ({
    viewset_id: viewsetId,
    image_id,
    position: (last ?? 0) + 1 + index,
  }));
  await transaction.insertInto('viewset_detached').values(rows).execute();
};
