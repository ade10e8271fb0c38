import { type RawBuilder, sql } from 'kysely';
import { hasWord, searchTerms } from './stores/search-terms.ts';

/**
 * Returns conditions that must all hold: each search word is a prefix of a word in the text. Punctuation alone matches nothing.
 * @param searchText words written by `folded_words`
 */
export const wordsIn = (searchText: RawBuilder<string>, q = ''): RawBuilder<boolean>[] => {
  const words = searchTerms(q);
  if (q.trim() && words.length === 0) return [sql<boolean>`false`];
  return words.flatMap(({ parts }) => parts.map((part) => hasWord(searchText, part)));
};
