import { useTranslation } from 'react-i18next';
import { isClaim } from '../../../contract/claims.ts';

/** What is missing, in words: the names of the rights of which one would do. Null when none of them is known. */
export const useMissingText = (): ((claims: readonly string[]) => string | null) => {
  const { t, i18n } = useTranslation('claims');
  return (claims) => {
    const names = claims.filter(isClaim).map((claim) => t('quoted', { name: t(claim) }));
    if (names.length === 0) return null;
    const language = i18n.language === 'no' ? 'nb' : i18n.language;
    return t('missing', { names: new Intl.ListFormat(language, { type: 'disjunction' }).format(names) });
  };
};
