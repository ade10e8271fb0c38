/** Languages of the texts in locales/. */
export type TextLanguage = 'sv' | 'en' | 'da' | 'no';

/** Returns the tag of a language (BCP 47); Norwegian is Bokmål. */
export const languageTag = (language: TextLanguage): string => (language === 'no' ? 'nb' : language);

/** Returns a text with its `{{name}}` replaced by values; without a value it stays. */
export const withValues = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole));
