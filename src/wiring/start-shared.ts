import { lazyImages } from '../services/images.ts';
import { createSharedAccess } from '../services/shared-access.ts';
import { languageOf } from '../views/language/languages.ts';
import { createTranslation, loadSharedTexts } from '../views/language/translation.ts';
import { linkOf } from '../views/shared-page/link-of.ts';

/** Starts the page for recipients of links. It neither reads nor restores a session. */
export const startShared = async (): Promise<void> => {
  const { loadBytes, ...calls } = createSharedAccess(location.origin);
  const images = lazyImages(async () => (await import('../viewer/index.ts')).createImages({ loadBytes }));
  const leave = () => {
    calls.leave();
    images.forgetAll();
  };
  const language = navigator.languages.map(languageOf).find((known) => known !== null) ?? null;
  const [{ showShared }, translation] = await Promise.all([
    import('../views/shared-page/show-shared.tsx'),
    createTranslation(language),
  ]);
  await loadSharedTexts(translation);
  // Another link that is pasted into the address bar does not load the page by itself.
  window.addEventListener('hashchange', () => location.reload());
  showShared({ link: linkOf(location.hash), access: { ...calls, leave, openImages: images.open }, translation });
};
