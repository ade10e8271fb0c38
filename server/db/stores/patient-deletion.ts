import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../schema.ts';
import { incrementVersions, type ViewsetVersion } from './record-edits.ts';

/** Returns a patient, deleted or not. */
export const findDeletablePatient = (db: Kysely<Schema>, id: string) =>
  db.selectFrom('patient').select(['id', 'customer_id', 'deleted_at']).where('id', '=', id).executeTakeFirst();

/**
 * Deletes or restores a patient. Only the patient row changes: its records become inaccessible with it, and are unchanged when it is restored.
 * Returns the viewsets that disappear or reappear; null when nothing changed.
 * @throws the database's unique violation (23505) when another patient of the clinic has the personal number by now
 */
export const setPatientDeleted = async (
  transaction: Transaction<Schema>,
  id: string,
  { deleted, accountId }: { readonly deleted: boolean; readonly accountId: string },
): Promise<ViewsetVersion[] | null> => {
  // Fixed lock order: viewsets by id, then the patient.
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
  return changed ? incrementVersions(transaction, viewsets) : null;
};
