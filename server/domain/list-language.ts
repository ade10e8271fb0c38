/** Languages with an order of letters of their own: Danish stands for Norwegian too, English for every other language. */
export const listLanguages = ['sv', 'da', 'en'] as const;
export type ListLanguage = (typeof listLanguages)[number];

const languageOf: ReadonlyMap<string, ListLanguage> = new Map([
  ['sv', 'sv'],
  ['fi', 'sv'],
  ['da', 'da'],
  ['nb', 'da'],
  ['nn', 'da'],
  ['no', 'da'],
]);

/** Returns the language in whose order lists are sorted, by the first of an `Accept-Language` header; Swedish without one. */
export const listLanguage = (acceptLanguage: string | undefined): ListLanguage => {
  const [primary = ''] = /^[a-z]+/i.exec(acceptLanguage?.trim() ?? '') ?? [];
  return primary === '' ? 'sv' : (languageOf.get(primary.toLowerCase()) ?? 'en');
};
