import { type RawBuilder, sql } from 'kysely';
import { hasWord, typedWords } from './stores/typed-words.ts';

/**
 * Conditions of which all must hold: each typed word begins a word of the text, as among patients. Signs alone find nothing.
 * @param searchText words that `folded_words` wrote
 */
export const wordsIn = (searchText: RawBuilder<string>, q = ''): RawBuilder<boolean>[] => {
  const words = typedWords(q);
  if (q.trim() && words.length === 0) return [sql<boolean>`false`];
  return words.flatMap(({ parts }) => parts.map((part) => hasWord(searchText, part)));
};
