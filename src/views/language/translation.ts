import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { defaultLanguage, fallbackLanguage, type Language, languageOf } from './languages.ts';

/** Each pack is imported as one of its namespaces (`vite-text-packs.ts`), which also shows whether it is loaded. */
const signs = { initial: 'shell', auth: 'interaction', app: 'patient', help: 'help', shared: 'shared' } as const;
type Pack = keyof typeof signs;

const packs = import.meta.glob<Readonly<Record<string, object>>>(
  '../../../locales/*/{shell,interaction,patient,help,shared}.json',
  { query: '?pack', import: 'default' },
);

const fetchPack = async (language: Language, pack: Pack) =>
  (await packs[`../../../locales/${language}/${signs[pack]}.json`]?.()) ?? {};

const load = async (translation: i18n, language: Language, pack: Pack): Promise<void> => {
  if (translation.hasResourceBundle(language, signs[pack])) return;
  for (const [namespace, texts] of Object.entries(await fetchPack(language, pack)))
    translation.addResourceBundle(language, namespace, texts);
};

/** The packs of the opened pages, also of those whose texts are still loading. By store: `useTranslation` returns a wrapper of the translation. */
const openedPacks = new WeakMap<object, Set<Pack>>();
const openedOf = ({ store }: i18n): Set<Pack> => {
  const opened = openedPacks.get(store) ?? new Set<Pack>(['initial']);
  openedPacks.set(store, opened);
  return opened;
};

/** Loads the texts of all opened pages in `language`, then switches, so that no key is ever shown. */
export const setLanguage = async (translation: i18n, language: Language): Promise<void> => {
  const opened = openedOf(translation);
  await Promise.all([...opened].map((pack) => load(translation, language, pack)));
  // Also those that were opened meanwhile: a set is walked with what is added to it.
  for (const pack of opened) await load(translation, language, pack);
  await translation.changeLanguage(language);
  document.documentElement.lang = language === 'no' ? 'nb' : language;
};

/** Loads a pack in the current language, and in the one to which the user changes meanwhile. */
const open = async (translation: i18n, pack: Pack): Promise<void> => {
  openedOf(translation).add(pack);
  const current = () => languageOf(translation.language) ?? defaultLanguage;
  let language: Language;
  do {
    language = current();
    await load(translation, language, pack);
  } while (current() !== language);
};

/** Loads the texts of the sign-in methods in the current language. */
export const loadAuthTexts = (translation: i18n): Promise<void> => open(translation, 'auth');

/** Loads the texts of the pages behind sign-in in the current language. */
export const loadAppTexts = (translation: i18n): Promise<void> => open(translation, 'app');

/** Loads the texts of the page for recipients of links in the current language. */
export const loadSharedTexts = (translation: i18n): Promise<void> => open(translation, 'shared');

/** Loads the help texts, and those of the pages that the help quotes. */
export const loadHelpTexts = async (translation: i18n): Promise<void> => {
  await Promise.all([open(translation, 'app'), open(translation, 'help')]);
};

/** Prefetches a pack; errors surface when it is loaded. */
export const prefetchTexts = (stored: string | null, pack: Pack): void =>
  void fetchPack((stored && languageOf(stored)) || defaultLanguage, pack).catch(() => {});

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
