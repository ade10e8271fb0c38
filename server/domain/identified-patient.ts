import { sameName } from './match-patient.ts';
import { personalNumberKey } from './personal-number.ts';
import { ProblemError } from './problem-error.ts';

/** A patient as another program names them. */
export interface GivenPatient {
  readonly personalNumber: string;
  readonly lastName: string;
  readonly firstName: string;
  readonly birthDate: string | null;
}

interface RecordedPatient {
  readonly personal_number: string;
  readonly last_name: string;
  readonly first_name: string;
  readonly birth_date: string | null;
}

/**
 * Returns the one of these patients who has the number, the name and the birth date.
 * @throws ProblemError 'not-found' for an unknown number; 'conflict' with the field that the patient with this number has otherwise
 */
export const identifiedPatient = <Row extends RecordedPatient>(given: GivenPatient, rows: readonly Row[]): Row => {
  const number = personalNumberKey(given.personalNumber, given.birthDate);
  const row = rows.find((one) => personalNumberKey(one.personal_number, one.birth_date) === number);
  if (!row) throw new ProblemError('not-found', [{ fieldKey: 'patient.personalNumber' }]);
  if (row.birth_date !== given.birthDate) throw new ProblemError('conflict', [{ fieldKey: 'patient.birthDate' }]);
  if (!sameName(`${given.lastName}^${given.firstName}`, { firstName: row.first_name, lastName: row.last_name }))
    throw new ProblemError('conflict', [{ fieldKey: 'patient.lastName' }]);
  return row;
};
