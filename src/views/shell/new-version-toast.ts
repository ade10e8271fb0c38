import type { i18n } from 'i18next';
import danish from '../../../locales/da/new-version.json' with { type: 'json' };
import english from '../../../locales/en/new-version.json' with { type: 'json' };
import norwegian from '../../../locales/no/new-version.json' with { type: 'json' };
import swedish from '../../../locales/sv/new-version.json' with { type: 'json' };
import { defaultLanguage, languageOf } from '../language/languages.ts';
import { actionToast } from '../parts/action-toast.tsx';

const texts = { sv: swedish, en: english, da: danish, no: norwegian };

/** Asks, until it is answered, whether the page may be begun anew with the version that waits. */
export const askToReload = (translation: i18n, take: () => void): void => {
  const { text, reload } = texts[languageOf(translation.language) ?? defaultLanguage];
  const close = translation.t('close', { ns: 'shell' });
  actionToast({ id: 'new-version', text, action: reload, close, stays: true, onAction: take });
};
