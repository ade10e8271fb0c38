import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { defaultLanguage, fallbackLanguage, type Language, languageOf, languages } from './languages.ts';

type Texts = Readonly<Record<string, Record<string, string>>>;

type Pack = () => Promise<{ texts: Texts }>;

/** The sign-in page waits for few words; those of the rooms behind it come with the rooms. */
const packs: Readonly<Record<Language, { readonly entry: Pack; readonly rooms: Pack }>> = {
  sv: { entry: () => import('./sv-entry.ts'), rooms: () => import('./sv-rooms.ts') },
  en: { entry: () => import('./en-entry.ts'), rooms: () => import('./en-rooms.ts') },
  da: { entry: () => import('./da-entry.ts'), rooms: () => import('./da-rooms.ts') },
  no: { entry: () => import('./no-entry.ts'), rooms: () => import('./no-rooms.ts') },
};

/** A namespace of each pack, by which one sees whether it is there. */
const signs = { entry: 'shell', rooms: 'patient' } as const;

const namespaceOf = (path: string) => path.slice(path.lastIndexOf('/') + 1, -'.json'.length);

const load = async (translation: i18n, language: Language, part: keyof typeof signs): Promise<void> => {
  if (translation.hasResourceBundle(language, signs[part])) return;
  const { texts } = await packs[language][part]();
  for (const [path, bundle] of Object.entries(texts)) {
    translation.addResourceBundle(language, namespaceOf(path), bundle);
  }
};

/** Speaks `language`: loads its texts once, those of the rooms too where they are open, then changes over, so that no key is ever shown. */
export const speak = async (translation: i18n, language: Language): Promise<void> => {
  const roomsAreOpen = languages.some((known) => translation.hasResourceBundle(known, signs.rooms));
  await Promise.all([
    load(translation, language, 'entry'),
    ...(roomsAreOpen ? [load(translation, language, 'rooms')] : []),
  ]);
  await translation.changeLanguage(language);
  document.documentElement.lang = language === 'no' ? 'nb' : language;
};

/** The words of the rooms behind the sign-in, in the language that is spoken. */
export const speakInRooms = (translation: i18n): Promise<void> =>
  load(translation, languageOf(translation.language) ?? defaultLanguage, 'rooms');

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
