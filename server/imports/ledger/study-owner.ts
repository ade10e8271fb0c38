import type { Transaction } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { type ImportStudyRow, lockPatientOfStudy } from '../../db/stores/import-studies.ts';

/** Thrown when the patient's studies were merged into another patient: the import is redone for that one. */
export class PatientChangedError extends Error {
  override readonly name = 'PatientChangedError';
}

/**
 * Locks the study's patient until the transaction ends; a merge waits for it.
 * @throws PatientChangedError when it belongs to another patient by now
 */
export const lockOwner = async (
  transaction: Transaction<Schema>,
  study: Pick<ImportStudyRow, 'task_id' | 'key'>,
  patientId: string,
): Promise<void> => {
  if ((await lockPatientOfStudy(transaction, study)) !== patientId) throw new PatientChangedError();
};
