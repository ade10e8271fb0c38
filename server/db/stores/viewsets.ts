import type { Insertable, Kysely, Selectable } from 'kysely';
import type { Schema, ViewsetItemTable, ViewsetTable } from '../schema.ts';

export type ViewsetRow = Selectable<ViewsetTable> & { study_uid: string; patient_id: string; customer_id: string };
export type ViewsetItemRow = Selectable<ViewsetItemTable>;

/** The viewsets of several studies with how many slots they have and how many of these hold an image. */
export const viewsetsOfStudies = async (db: Kysely<Schema>, studyIds: readonly string[]) => {
  if (studyIds.length === 0) return [];
  return db
    .selectFrom('viewset')
    .leftJoin('viewset_item', 'viewset_item.viewset_id', 'viewset.id')
    .select(['viewset.id', 'viewset.study_id', 'viewset.name', 'viewset.template_id'])
    .select(({ fn }) => [
      fn.count<number>('viewset_item.item_index').as('slots'),
      fn.count<number>('viewset_item.image_id').as('filled_slots'),
    ])
    .where('viewset.study_id', 'in', studyIds)
    .where('viewset.deleted_at', 'is', null)
    .groupBy('viewset.id')
    .orderBy('viewset.created_at')
    .orderBy('viewset.id')
    .execute();
};

export const findViewset = (db: Kysely<Schema>, id: string): Promise<ViewsetRow | undefined> =>
  db
    .selectFrom('viewset')
    .innerJoin('study', 'study.id', 'viewset.study_id')
    .innerJoin('patient', 'patient.id', 'study.patient_id')
    .selectAll('viewset')
    .select(['study.uid as study_uid', 'study.patient_id as patient_id', 'study.customer_id as customer_id'])
    .where('viewset.id', '=', id)
    .where('viewset.deleted_at', 'is', null)
    .where('study.deleted_at', 'is', null)
    .where('patient.deleted_at', 'is', null)
    .executeTakeFirst();

export const itemsOfViewset = (db: Kysely<Schema>, viewsetId: string): Promise<ViewsetItemRow[]> =>
  db.selectFrom('viewset_item').selectAll().where('viewset_id', '=', viewsetId).orderBy('item_index').execute();

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
