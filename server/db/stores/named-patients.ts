import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { all, hasWord, startsWith } from './search-terms.ts';

/** Returns the patients with these ids, deleted ones too, with the columns that an import shows. */
export const patientsByIds = async (db: Kysely<Schema>, ids: readonly string[]) => {
  if (ids.length === 0) return [];
  return db
    .selectFrom('patient')
    .select(['id', 'customer_id', 'first_name', 'last_name', 'personal_number', 'birth_date', 'deleted_at'])
    .select('has_protected_identity')
    .where('id', 'in', ids)
    .execute();
};
export type PatientIdentityRow = Awaited<ReturnType<typeof patientsByIds>>[number];

/** Search values: personal numbers formatted by `personalNumberKey`, or all normalized words of a name. */
export interface PatientSearchTerms {
  readonly numbers: readonly string[];
  readonly words: readonly string[];
}

/** Maximum number of candidates. */
const maxPatients = 20;

/** Returns patients of a clinic whom a file may name, by personal number or name; no deleted ones. */
export const findPatientsByNameOrNumber = async (
  db: Kysely<Schema>,
  customerId: string,
  { numbers, words }: PatientSearchTerms,
): Promise<PatientIdentityRow[]> => {
  // Names match only with two words or more (`sameName`), so one word is not searched.
  if (numbers.length === 0 && words.length < 2) return [];
  const [first = '', ...others] = words;
  // Normalized words are letters and digits: nothing to escape.
  const named = all([startsWith(sql`word`, first), ...others.map((word) => hasWord(sql`names`, word))]);
  // `place`: 0 last name, 1 first name, 2 personal number.
  const ids = [
    ...(numbers.length > 0
      ? [sql`select id from patient where customer_id = ${customerId} and search_digits = any(${[...numbers]})`]
      : []),
    ...(words.length > 1
      ? [sql`select patient_id from patient_word where customer_id = ${customerId} and place in (0, 1) and ${named}`]
      : []),
  ];
  return db
    .selectFrom('patient')
    .select(['id', 'customer_id', 'first_name', 'last_name', 'personal_number', 'birth_date', 'deleted_at'])
    .select('has_protected_identity')
    .where(sql<boolean>`id in (${sql.join(ids, sql` union `)})`)
    .where('deleted_at', 'is', null)
    .orderBy('name_key')
    .orderBy('id')
    .limit(maxPatients)
    .execute();
};
