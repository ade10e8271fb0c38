import { useTranslation } from 'react-i18next';
import { roleNames } from '../../../contract/claims.ts';

/** What people call a role; a role of the clinic's own keeps its name. */
export const useRoleName = (): ((role: string) => string) => {
  const { t } = useTranslation('roles');
  return (role) => {
    const known = roleNames.find((name) => name === role);
    return known ? t(known) : role;
  };
};
