import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { atRest } from '../services/at-rest.ts';
import type { Images } from '../viewer/index.ts';
import '../views/theme/mantine.css';
import '../views/theme/theme.css';
import { App } from '../views/app.tsx';
import { type Ground, GroundProvider } from '../views/ground.tsx';
import { DraftsProvider } from '../views/kept-drafts.ts';
import { ReadingProvider } from '../views/reading.tsx';
import type { Shown } from './start.ts';

export { SignedIn } from '../views/app.tsx';

const groundOf = ({ started, inspect }: Shown): Ground => {
  const { preferences, loadBytes } = started;
  let images: Promise<Images> | null = null;
  return {
    ...started,
    inspect,
    openImages: () => {
      images ??= import('../viewer/index.ts').then(({ createImages }) => createImages({ loadBytes }));
      return images;
    },
    themeChoice: () => preferences.current().theme,
    rememberTheme: (theme) => preferences.change({ theme }),
    rememberLanguage: (language) => preferences.change({ language }),
  };
};

/** After the page itself: nothing waits for it. A browser that refuses (a private window) does without. */
const askForNewVersions = ({ translation }: Shown) =>
  void import('./new-version.ts').then((newVersion) => newVersion.askForNewVersions(translation)).catch(() => {});

/** Draws the product into the page. */
export const show = (shown: Shown): void => {
  const { started, translation } = shown;
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(
    <StrictMode>
      <I18nextProvider i18n={translation}>
        <QueryClientProvider client={started.queryClient}>
          <ReadingProvider value={started.queries}>
            <GroundProvider value={groundOf(shown)}>
              <DraftsProvider value={started.drafts}>
                <App />
              </DraftsProvider>
            </GroundProvider>
          </ReadingProvider>
        </QueryClientProvider>
      </I18nextProvider>
    </StrictMode>,
  );
  if (!import.meta.env.PROD) return;
  const ask = () => atRest(() => askForNewVersions(shown));
  if (document.readyState === 'complete') ask();
  else window.addEventListener('load', ask, { once: true });
};
