import type { Insertable, Kysely, Selectable, Transaction } from 'kysely';
import type { Schema, ViewsetItemTable, ViewsetTable } from '../schema.ts';

export type ViewsetRow = Selectable<ViewsetTable> & { study_uid: string; patient_id: string; customer_id: string };
export type ViewsetItemRow = Selectable<ViewsetItemTable>;

/** The viewsets of several studies with how many slots they have and how many of these hold an image that is not deleted. */
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

const withStudy = (db: Kysely<Schema>) =>
  db
    .selectFrom('viewset')
    .innerJoin('study', 'study.id', 'viewset.study_id')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .selectAll('viewset')
    .select(['study.uid as study_uid', 'study.patient_id as patient_id', 'study.customer_id as customer_id'])
    .where('study.deleted_at', 'is', null)
    .where('patient.deleted_at', 'is', null);

export const findViewset = (db: Kysely<Schema>, id: string): Promise<ViewsetRow | undefined> =>
  withStudy(db).where('viewset.id', '=', id).where('viewset.deleted_at', 'is', null).executeTakeFirst();

/**
 * Viewsets, in the recycle bin or not, whose rows nobody else changes until the transaction ends. They are always locked in the order of
 * their ids, so that two moves in opposite directions wait for each other instead of for ever.
 */
export const lockViewsets = async (transaction: Transaction<Schema>, ids: readonly string[]): Promise<ViewsetRow[]> => {
  await transaction.selectFrom('viewset').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute();
  // Read behind the lock: the study may have gone to another patient while it was waited for.
  return withStudy(transaction).where('viewset.id', 'in', ids).orderBy('viewset.id').execute();
};

export const itemsOfViewset = (db: Kysely<Schema>, viewsetId: string): Promise<ViewsetItemRow[]> =>
  db.selectFrom('viewset_item').selectAll().where('viewset_id', '=', viewsetId).orderBy('item_index').execute();

/** Changes the viewset's own row, or nothing but its version. Returns the new version. */
export const updateViewset = async (
  transaction: Transaction<Schema>,
  id: string,
  changes: { name?: string; comments?: string | null; deleted_at?: Date | null } = {},
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

/** Writes a viewset with its slots. What is there already stays as it is. */
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
