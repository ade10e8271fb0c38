import { type RawBuilder, sql } from 'kysely';
import { searchKey } from '../../domain/search-key.ts';

const inText = (text: RawBuilder<string>, word: string) =>
  sql.join(
    searchKey(word)
      .split(' ')
      // Normalized words are letters and digits: nothing to escape.
      .map((part) => sql`${text} like ${`% ${part}%`}`),
    sql` and `,
  );

/**
 * Each search word is a prefix of a word in the text or, with two or more digits, part of the patient's number, with or without dash and
 * century. Uses no index: for lists of few rows.
 */
export const matchesWords = (text: RawBuilder<string>, q = ''): RawBuilder<boolean> => {
  const words = q.split(/\s+/).filter((word) => searchKey(word) !== '');
  if (words.length === 0) return q.trim() === '' ? sql<boolean>`true` : sql<boolean>`false`;
  const conditions = words.map((word) => {
    const digits = word.replace(/\D+/g, '');
    const inNumber = digits.length < 2 ? sql`false` : sql`patient.search_digits like ${`%${digits}%`}`;
    return sql`((${inText(text, word)}) or ${inNumber})`;
  });
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
};
