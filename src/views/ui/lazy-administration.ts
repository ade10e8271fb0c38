import type { ComponentType } from 'react';
import { getI18n } from 'react-i18next';
import { loadAdministrationTexts } from '../language/translation.ts';
import { lazyComponent } from './lazy-component.ts';

/** Loads a page or dialog of the administration or of the account together with its texts. */
// biome-ignore lint/suspicious/noExplicitAny: a component of any properties, as `lazyComponent` takes it
export const lazyAdministration = <Part extends ComponentType<any>>(load: () => Promise<Part>) =>
  lazyComponent(async () => (await Promise.all([load(), loadAdministrationTexts(getI18n())]))[0]);
