import type { Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { ImportStudyRow } from '../../db/stores/import-studies.ts';

/** The studies of the patient were merged into another patient's, and what the import brings goes there too: it is made anew for that one. */
export class MovedMeanwhile extends Error {
  override readonly name = 'MovedMeanwhile';
}

/**
 * Until the transaction ends, the study of the import stays the patient's: a merge waits for it.
 * @throws MovedMeanwhile when it is somebody else's by now
 */
export const holdOwner = async (
  transaction: Transaction<Schema>,
  { task_id, key }: Pick<ImportStudyRow, 'task_id' | 'key'>,
  patientId: string,
): Promise<void> => {
  const row = await transaction
    .selectFrom('import_study')
    .select('patient_id')
    .where('task_id', '=', task_id)
    .where('key', '=', key)
    .forShare()
    .executeTakeFirst();
  if (row?.patient_id !== patientId) throw new MovedMeanwhile();
};
