import { useTranslation } from 'react-i18next';
import type { ServiceScope } from '../../../../contract/service-scopes.ts';

interface Rights {
  readonly scopes: readonly ServiceScope[];
  readonly atOnce?: boolean;
}

/** Returns what a service account or DICOM device with these rights may do, in words. */
export const useRightsText = (): ((rights: Rights) => string) => {
  const { t } = useTranslation('users');
  const ofImages = ({ scopes, atOnce = false }: Rights): readonly string[] => {
    const reads = scopes.includes('dicomweb.read');
    if (!scopes.includes('dicomweb.write')) return reads ? [t('serviceRead')] : [];
    const rights = t(reads ? 'serviceBoth' : 'serviceWrite');
    return [atOnce ? `${rights} (${t('serviceAtOnceListed')})` : rights];
  };
  return (rights) =>
    [...ofImages(rights), ...(rights.scopes.includes('orders.write') ? [t('serviceOrder')] : [])].join(', ');
};
