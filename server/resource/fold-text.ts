/** Letters that Unicode does not take apart into a letter and a mark. */
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
  // The same letter as σ, but for its place.
  ς: 'σ',
};

/**
 * Text as names are compared and searched: lower case, without diacritics, words of letters and digits parted by one space.
 * `Åsa  Björk-Lund` and `asa bjork lund` fold to the same. The only place that decides this; `folded_words` of the database (migration 019) says the
 * same of every character, and tests/server/one-fold.test.ts holds that.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[øæœßłđðþıς]/g, (letter) => letters[letter] ?? letter)
    .replace(/['’`´.]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
