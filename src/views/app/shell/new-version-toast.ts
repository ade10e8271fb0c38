import type { i18n } from 'i18next';
import danish from '../../../../locales/da/new-version.json' with { type: 'json' };
import english from '../../../../locales/en/new-version.json' with { type: 'json' };
import norwegian from '../../../../locales/no/new-version.json' with { type: 'json' };
import swedish from '../../../../locales/sv/new-version.json' with { type: 'json' };
import { defaultLanguage, languageOf } from '../../language/languages.ts';
import { actionToast } from '../../ui/action-toast.tsx';

const texts = { sv: swedish, en: english, da: danish, no: norwegian };

/** Offers to reload the page with the new version. */
export const showNewVersion = (translation: i18n, take: () => void): void => {
  const { text, reload } = texts[languageOf(translation.language) ?? defaultLanguage];
  const close = translation.t('close', { ns: 'shell' });
  actionToast({ id: 'new-version', text, action: reload, close, isPersistent: true, onAction: take });
};
