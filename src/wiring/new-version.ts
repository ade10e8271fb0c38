import type { i18n } from 'i18next';
import { watchForNewVersion } from '../services/new-version.ts';

/** Asks before a new version takes the place of the one that is running. Nothing where the browser has no service workers. */
export const askForNewVersions = async (translation: i18n): Promise<void> => {
  if (!navigator.serviceWorker) return;
  const ask = async (take: () => void) => {
    const { askToReload } = await import('../views/shell/new-version-toast.ts');
    askToReload(translation, take);
  };
  await watchForNewVersion({
    container: navigator.serviceWorker,
    page: document,
    reload: () => location.reload(),
    // A page that cannot load any more of this version says so itself.
    onNew: (take) => void ask(take).catch(() => {}),
  });
};
