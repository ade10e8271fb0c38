import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { NoteSummary } from '../../../contract/notes.ts';
import type { Schema, ViewsetItemTable, ViewsetTable } from '../schema.ts';
import { newestNote } from './notes.ts';

export type ViewsetRow = Selectable<ViewsetTable> & {
  study_uid: string;
  patient_id: string;
  customer_id: string;
  note: NoteSummary | null;
};
export type ViewsetItemRow = Selectable<ViewsetItemTable>;

/** Returns the viewsets of several studies with the number of slots and of mounted, not deleted images. */
export const viewsetsOfStudies = async (db: Kysely<Schema>, studyIds: readonly string[]) => {
  if (studyIds.length === 0) return [];
  return db
    .selectFrom('viewset')
    .leftJoin('viewset_item', 'viewset_item.viewset_id', 'viewset.id')
    .leftJoin(
      (query) =>
        query
          .selectFrom('image')
          .innerJoin('series', 'series.id', 'image.series_id')
          .innerJoin('study', 'study.id', 'series.study_id')
          .select('image.id')
          .where('image.deleted_at', 'is', null)
          .where('series.deleted_at', 'is', null)
          .where('study.deleted_at', 'is', null)
          .as('shown'),
      (join) => join.onRef('shown.id', '=', 'viewset_item.image_id'),
    )
    .select(['viewset.id', 'viewset.study_id', 'viewset.name', 'viewset.template_id'])
    .select(({ fn }) => [
      fn.count<number>('viewset_item.item_index').as('slots'),
      fn.count<number>('shown.id').as('filled_slots'),
    ])
    .where('viewset.study_id', 'in', studyIds)
    .where('viewset.deleted_at', 'is', null)
    .groupBy('viewset.id')
    .orderBy('viewset.created_at')
    .orderBy('viewset.id')
    .execute();
};

/** Returns the filled slots of the viewsets of several studies; an image that is deleted or of another patient fills none. */
export const filledItemsOfStudies = async (db: Kysely<Schema>, studyIds: readonly string[]) => {
  if (studyIds.length === 0) return [];
  return db
    .selectFrom('viewset_item')
    .innerJoin('viewset', 'viewset.id', 'viewset_item.viewset_id')
    .innerJoin('study as owner', 'owner.id', 'viewset.study_id')
    .innerJoin('image', 'image.id', 'viewset_item.image_id')
    .innerJoin('series', 'series.id', 'image.series_id')
    .innerJoin('study', 'study.id', 'series.study_id')
    .leftJoin('image_display', (join) =>
      join
        .onRef('image_display.image_id', '=', 'image.id')
        .onRef('image_display.viewset_id', '=', 'viewset_item.viewset_id'),
    )
    .selectAll('viewset_item')
    .select(['image.id as mounted_id', 'image_display.display', 'image_display.version as display_version'])
    .where('viewset.study_id', 'in', studyIds)
    .where('viewset.deleted_at', 'is', null)
    .where('image.deleted_at', 'is', null)
    .where('series.deleted_at', 'is', null)
    .where('study.deleted_at', 'is', null)
    .whereRef('study.patient_id', '=', 'owner.patient_id')
    .orderBy('viewset_item.viewset_id')
    .orderBy('viewset_item.item_index')
    .execute();
};

/** Returns the ids of a study's viewsets that are not deleted. */
export const viewsetIdsOfStudy = async (db: Kysely<Schema>, studyId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('viewset')
    .select('id')
    .where('study_id', '=', studyId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
};

const withStudy = (db: Kysely<Schema>) =>
  db
    .selectFrom('viewset')
    .innerJoin('study', 'study.id', 'viewset.study_id')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .selectAll('viewset')
    .select(['study.uid as study_uid', 'study.patient_id as patient_id', 'study.customer_id as customer_id'])
    .select(newestNote('viewset').as('note'))
    .where('study.deleted_at', 'is', null)
    .where('patient.deleted_at', 'is', null);

export const findViewset = (db: Kysely<Schema>, id: string): Promise<ViewsetRow | undefined> =>
  withStudy(db).where('viewset.id', '=', id).where('viewset.deleted_at', 'is', null).executeTakeFirst();

/** Locks viewsets, deleted or not, until the transaction ends. Always by id, so that two moves in opposite directions wait instead of deadlocking. */
export const lockViewsets = async (transaction: Transaction<Schema>, ids: readonly string[]): Promise<ViewsetRow[]> => {
  await transaction.selectFrom('viewset').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
  // Read after locking: the study may have been moved to another patient meanwhile.
  return withStudy(transaction).where('viewset.id', 'in', ids).orderBy('viewset.id').execute();
};

export const itemsOfViewset = (db: Kysely<Schema>, viewsetId: string): Promise<ViewsetItemRow[]> =>
  db.selectFrom('viewset_item').selectAll().where('viewset_id', '=', viewsetId).orderBy('item_index').execute();

/** Updates the viewset's own row, or only its version. Returns the new version. */
export const updateViewset = async (
  transaction: Transaction<Schema>,
  id: string,
  changes: { name?: string; comments?: string | null; deleted_at?: Date | null; deleted_by?: string | null } = {},
): Promise<number> => {
  const { version } = await transaction
    .updateTable('viewset')
    .set(changes)
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
};

/** Inserts a viewset with its slots. Existing rows are unchanged. */
export const insertViewset = async (
  db: Kysely<Schema>,
  viewset: Insertable<ViewsetTable>,
  items: readonly Insertable<ViewsetItemTable>[],
): Promise<void> => {
  await db
    .insertInto('viewset')
    .values(viewset)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (items.length === 0) return;
  await db
    .insertInto('viewset_item')
    .values(items)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};
