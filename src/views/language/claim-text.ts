import { useTranslation } from 'react-i18next';
import { isClaim } from '../../../contract/claims.ts';

/** What is missing, in words: the names of the rights of which one would do, or that are needed `together`. Null when none of them is known. */
export const useMissingText = (): ((claims: readonly string[], together?: boolean) => string | null) => {
  const { t, i18n } = useTranslation('claims');
  return (claims, together = false) => {
    const names = claims.filter(isClaim).map((claim) => t('quoted', { name: t(claim) }));
    if (names.length === 0) return null;
    const language = i18n.language === 'no' ? 'nb' : i18n.language;
    const list = new Intl.ListFormat(language, { type: together ? 'conjunction' : 'disjunction' });
    return t('missing', { names: list.format(names) });
  };
};
