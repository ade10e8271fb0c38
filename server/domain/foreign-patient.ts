import type { ForeignPatient, PatientDifference } from '../../contract/dicom-fetches.ts';
import { matchOf, sameName, wordsOf } from './match-patient.ts';
import { personalNumberKey } from './personal-number.ts';

interface PatientHere {
  readonly first_name: string;
  readonly last_name: string;
  readonly birth_date: string | null;
  readonly personal_number: string;
}

/** Returns what another archive has otherwise than ours, also an id that is no personal number. */
export const differencesOf = (foreign: ForeignPatient, here: PatientHere): PatientDifference[] => {
  const differences: PatientDifference[] = [];
  const key = personalNumberKey(here.personal_number, here.birth_date);
  if (foreign.patientId && personalNumberKey(foreign.patientId, foreign.birthDate) !== key) differences.push('number');
  const names = { firstName: here.first_name, lastName: here.last_name };
  if (foreign.name && wordsOf(foreign.name).size > 0 && !sameName(foreign.name, names)) differences.push('name');
  if (foreign.birthDate && foreign.birthDate !== here.birth_date) differences.push('birthDate');
  return differences;
};

/** Returns whether a user must confirm that it is the same patient: values differ, or are too few to tell. */
export const needsConfirmation = (foreign: ForeignPatient, here: PatientHere): boolean =>
  differencesOf(foreign, here).length > 0 || matchOf({ ...foreign, sex: null }, here) !== 'same';

const wordsText = (name: string | null): string => [...wordsOf(name ?? '')].toSorted().join(' ');

/** Returns whether a file names the patient as the search did. */
export const isNamedAs = (file: ForeignPatient, seen: ForeignPatient): boolean =>
  (file.patientId ?? '').trim() === (seen.patientId ?? '').trim() &&
  wordsText(file.name) === wordsText(seen.name) &&
  file.birthDate === seen.birthDate;

/** More characters than a personal number has, or such as a query reads as a pattern or as several values. */
const isKey = (text: string): boolean => text !== '' && text.length <= 64 && !/[*?\\\p{Cc}]/u.test(text);

/** Returns the forms in which archives have a personal number, since queries match it exactly (PS3.4 C.2.2.2.1). */
export const numberForms = (personalNumber: string, birthDate: string | null): readonly string[] => {
  const key = personalNumberKey(personalNumber, birthDate);
  const forms = [personalNumber.trim(), key];
  // Swedish: with and without century.
  if (/^\d{12}$/.test(key))
    forms.push(`${key.slice(0, 8)}-${key.slice(8)}`, `${key.slice(2, 8)}-${key.slice(8)}`, key.slice(2));
  // Danish and Norwegian: the date of birth, then four or five digits.
  if (/^\d{10,11}$/.test(key)) forms.push(`${key.slice(0, 6)}-${key.slice(6)}`, `${key.slice(0, 6)} ${key.slice(6)}`);
  return [...new Set(forms.filter(isKey))];
};

/** Returns the key of a search by name (PS3.4 C.2.2.2.4): the family name, and the beginning of the given name. */
export const nameKey = ({ first_name, last_name }: Pick<PatientHere, 'first_name' | 'last_name'>): string => {
  const part = (text: string) => text.replace(/[\\^=*?\p{Cc}]+/gu, ' ').trim();
  return `${part(last_name)}^${part(first_name)}*`;
};
