import type { NamedPatient } from '../../contract/imports.ts';
import { personalNumberKey } from './personal-number.ts';
import { searchKey } from './search-key.ts';

/** Patient module of a file. `name` is a DICOM person name, `birthDate` YYYY-MM-DD. */
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
  /** Formatted by `personalNumberKey`. */
  readonly personalNumberKey: string;
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(searchKey(text).split(' ').filter(Boolean));

/** Returns the words of each group of a person name (PS3.5 6.2.1): alphabetic, ideographic and phonetic, without empty ones. */
const groupsOf = (name: string): readonly ReadonlySet<string>[] =>
  name
    .split('=')
    .map((group) => wordsIn(group.replaceAll('^', ' ')))
    .filter(({ size }) => size > 0);

/** Returns the words of the first group that has any. */
export const wordsOf = (name: string): ReadonlySet<string> => groupsOf(name)[0] ?? new Set();

/** Compares names as sets of words; a middle name or title on one side only is ignored. One group that agrees is enough. */
export const sameName = (written: string, chosen: Pick<ChosenPatient, 'firstName' | 'lastName'>): boolean => {
  const own = wordsIn(`${chosen.lastName} ${chosen.firstName}`);
  return groupsOf(written).some((file) => {
    const [fewer, more] = file.size < own.size ? [file, own] : [own, file];
    return fewer.size > 1 && [...fewer].every((word) => more.has(word));
  });
};

/** A value that could be a personal number; anything else may be a device's own id, which cannot contradict. */
export const isPersonalNumber = (key: string): boolean => /^\d{6,8}[\dA-Z]{4}$/.test(key) && key.length >= 10;

/**
 * Compares a file with the chosen patient. A personal number decides by itself; otherwise name and birth date must agree where the file has
 * them. A file with neither names no patient.
 */
export const matchPatient = (file: PatientOfFile, chosen: ChosenPatient): NamedPatient['match'] => {
  const name = file.name && groupsOf(file.name).length > 0 ? file.name : null;
  const key = file.patientId ? personalNumberKey(file.patientId, file.birthDate) : '';
  if (key !== '' && key === chosen.personalNumberKey) return 'same';
  if (isPersonalNumber(key)) return 'differs';
  if (!name && !file.birthDate) return key === '' ? 'unknown' : 'differs';
  if (name && !sameName(name, chosen)) return 'differs';
  if (file.birthDate && chosen.birthDate && file.birthDate !== chosen.birthDate) return 'differs';
  return name && file.birthDate ? 'same' : 'unknown';
};

/** Compares a file with a patient row of the archive. */
export const matchOf = (
  file: PatientOfFile,
  patient: {
    readonly first_name: string;
    readonly last_name: string;
    readonly birth_date: string | null;
    readonly personal_number: string;
  },
): NamedPatient['match'] =>
  matchPatient(file, {
    firstName: patient.first_name,
    lastName: patient.last_name,
    birthDate: patient.birth_date,
    personalNumberKey: personalNumberKey(patient.personal_number, patient.birth_date),
  });
