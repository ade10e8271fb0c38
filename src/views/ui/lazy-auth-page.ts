import type { ComponentType } from 'react';
import { getI18n } from 'react-i18next';
import { loadAuthTexts } from '../language/translation.ts';
import { lazyComponent } from './lazy-component.ts';

/** Loads the page of a sign-in method together with its texts. */
// biome-ignore lint/suspicious/noExplicitAny: a component of any properties, as `lazyComponent` takes it
export const lazyAuthPage = <Page extends ComponentType<any>>(load: () => Promise<Page>) =>
  lazyComponent(async () => (await Promise.all([load(), loadAuthTexts(getI18n())]))[0]);
