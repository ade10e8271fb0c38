import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { all, beginsWith, hasWord } from './typed-words.ts';

/** As much of a patient as an import shows. */
export const patientsByIds = async (db: Kysely<Schema>, ids: readonly string[]) => {
  if (ids.length === 0) return [];
  return db
    .selectFrom('patient')
    .select(['id', 'customer_id', 'first_name', 'last_name', 'personal_number', 'birth_date', 'deleted_at'])
    .where('id', 'in', ids)
    .execute();
};
export type NamedRow = Awaited<ReturnType<typeof patientsByIds>>[number];

/** What to look for: personal numbers as `personalNumberKey` makes them, or all of the folded words of a name. */
export interface NamedSought {
  readonly numbers: readonly string[];
  readonly words: readonly string[];
}

/** More than anybody would read through. */
const most = 20;

/** Patients of a clinic whom a file may name, by personal number or name; none from the recycle bin. */
export const patientsNamed = async (
  db: Kysely<Schema>,
  customerId: string,
  { numbers, words }: NamedSought,
): Promise<NamedRow[]> => {
  if (numbers.length === 0 && words.length < 2) return [];
  const [first = '', ...others] = words;
  // Folded words are letters and digits: nothing in them to escape.
  const named = all([beginsWith(sql`word`, first), ...others.map((word) => hasWord(sql`names`, word))]);
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
    .where(sql<boolean>`id in (${sql.join(ids, sql` union `)})`)
    .where('deleted_at', 'is', null)
    .orderBy('last_name')
    .orderBy('first_name')
    .orderBy('id')
    .limit(most)
    .execute();
};
