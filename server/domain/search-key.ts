/** Letters that Unicode does not decompose into a base letter and a mark. */
const letters: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  // Final sigma is the same letter as σ.
  ς: 'σ',
};

/**
 * Returns the normalized text for comparing and searching names: lower case, no diacritics, words of letters and digits separated by one space. `Åsa
 * Björk-Lund` gives `asa bjork lund`. The SQL function `folded_words` (migration 019) does the same; tests/server/search-key.test.ts compares both.
 */
export const searchKey = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[øæœßłđðþıς]/g, (letter) => letters[letter] ?? letter)
    .replace(/['’`´.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Two letters that are typed for one on a keyboard without it: å, ä, ö, ø and ü, whose keys are a, a, o, o and u. */
const substitutes = /aa|ae|oe|ue/g;

/** Returns a search text with these letters as the normalized text has them: `Joergen Aakesson` gives `jorgen akesson`. */
export const withoutSubstitutes = (text: string): string =>
  text.toLowerCase().replaceAll(substitutes, ([letter = '']) => letter);
