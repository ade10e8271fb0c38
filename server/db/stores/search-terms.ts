import { type RawBuilder, sql } from 'kysely';
import { searchKey } from '../../domain/search-key.ts';

/** A search word. Normalized text consists of letters and digits, so nothing needs escaping. */
export interface SearchTerm {
  /** Normalized parts; those separated by punctuation (`björk-lund`) must all match. At least one. */
  readonly parts: readonly string[];
  /** A word with two or more digits may be part of a personal number, with or without its dash. */
  readonly number: string | null;
}

const minDigits = 2;

/** Returns the words that may be personal numbers or parts of them. */
export const numbersIn = (terms: readonly SearchTerm[]): readonly string[] =>
  terms.flatMap(({ number }) => (number === null ? [] : [number]));

/** Returns the words of a search text; empty when it has only punctuation, which matches nothing. */
export const searchTerms = (text: string): SearchTerm[] =>
  text.split(/\s+/).flatMap((word) => {
    const parts = searchKey(word).split(' ').filter(Boolean);
    if (parts.length === 0) return [];
    const digits = word.match(/\p{Nd}/gu)?.length ?? 0;
    return { parts, number: digits < minDigits ? null : parts.join('') };
  });

/** Returns what sorts after all words that start with `prefix`, and before all others that sort after it. */
export const afterAll = (prefix: string): string => `${prefix}\u{10FFFF}`;

/** For a column of collation "C". */
export const startsWith = (column: RawBuilder<string>, prefix: string): RawBuilder<boolean> =>
  sql<boolean>`(${column} >= ${prefix} and ${column} < ${afterAll(prefix)})`;

/** Returns whether a word starts with the prefix, in a text with a space before each word. */
export const hasWord = (text: RawBuilder<string>, prefix: string): RawBuilder<boolean> =>
  sql<boolean>`${text} like ${`% ${prefix}%`}`;

/** Returns whether a form of a personal number starts with the prefix; each form is preceded by #. */
export const hasNumber = (text: RawBuilder<string>, prefix: string): RawBuilder<boolean> =>
  sql<boolean>`${text} like ${`%#${prefix}%`}`;

export const all = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
export const any = (conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(conditions, sql` or `)})`;
