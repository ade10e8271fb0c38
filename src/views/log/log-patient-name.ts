import { useTranslation } from 'react-i18next';
import type { AccessEntry } from '../../../contract/access-log.ts';

/** Returns the name of a patient in the log; words instead where the identity is protected and the server sends no name. */
export const useLogPatientName = () => {
  const { t } = useTranslation('log');
  return ({ name, protectedIdentity }: NonNullable<AccessEntry['patient']>): string =>
    name || (protectedIdentity ? t('protectedPatient') : '');
};
