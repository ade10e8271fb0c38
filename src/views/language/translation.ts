import { createInstance, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { defaultLanguage, fallbackLanguage, type Language, languageOf } from './languages.ts';

/**
 * One namespace of each pack. Its file is the import path of the pack (`vite-text-packs.ts`); a pack counts as loaded when this namespace is loaded.
 */
const markerNamespaces = {
  initial: 'shell',
  auth: 'interaction',
  app: 'patient',
  help: 'help',
  administration: 'users',
  shared: 'shared',
} as const;
type Pack = keyof typeof markerNamespaces;

const packs = import.meta.glob<Readonly<Record<string, object>>>(
  '../../../locales/*/{shell,interaction,patient,help,shared,users}.json',
  { query: '?pack', import: 'default' },
);

const fetchPack = async (language: Language, pack: Pack) =>
  (await packs[`../../../locales/${language}/${markerNamespaces[pack]}.json`]?.()) ?? {};

const load = async (translation: i18n, language: Language, pack: Pack): Promise<void> => {
  if (translation.hasResourceBundle(language, markerNamespaces[pack])) return;
  for (const [namespace, texts] of Object.entries(await fetchPack(language, pack)))
    translation.addResourceBundle(language, namespace, texts);
};

/** Packs requested so far, loaded or still loading. Keyed by store, because `useTranslation` returns a wrapper of the i18n object. */
const requestedPacks = new WeakMap<object, Set<Pack>>();
const requestedPacksOf = ({ store }: i18n): Set<Pack> => {
  const requested = requestedPacks.get(store) ?? new Set<Pack>(['initial']);
  requestedPacks.set(store, requested);
  return requested;
};

/** Loads all requested packs in `language`, then switches, so that no key is ever shown. */
export const setLanguage = async (translation: i18n, language: Language): Promise<void> => {
  const requested = requestedPacksOf(translation);
  await Promise.all([...requested].map((pack) => load(translation, language, pack)));
  // Also loads packs requested meanwhile: iterating a Set also visits elements added meanwhile.
  for (const pack of requested) await load(translation, language, pack);
  await translation.changeLanguage(language);
  document.documentElement.lang = language === 'no' ? 'nb' : language;
};

/** Loads a pack in the current language, and again if the language changes meanwhile. */
const open = async (translation: i18n, pack: Pack): Promise<void> => {
  requestedPacksOf(translation).add(pack);
  const current = () => languageOf(translation.language) ?? defaultLanguage;
  let language: Language;
  do {
    language = current();
    await load(translation, language, pack);
  } while (current() !== language);
};

/** Loads the texts of the sign-in methods in the current language. */
export const loadAuthTexts = (translation: i18n): Promise<void> => open(translation, 'auth');

/** Loads the texts of the pages after sign-in in the current language. */
export const loadAppTexts = (translation: i18n): Promise<void> => open(translation, 'app');

/** Loads the texts of administration, quality and account dialogs in the current language. */
export const loadAdministrationTexts = (translation: i18n): Promise<void> => open(translation, 'administration');

/** Loads the texts of the page for recipients of links in the current language. */
export const loadSharedTexts = (translation: i18n): Promise<void> => open(translation, 'shared');

/** Loads the help texts, and those of the pages that the help quotes. */
export const loadHelpTexts = async (translation: i18n): Promise<void> => {
  await Promise.all((['app', 'administration', 'help'] as const).map((pack) => open(translation, pack)));
};

/** Prefetches a pack; errors are ignored here and reported by the actual load. */
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
