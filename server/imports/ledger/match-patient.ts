import type { NamedPatient } from '../../../contract/imports.ts';
import type { PatientRow } from '../../db/stores/patients.ts';
import { foldText } from '../../resource/fold-text.ts';
import { personalNumberKey } from '../../resource/personal-number.ts';

/** The patient module of a file. `name` is a DICOM person name, `birthDate` YYYY-MM-DD. */
export interface PatientOfFile {
  readonly name: string | null;
  readonly patientId: string | null;
  readonly birthDate: string | null;
  readonly sex: string | null;
}

export interface ChosenPatient {
  readonly firstName: string;
  readonly lastName: string;
  readonly birthDate: string | null;
  /** As `personalNumberKey` makes it. */
  readonly personalNumberKey: string;
}

/** Words of a person name (PS3.5 6.2.1): the alphabetic group before `=`, its components parted by `^`. */
export const wordsOf = (name: string): ReadonlySet<string> => {
  const [alphabetic = ''] = name.split('=');
  return new Set(foldText(alphabetic.replaceAll('^', ' ')).split(' ').filter(Boolean));
};

/** The same words whatever their order; a middle name or title that only one side has does not matter. */
export const sameName = (written: string, chosen: Pick<ChosenPatient, 'firstName' | 'lastName'>): boolean => {
  const file = wordsOf(written);
  const own = wordsOf(`${chosen.lastName} ${chosen.firstName}`);
  const [fewer, more] = file.size < own.size ? [file, own] : [own, file];
  return fewer.size > 1 && [...fewer].every((word) => more.has(word));
};

/** A number that could be a personal number; anything else may be the running number of some device, and cannot disagree. */
export const isPersonalNumber = (key: string): boolean => /^\d{6,8}[\dA-Z]{4}$/.test(key) && key.length >= 10;

/**
 * Whether a file shows the chosen patient. A personal number decides by itself. Without one, name and birth date must both agree where the
 * file gives them; a file that gives neither names nobody.
 */
export const matchPatient = (file: PatientOfFile, chosen: ChosenPatient): NamedPatient['match'] => {
  const name = file.name && wordsOf(file.name).size > 0 ? file.name : null;
  const key = file.patientId ? personalNumberKey(file.patientId, file.birthDate) : '';
  if (key !== '' && key === chosen.personalNumberKey) return 'same';
  if (isPersonalNumber(key)) return 'differs';
  if (!name && !file.birthDate) return key === '' ? 'unknown' : 'differs';
  if (name && !sameName(name, chosen)) return 'differs';
  if (file.birthDate && chosen.birthDate && file.birthDate !== chosen.birthDate) return 'differs';
  return name && file.birthDate ? 'same' : 'unknown';
};

/** The same for a patient as the archive has them. */
export const matchOf = (
  file: PatientOfFile,
  patient: Pick<PatientRow, 'first_name' | 'last_name' | 'birth_date' | 'personal_number'>,
): NamedPatient['match'] =>
  matchPatient(file, {
    firstName: patient.first_name,
    lastName: patient.last_name,
    birthDate: patient.birth_date,
    personalNumberKey: personalNumberKey(patient.personal_number, patient.birth_date),
  });
