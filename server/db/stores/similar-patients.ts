import { type Kysely, type RawBuilder, sql } from 'kysely';
import { maxSimilar } from '../../../contract/patients.ts';
import type { Schema } from '../schema.ts';
import { type DateRange, isWithin } from './date-range.ts';
import { isListable, type ListReader } from './listable-patients.ts';
import { all, any, hasNumber, hasWord, numbersIn, type SearchTerm, searchTerms } from './search-terms.ts';

interface NearWord {
  readonly word: string;
  /** Letters to change, add or remove; an exchange of two neighbours counts as one. */
  readonly distance: number;
}

/** Words of shorter texts are near too many others. */
const minTextLength = 3;
/** From this length, a text is compared with the beginnings of words too, because it may be incomplete. */
const minBeginningLength = 5;
/** From this length, two errors are accepted. */
const longText = 8;
const maxNearWords = 20;

/** Returns all texts with two neighbouring letters exchanged. */
const exchanged = (text: string): string[] => {
  const letters = [...text];
  return letters
    .slice(1)
    .map((letter, at) => [...letters.slice(0, at), letter, letters[at], ...letters.slice(at + 2)].join(''));
};

/** Returns the words of names of a clinic that are spelt nearly as `text`, nearest first, then those that contain it. */
const nearWords = async (db: Kysely<Schema>, customerId: string, text: string): Promise<readonly NearWord[]> => {
  const { length } = [...text];
  if (length < minTextLength) return [];
  const limit = length < longText ? 1 : 2;
  const differs = (from: RawBuilder<string>) => sql`levenshtein_less_equal(${from}, ${text}, ${limit})`;
  const beginnings = [length, length + 1].map((letters) => differs(sql<string>`left(word, ${letters}::integer)`));
  const compared = length < minBeginningLength ? sql`word` : sql`left(word, ${length}::integer)`;
  const { rows } = await sql<NearWord>`
    select word, min(distance) as distance from (
      select word, case when ${compared} = any(${exchanged(text)}::text[]) then 1
        else ${length < minBeginningLength ? differs(sql<string>`word`) : sql`least(${sql.join(beginnings)})`} end as distance
      from patient_name_word where customer_id = ${customerId}) as words
    where distance <= ${limit} or position(${text} in word) > 1
    group by word order by 2, word limit ${maxNearWords}`.execute(db);
  return rows;
};

interface Part {
  readonly text: string;
  readonly near: readonly NearWord[];
}

const names = sql<string>`names`;
const isNear = ({ text, near }: Part) => any([hasWord(names, text), ...near.map(({ word }) => hasWord(names, word))]);

/**
 * Returns patients of a clinic whose names are spelt nearly as the search text, nearest first, at most `maxSimilar`. Numbers must match: a
 * number with one wrong digit is another person's.
 * @param found patients that are left out
 */
export const similarPatients = async (
  db: Kysely<Schema>,
  { customerId, q, seesProtected, ...days }: DateRange & ListReader & { readonly q: string },
  found: readonly string[],
): Promise<readonly string[]> => {
  const typed = searchTerms(q);
  const numbers = numbersIn(typed);
  const texts = typed.flatMap(({ parts, number }: SearchTerm) => (number === null ? parts : []));
  const parts: Part[] = [];
  for (const text of texts) parts.push({ text, near: await nearWords(db, customerId, text) });
  // The part with the error: the others may be spelt right.
  const [driver] = parts
    .filter(({ near }) => near.length > 0)
    .sort((a, b) => (b.near[0]?.distance ?? 0) - (a.near[0]?.distance ?? 0));
  if (!driver) return [];
  const studied = isWithin(sql`patient.last_study_date`, days);
  const matches = all([
    ...parts.filter((part) => part !== driver).map(isNear),
    ...numbers.map((number) => hasNumber(names, number)),
    sql<boolean>`patient_id <> all(${found}::uuid[])`,
    ...isListable(sql<string>`patient_id`, { customerId, seesProtected }, numbers),
    ...(studied
      ? [sql<boolean>`exists (select from patient where patient.id = patient_word.patient_id and ${studied})`]
      : []),
  ]);
  const { rows } = await sql<{ patient_id: string }>`
    select patient_id from unnest(${driver.near.map(({ word }) => word)}::text[]) with ordinality as near (near_word, rank),
      lateral (select patient_id, names from patient_word
        where customer_id = ${customerId} and place in (0, 1) and word = near_word collate "C" and ${matches}
        order by place, names, patient_id limit ${maxSimilar}) as hits
    group by patient_id order by min(rank), min(names), patient_id limit ${maxSimilar}`.execute(db);
  return rows.map((row) => row.patient_id);
};
