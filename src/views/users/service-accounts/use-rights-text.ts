import { useTranslation } from 'react-i18next';
import type { ServiceScope } from '../../../../contract/service-scopes.ts';

interface Rights {
  readonly scopes: readonly ServiceScope[];
  readonly atOnce?: boolean;
}

/** Returns what a service account or DICOM device with these rights may do, in words. */
export const useRightsText = (): ((rights: Rights) => string) => {
  const { t } = useTranslation('users');
  return ({ scopes, atOnce = false }) => {
    if (!scopes.includes('dicomweb.write')) return t('serviceRead');
    const rights = t(scopes.includes('dicomweb.read') ? 'serviceBoth' : 'serviceWrite');
    return atOnce ? `${rights} (${t('serviceAtOnceListed')})` : rights;
  };
};
