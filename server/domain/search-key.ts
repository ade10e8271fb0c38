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
