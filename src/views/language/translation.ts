import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { defaultLanguage, fallbackLanguage, type Language, languageOf } from './languages.ts';

type Texts = Readonly<Record<string, Record<string, string>>>;

const packs: Readonly<Record<Language, () => Promise<{ texts: Texts }>>> = {
  sv: () => import('./sv.ts'),
  en: () => import('./en.ts'),
  da: () => import('./da.ts'),
  no: () => import('./no.ts'),
};

const namespaceOf = (path: string) => path.slice(path.lastIndexOf('/') + 1, -'.json'.length);

/** Speaks `language`: loads its texts once, then changes over, so that no key is ever shown. */
export const speak = async (translation: i18n, language: Language): Promise<void> => {
  if (!translation.hasResourceBundle(language, 'shell')) {
    const { texts } = await packs[language]();
    for (const [path, bundle] of Object.entries(texts)) {
      translation.addResourceBundle(language, namespaceOf(path), bundle);
    }
  }
  await translation.changeLanguage(language);
  document.documentElement.lang = language === 'no' ? 'nb' : language;
};

/** The texts of the product, in the stored language or the default. */
export const createTranslation = async (stored: string | null): Promise<i18n> => {
  const translation = createInstance();
  await translation.use(initReactI18next).init({
    lng: defaultLanguage,
    fallbackLng: fallbackLanguage,
    resources: {},
    ns: [],
    defaultNS: 'shell',
    interpolation: { escapeValue: false },
    returnNull: false,
    react: { useSuspense: false },
  });
  await speak(translation, (stored && languageOf(stored)) || defaultLanguage);
  return translation;
};
