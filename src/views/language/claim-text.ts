import { useTranslation } from 'react-i18next';
import { isClaim } from '../../../contract/claims.ts';

/** Returns the names of the missing rights: any one of them suffices, or all are needed with `together`. Null when none is known. */
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
