import type { Kysely } from 'kysely';
import type { Schema } from '../../db/schema.ts';
import { findPatientsByNameOrNumber, type PatientIdentityRow } from '../../db/stores/named-patients.ts';
import { isPersonalNumber, matchOf, sameName, wordsOf } from '../../domain/match-patient.ts';
import { personalNumberKey } from '../../domain/personal-number.ts';
import type { WrittenPatient } from '../read/read-file.ts';

export interface Candidate {
  readonly patient: PatientIdentityRow;
  /** `same`: personal number, or name and birth date, agree. `possible`: part of them. */
  readonly match: 'same' | 'possible';
}

const numberOf = (named: WrittenPatient): string =>
  named.patientId ? personalNumberKey(named.patientId, named.birthDate) : '';

/** A Swedish number may be written with a wrong century, or without one. */
const numbersOf = (named: WrittenPatient): readonly string[] => {
  const key = numberOf(named);
  if (!isPersonalNumber(key)) return key === '' ? [] : [key];
  const short = key.length === 12 ? key.slice(2) : key;
  return [...new Set([key, short, `19${short}`, `20${short}`])];
};

const digitsApart = (one: string, other: string): number =>
  [...one].filter((digit, index) => digit !== other[index]).length;

const swapped = (date: string): string => `${date.slice(0, 4)}-${date.slice(8, 10)}-${date.slice(5, 7)}`;

/** One mistyped digit, or day and month swapped. */
const isNear = (one: string, other: string): boolean => digitsApart(one, other) <= 1 || swapped(one) === other;

const wordsOfRow = (row: PatientIdentityRow) => ({ firstName: row.first_name, lastName: row.last_name });

/** When the number agrees and no word of the name does, one of them is mistyped: a user must decide. */
const nameContradicts = (named: WrittenPatient, row: PatientIdentityRow): boolean => {
  const written = wordsOf(named.name ?? '');
  const own = wordsOf(`${row.last_name} ${row.first_name}`);
  return written.size > 0 && ![...written].some((word) => own.has(word));
};

/** Returns how well a patient of the clinic matches the patient named in a file; null: not at all. */
export const candidateMatch = (named: WrittenPatient, row: PatientIdentityRow): Candidate['match'] | null => {
  if (matchOf(named, row) === 'same') return nameContradicts(named, row) ? 'possible' : 'same';
  const own = personalNumberKey(row.personal_number, row.birth_date);
  if (numbersOf(named).includes(own)) return 'possible';
  if (!named.name || !sameName(named.name, wordsOfRow(row))) return null;
  if (named.birthDate && row.birth_date) return isNear(named.birthDate, row.birth_date) ? 'possible' : null;
  // The same name with another number is another patient, unless the birth date agrees.
  return isPersonalNumber(numberOf(named)) && isPersonalNumber(own) ? null : 'possible';
};

/** Returns whether personal number, name and birth date of a file are all written, and all those of the patient. */
export const matchesFully = (named: WrittenPatient, row: PatientIdentityRow): boolean => {
  const own = personalNumberKey(row.personal_number, row.birth_date);
  const isNumber = isPersonalNumber(own) && numberOf(named) === own;
  const isName = named.name !== null && sameName(named.name, wordsOfRow(row));
  return isNumber && isName && named.birthDate !== null && named.birthDate === row.birth_date;
};

/**
 * Returns patients of the clinic who may be the one in a file, best first: by personal number (with and without century and dash), or by
 * normalized name and birth date; a partial match is `possible`.
 */
export const candidatesFor = async (
  db: Kysely<Schema>,
  customerId: string,
  named: WrittenPatient,
): Promise<Candidate[]> => {
  // The archive has no middle names or titles: two words suffice to search, and the rules above decide.
  const words = [...wordsOf(named.name ?? '')];
  const rows = new Map<string, PatientIdentityRow>();
  for (const twoWords of [words.slice(0, 2), words.slice(-2)])
    for (const row of await findPatientsByNameOrNumber(db, customerId, { numbers: numbersOf(named), words: twoWords }))
      rows.set(row.id, row);
  const found = [...rows.values()].flatMap((patient): Candidate[] => {
    const match = candidateMatch(named, patient);
    return match ? [{ patient, match }] : [];
  });
  const rank = { same: 0, possible: 1 } as const;
  return found.toSorted((one, other) => rank[one.match] - rank[other.match]);
};

/** Returns whether two files name different patients, as far as they name any. */
const arePartOfOne = (one: WrittenPatient, other: WrittenPatient): boolean => {
  const [number, otherNumber] = [numberOf(one), numberOf(other)];
  if (isPersonalNumber(number) && isPersonalNumber(otherNumber)) return number === otherNumber;
  if (one.birthDate && other.birthDate && one.birthDate !== other.birthDate) return false;
  const [words, otherWords] = [wordsOf(one.name ?? ''), wordsOf(other.name ?? '')];
  const [fewer, more] = words.size < otherWords.size ? [words, otherWords] : [otherWords, words];
  return [...fewer].every((word) => more.has(word));
};

/** More spellings than one patient has. */
const tooMany = 50;

/** Returns whether the files of a study name more than one patient. */
export const areSeveral = (named: readonly WrittenPatient[]): boolean =>
  named.length > tooMany ||
  named.some((one, index) => named.slice(index + 1).some((other) => !arePartOfOne(one, other)));
