import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import type { Images } from './viewer/index.ts';
import './views/theme/mantine.css';
import './views/theme/theme.css';
import { App } from './views/app.tsx';
import { GroundProvider } from './views/ground.tsx';
import { DraftsProvider } from './views/kept-drafts.ts';
import { createTranslation, speakInRooms } from './views/language/translation.ts';
import { ReadingProvider } from './views/reading.tsx';
import radiograph from './views/theme/radiograph.webp';
import { startApp } from './wiring.ts';

/** In development `?inspect` opens a window on the live actors; what is built has nothing of it. */
const askedInspector = async () => {
  const { isInspectionWanted, openInspector } = await import('./inspect/inspector.ts');
  return isInspectionWanted() ? openInspector() : undefined;
};
const inspect = import.meta.env.DEV ? await askedInspector() : undefined;
const started = startApp(inspect);
// Whoever is expected needs more than the sign-in page: it comes while the archive is asked who they are. What does not come is asked for again by its page.
if (started.expectsSomebody) void import('./views/signed-in.tsx').catch(() => {});
// Nobody is: the picture beside the ways to sign in comes while they are drawn.
else new Image().src = radiograph;
const { signIn, passwords, bankId } = started;
const {
  app,
  queryClient,
  queries,
  preferences,
  loadBytes,
  importFiles,
  addFiles,
  twoFactor,
  accessLog,
  administration,
  gallery,
  records,
  drafts,
} = started;

let images: Promise<Images> | null = null;
const ground = {
  app,
  inspect,
  openImages: () => {
    images ??= import('./viewer/index.ts').then(({ createImages }) => createImages({ loadBytes }));
    return images;
  },
  importFiles,
  addFiles,
  ...{ twoFactor, accessLog, administration, gallery, records, signIn, passwords, bankId },
  themeChoice: () => preferences.current().theme,
  rememberTheme: (theme: ReturnType<typeof preferences.current>['theme']) => preferences.change({ theme }),
  rememberLanguage: (language: 'sv' | 'en' | 'da' | 'no') => preferences.change({ language }),
};

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
const translation = await createTranslation(preferences.current().language);
if (started.expectsSomebody) void speakInRooms(translation).catch(() => {});
createRoot(root).render(
  <StrictMode>
    <I18nextProvider i18n={translation}>
      <QueryClientProvider client={queryClient}>
        <ReadingProvider value={queries}>
          <GroundProvider value={ground}>
            <DraftsProvider value={drafts}>
              <App />
            </DraftsProvider>
          </GroundProvider>
        </ReadingProvider>
      </QueryClientProvider>
    </I18nextProvider>
  </StrictMode>,
);

/** After the page itself: nothing waits for it. A browser that refuses (a private window) does without. */
const askForNewVersions = () =>
  void import('./wiring/new-version.ts')
    .then((newVersion) => newVersion.askForNewVersions(translation))
    .catch(() => {});
if (import.meta.env.PROD) {
  if (document.readyState === 'complete') askForNewVersions();
  else window.addEventListener('load', askForNewVersions, { once: true });
}
