import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { oneVersionFurther, type ViewsetVersion } from './record-edits.ts';

/** A patient, in the recycle bin or not. */
export const findBinnedPatient = (db: Kysely<Schema>, id: string) =>
  db.selectFrom('patient').select(['id', 'customer_id', 'deleted_at']).where('id', '=', id).executeTakeFirst();

/**
 * Puts a patient into the recycle bin, or takes them out of it. Nothing else is written: what is of a deleted patient is out of reach by itself, and as
 * it was when they come back. Returns the viewsets that are not to be seen any more, or again; null when the patient lay there (or here) already.
 * @throws the database's unique violation (23505) when another patient of the clinic has the personal number by now
 */
export const binPatient = async (
  transaction: Transaction<Schema>,
  id: string,
  { deleted, accountId }: { readonly deleted: boolean; readonly accountId: string },
): Promise<ViewsetVersion[] | null> => {
  // The viewsets before the patient, in the order of their ids: as everybody locks them.
  const viewsets = await transaction
    .selectFrom('viewset')
    .innerJoin('study', 'study.id', 'viewset.study_id')
    .select(['viewset.id', 'viewset.version'])
    .where('study.patient_id', '=', id)
    .where('study.deleted_at', 'is', null)
    .where('viewset.deleted_at', 'is', null)
    .orderBy('viewset.id')
    .forUpdate('viewset')
    .execute();
  const changed = await transaction
    .updateTable('patient')
    .set({ deleted_at: deleted ? new Date() : null, deleted_by: deleted ? accountId : null })
    .where('id', '=', id)
    .where('deleted_at', deleted ? 'is' : 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return changed ? oneVersionFurther(transaction, viewsets) : null;
};
