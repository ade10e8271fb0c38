import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { defaultLanguage, fallbackLanguage, type Language, languageOf, languages } from './languages.ts';

/** Each pack is imported as one of its namespaces (`vite-text-packs.ts`), which also shows whether it is loaded. */
const signs = { initial: 'shell', auth: 'interaction', app: 'patient', help: 'help' } as const;
type Pack = keyof typeof signs;

const packs = import.meta.glob<Readonly<Record<string, object>>>(
  '../../../locales/*/{shell,interaction,patient,help}.json',
  { query: '?pack', import: 'default' },
);

const fetchPack = async (language: Language, pack: Pack) =>
  (await packs[`../../../locales/${language}/${signs[pack]}.json`]?.()) ?? {};

const load = async (translation: i18n, language: Language, pack: Pack): Promise<void> => {
  if (translation.hasResourceBundle(language, signs[pack])) return;
  for (const [namespace, texts] of Object.entries(await fetchPack(language, pack)))
    translation.addResourceBundle(language, namespace, texts);
};

/** Loads the texts of all opened pages in `language`, then switches, so that no key is ever shown. */
export const setLanguage = async (translation: i18n, language: Language): Promise<void> => {
  const opened = (['auth', 'app', 'help'] as const).filter((part) =>
    languages.some((known) => translation.hasResourceBundle(known, signs[part])),
  );
  await Promise.all((['initial', ...opened] as const).map((part) => load(translation, language, part)));
  await translation.changeLanguage(language);
  document.documentElement.lang = language === 'no' ? 'nb' : language;
};

/** Loads the texts of the sign-in methods in the current language. */
export const loadAuthTexts = (translation: i18n): Promise<void> =>
  load(translation, languageOf(translation.language) ?? defaultLanguage, 'auth');

/** Loads the texts of the pages behind sign-in in the current language. */
export const loadAppTexts = (translation: i18n): Promise<void> =>
  load(translation, languageOf(translation.language) ?? defaultLanguage, 'app');

/** Prefetches a pack; errors surface when it is loaded. */
export const prefetchTexts = (stored: string | null, pack: Pack): void =>
  void fetchPack((stored && languageOf(stored)) || defaultLanguage, pack).catch(() => {});

/** Loads the help texts, and those of the pages that the help quotes. */
export const loadHelpTexts = async (translation: i18n): Promise<void> => {
  const language = languageOf(translation.language) ?? defaultLanguage;
  await Promise.all([load(translation, language, 'app'), load(translation, language, 'help')]);
};

/** Creates the translation in the stored or default language. */
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
  await setLanguage(translation, (stored && languageOf(stored)) || defaultLanguage);
  return translation;
};
