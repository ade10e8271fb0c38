import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { defaultLanguage, fallbackLanguage, type Language, languageOf, languages } from './languages.ts';

type Texts = Readonly<Record<string, Record<string, string>>>;

type Pack = () => Promise<{ texts: Texts }>;

/** The list of ways to sign in waits for few words; those of each way, and of the rooms behind, come with their pages. */
const packs = {
  sv: {
    entry: () => import('./sv-entry.ts'),
    doors: () => import('./sv-doors.ts'),
    rooms: () => import('./sv-rooms.ts'),
    help: () => import('./sv-help.ts'),
  },
  en: {
    entry: () => import('./en-entry.ts'),
    doors: () => import('./en-doors.ts'),
    rooms: () => import('./en-rooms.ts'),
    help: () => import('./en-help.ts'),
  },
  da: {
    entry: () => import('./da-entry.ts'),
    doors: () => import('./da-doors.ts'),
    rooms: () => import('./da-rooms.ts'),
    help: () => import('./da-help.ts'),
  },
  no: {
    entry: () => import('./no-entry.ts'),
    doors: () => import('./no-doors.ts'),
    rooms: () => import('./no-rooms.ts'),
    help: () => import('./no-help.ts'),
  },
} as const satisfies Record<Language, Record<string, Pack>>;

/** A namespace of each pack, by which one sees whether it is there. */
const signs = { entry: 'shell', doors: 'interaction', rooms: 'patient', help: 'help' } as const;

const namespaceOf = (path: string) => path.slice(path.lastIndexOf('/') + 1, -'.json'.length);

const load = async (translation: i18n, language: Language, part: keyof typeof signs): Promise<void> => {
  if (translation.hasResourceBundle(language, signs[part])) return;
  const { texts } = await packs[language][part]();
  for (const [path, bundle] of Object.entries(texts)) {
    translation.addResourceBundle(language, namespaceOf(path), bundle);
  }
};

/** Speaks `language`: loads its texts once, with those of all pages that were opened, then changes over, so that no key is ever shown. */
export const speak = async (translation: i18n, language: Language): Promise<void> => {
  const opened = (['doors', 'rooms', 'help'] as const).filter((part) =>
    languages.some((known) => translation.hasResourceBundle(known, signs[part])),
  );
  await Promise.all((['entry', ...opened] as const).map((part) => load(translation, language, part)));
  await translation.changeLanguage(language);
  document.documentElement.lang = language === 'no' ? 'nb' : language;
};

/** The words of the pages of one way to sign in, in the language that is spoken. */
export const speakAtDoors = (translation: i18n): Promise<void> =>
  load(translation, languageOf(translation.language) ?? defaultLanguage, 'doors');

/** The words of the rooms behind the sign-in, in the language that is spoken. */
export const speakInRooms = (translation: i18n): Promise<void> =>
  load(translation, languageOf(translation.language) ?? defaultLanguage, 'rooms');

/** Fetches words before anybody speaks them. Whether they came is asked by whoever does. */
export const fetchWords = (stored: string | null, part: keyof typeof signs): void =>
  void packs[(stored && languageOf(stored)) || defaultLanguage][part]().catch(() => {});

/** The words of the help, and of the pages whose buttons, keys and messages it names. */
export const speakInHelp = async (translation: i18n): Promise<void> => {
  const language = languageOf(translation.language) ?? defaultLanguage;
  await Promise.all([load(translation, language, 'rooms'), load(translation, language, 'help')]);
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
