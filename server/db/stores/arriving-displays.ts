import { type Kysely, sql, type Transaction } from 'kysely';
import { displayClasses } from '../../domain/image-classes.ts';
import type { Schema, StructuredDisplay } from '../schema.ts';
import { visibleImages } from './visible-images.ts';

interface Owner {
  readonly customerId: string;
  readonly patientId: string;
}

/** More than any patient has, so that an import ends. */
const maxObjects = 5000;

const objectsOf = (db: Kysely<Schema>, { customerId, patientId }: Owner) =>
  visibleImages(db).where('study.patient_id', '=', patientId).where('image.customer_id', '=', customerId);

/** Returns the stored structured displays and presentation states of a patient, those that arrived first, first. */
export const displayObjectsOfPatient = (db: Kysely<Schema>, owner: Owner) =>
  objectsOf(db, owner)
    .select(['image.id', 'image.sop_instance_uid', 'image.sop_class_uid', 'image.sha256', 'image.size_bytes'])
    .select('series.study_id')
    .where('image.sop_class_uid', 'in', [...displayClasses])
    .orderBy('image.created_at')
    .orderBy('image.id')
    .limit(maxObjects)
    .execute();
export type DisplayObjectRow = Awaited<ReturnType<typeof displayObjectsOfPatient>>[number];

/** Returns the images of a patient with these SOP Instance UIDs. */
export const imagesBySopInstance = async (db: Kysely<Schema>, owner: Owner, uids: readonly string[]) => {
  if (uids.length === 0) return [];
  return objectsOf(db, owner)
    .select(['image.id', 'image.sop_instance_uid', 'image.sha256', 'image.size_bytes'])
    .select(['image.rows', 'image.columns', 'image.frames', 'image.marks_version'])
    .where('image.kind', '=', 'image')
    .where('image.sop_instance_uid', '=', sql<string>`any(${[...uids]}::text[])`)
    .execute();
};
export type ReferencedImageRow = Awaited<ReturnType<typeof imagesBySopInstance>>[number];

/** Locks the row of a structured display, so that two imports do not make its mount twice. */
export const lockDisplayObject = (transaction: Transaction<Schema>, id: string) =>
  transaction.selectFrom('image').select('id').where('id', '=', id).forUpdate().executeTakeFirst();

/** Returns the mount that was made of a structured display, or is the one with this id, deleted or not. */
export const mountOfDisplay = (db: Kysely<Schema>, patientId: string, imageId: string, ownId: string | null) =>
  db
    .selectFrom('viewset')
    .innerJoin('study', 'study.id', 'viewset.study_id')
    .select(['viewset.id', 'viewset.deleted_at', 'viewset.structured_display'])
    .where('study.patient_id', '=', patientId)
    .where(({ or, eb }) =>
      or([
        sql<boolean>`viewset.structured_display->>'imageId' = ${imageId}`,
        eb('viewset.id', '=', ownId ?? sql<string>`null`),
      ]),
    )
    .executeTakeFirst();

export const setStructuredDisplay = async (
  transaction: Transaction<Schema>,
  viewsetId: string,
  display: StructuredDisplay,
): Promise<void> => {
  await transaction
    .updateTable('viewset')
    .set({ structured_display: JSON.stringify(display) })
    .where('id', '=', viewsetId)
    .execute();
};

/** Marks slots as no longer missing an image. */
export const clearAwaited = async (
  transaction: Transaction<Schema>,
  viewsetId: string,
  itemIndexes: readonly number[],
): Promise<void> => {
  if (itemIndexes.length === 0) return;
  await transaction
    .updateTable('viewset_item')
    .set({ awaited_uid: null })
    .where('viewset_id', '=', viewsetId)
    .where('item_index', 'in', [...itemIndexes])
    .execute();
};

/** Returns whether a template exists that all clinics or this one have. */
export const hasTemplate = async (db: Kysely<Schema>, customerId: string, id: string): Promise<boolean> => {
  const found = await db
    .selectFrom('template')
    .select('id')
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('customer_id', 'is', null), eb('customer_id', '=', customerId)]))
    .executeTakeFirst();
  return found !== undefined;
};
