import { useTranslation } from 'react-i18next';
import type { ServiceScope } from '../../../../contract/service-scopes.ts';

/** Returns what a service account with these scopes may do, in words. */
export const useRightsText = (): ((scopes: readonly ServiceScope[]) => string) => {
  const { t } = useTranslation('users');
  return (scopes) => {
    if (!scopes.includes('dicomweb.write')) return t('serviceRead');
    return t(scopes.includes('dicomweb.read') ? 'serviceBoth' : 'serviceWrite');
  };
};
