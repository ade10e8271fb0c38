import type { i18n } from 'i18next';
import type { Inspect } from '../machines/port.ts';
import { createTranslation, fetchWords } from '../views/language/translation.ts';
import radiograph from '../views/theme/radiograph.webp';
import { type StartedApp, startApp } from '../wiring.ts';

export interface Shown {
  readonly started: StartedApp;
  readonly translation: i18n;
  readonly inspect: Inspect | undefined;
}

/** All that is drawn. */
export interface Screen {
  /** The pages behind the sign-in; `fetch` brings them. */
  readonly SignedIn: { readonly fetch: () => Promise<unknown> };
  readonly show: (shown: Shown) => void;
}

/** In development `?inspect` opens a window on the live actors; what is built has nothing of it. */
const askedInspector = async () => {
  const { isInspectionWanted, openInspector } = await import('../inspect/inspector.ts');
  return isInspectionWanted() ? openInspector() : undefined;
};

/** Starts the product, asks ahead for what it will need, and shows it on the screen when that has come. */
export const start = async (screen: Promise<Screen>): Promise<void> => {
  const inspect = import.meta.env.DEV ? await askedInspector() : undefined;
  const started = startApp({
    inspect,
    fetchPages: async () => {
      await translated;
      await (await screen).SignedIn.fetch();
    },
  });
  const { language } = started.preferences.current();
  const translated = createTranslation(language);
  // What does not come is asked for again by whoever needs it.
  if (started.expectsSomebody) fetchWords(language, 'rooms');
  // The picture beside the ways to sign in comes while they are drawn.
  else new Image().src = radiograph;
  const [{ show }, translation] = await Promise.all([screen, translated]);
  show({ started, translation, inspect });
};
