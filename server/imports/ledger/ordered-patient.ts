import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import type { ImportTaskRow } from '../../db/stores/imports.ts';
import { type PatientIdentityRow, patientsByIds } from '../../db/stores/named-patients.ts';
import { orderOfStudy } from '../../db/stores/orders.ts';
import { sameName, wordsOf } from '../../domain/match-patient.ts';
import { personalNumberKey } from '../../domain/personal-number.ts';
import type { WrittenPatient } from '../read/read-file.ts';

/** Returns whether a value that a file has is another one than the worklist gave for the patient. */
const contradicts = (named: WrittenPatient, patient: PatientIdentityRow): boolean => {
  const own = personalNumberKey(patient.personal_number, patient.birth_date);
  if (named.patientId && personalNumberKey(named.patientId, named.birthDate) !== own) return true;
  if (named.birthDate && named.birthDate !== patient.birth_date) return true;
  const name = named.name && wordsOf(named.name).size > 0 ? named.name : null;
  return name !== null && !sameName(name, { firstName: patient.first_name, lastName: patient.last_name });
};

/**
 * Returns the patient for whom the images of a study were ordered, if they came without a user and no file of the study contradicts; null when one does,
 * or the patient is deleted; undefined for a study without an order, or with a cancelled one.
 */
export const orderedPatient = async (
  db: Kysely<Schema>,
  task: Pick<ImportTaskRow, 'customer_id' | 'source'>,
  studyUid: string,
  named: readonly WrittenPatient[],
): Promise<PatientIdentityRow | null | undefined> => {
  if (task.source === null) return undefined;
  const order = await orderOfStudy(db, task.customer_id, studyUid);
  // It may have been cancelled because it was for the wrong patient.
  if (!order || order.status === 'cancelled') return undefined;
  const [patient] = await patientsByIds(db, [order.patient_id]);
  if (!patient || patient.deleted_at !== null) return null;
  return named.some((one) => contradicts(one, patient)) ? null : patient;
};
