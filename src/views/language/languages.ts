export const languages = ['sv', 'en', 'da', 'no'] as const;
export type Language = (typeof languages)[number];

export const defaultLanguage: Language = 'sv';
export const fallbackLanguage: Language = 'en';

/** Each language by its own name. */
export const languageNames: Readonly<Record<Language, string>> = {
  sv: 'Svenska',
  en: 'English',
  da: 'Dansk',
  no: 'Norsk',
};

/** Maps a language tag to a supported language: `nb` and `nn` to Norwegian, `en-GB` to English; null for others. */
export const languageOf = (tag: string): Language | null => {
  const primary = tag.toLowerCase().split('-')[0] ?? '';
  const known = primary === 'nb' || primary === 'nn' ? 'no' : primary;
  return languages.find((language) => language === known) ?? null;
};
