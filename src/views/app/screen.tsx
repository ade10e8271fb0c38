import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import '../theme/mantine.css';
import '../theme/theme.css';
import { App } from './app.tsx';
import { type AppContext, AppContextProvider } from './app-context.tsx';
import { type DraftStore, DraftsProvider } from './drafts-context.ts';
import { type AppQueries, AppQueriesProvider } from './queries-context.tsx';

export { SignedIn } from './app.tsx';

export interface Shown {
  readonly context: AppContext;
  readonly queryClient: QueryClient;
  readonly queries: AppQueries;
  readonly drafts: DraftStore;
  readonly translation: i18n;
}

/** Renders the application. */
export const show = ({ context, queryClient, queries, drafts, translation }: Shown): void => {
  const root = document.getElementById('root');
  if (!root) throw new Error('index.html has no #root');
  createRoot(root).render(
    <StrictMode>
      <I18nextProvider i18n={translation}>
        <QueryClientProvider client={queryClient}>
          <AppQueriesProvider value={queries}>
            <AppContextProvider value={context}>
              <DraftsProvider value={drafts}>
                <App />
              </DraftsProvider>
            </AppContextProvider>
          </AppQueriesProvider>
        </QueryClientProvider>
      </I18nextProvider>
    </StrictMode>,
  );
};
