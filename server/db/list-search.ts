import { type RawBuilder, sql } from 'kysely';

/**
 * Conditions of which all must hold: each typed word begins a word of the text, whatever its case and marks. Signs alone, and letters that no
 * `search_text` holds, find nothing.
 * @param searchText a column that was filled by `search_key`
 */
export const wordsIn = (searchText: RawBuilder<string>, q: string | undefined): RawBuilder<boolean>[] => {
  const typed = q?.trim() ?? '';
  const words = typed.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (typed && words.length === 0) return [sql<boolean>`false`];
  return words.map(
    (word) => sql<boolean>`(search_key(${word}) <> ' ' and ${searchText} like '%' || search_key(${word}) || '%')`,
  );
};
